/* What is embedded in the page: base64 of gzip. */
const embedded = (() => {
  const bytes = async (id) => {
    const text = document.getElementById(id).textContent.trim();
    const packed = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  const tables = async () => JSON.parse(new TextDecoder().decode(await bytes("data-tables")));

  /* Curves of item `index`: shares of the picture's height at the points, and observed means. */
  const curveReader = (content, layout) => {
    const n = layout.items, m = layout.points.length, g = layout.groups.length;
    const lowerAt = 2 * n * m, upperAt = 3 * n * m, seenAt = 4 * n * m;
    const summed = (steps, levels, wrap) => {
      let total = 0;
      return steps.map((step) => { total = (total + step) % wrap; return total / levels; });
    };
    const slice = (start, index) => Array.from(content.subarray(start + index * m, start + (index + 1) * m));
    return (index) => {
      const low = slice(0, index), high = slice(n * m, index);
      return {
        expected: summed(low.map((byte, i) => byte + 256 * high[i]), layout.fine, 65536),
        lower: summed(slice(lowerAt, index), layout.coarse, 256),
        upper: summed(slice(upperAt, index), layout.coarse, 256),
        seen: Array.from(content.subarray(seenAt + index * g, seenAt + (index + 1) * g))
          .map((step) => (step === 255 ? null : step / layout.coarse)),
      };
    };
  };
  return { bytes, tables, curveReader };
})();
