/* The meaning of a heading, shown beside it while it is pointed at or has the focus. */
const meanings = (() => {
  const box = () => document.getElementById("meaning");
  const show = (event) => {
    const target = event.target.closest && event.target.closest("[data-explained]");
    if (!target) { box().hidden = true; return; }
    const tip = box(), frame = target.getBoundingClientRect();
    tip.textContent = target.dataset.explained;
    tip.hidden = false;
    const left = Math.min(frame.left, document.documentElement.clientWidth - tip.offsetWidth - 8);
    tip.style.left = `${Math.max(8, left)}px`;
    const below = frame.bottom + 6;
    tip.style.top = `${below + tip.offsetHeight < window.innerHeight ? below : Math.max(8, frame.top - tip.offsetHeight - 6)}px`;
  };
  const hide = () => { box().hidden = true; };
  const start = () => {
    document.addEventListener("mouseover", show);
    document.addEventListener("focusin", show);
    document.addEventListener("focusout", hide);
    document.addEventListener("scroll", hide, true);
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  };
  return { start };
})();
