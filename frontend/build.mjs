// Builds the one script and the one style sheet that the package ships: `npm ci && npm run build`.
import { build } from "esbuild";
import { mkdir } from "node:fs/promises";

const out = process.argv[2] ?? "../src/itemcurve/dashboard/assets";
await mkdir(out, { recursive: true });
const shared = { bundle: true, minify: true, charset: "utf8", legalComments: "none", logLevel: "warning" };
await build({
  ...shared,
  entryPoints: ["src/main.tsx"],
  outfile: `${out}/dashboard.js`,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  // Inside a page, the end of a script must not be read before its end; esbuild escapes it.
  supported: { "inline-script": false },
});
await build({ ...shared, entryPoints: ["style/main.css"], outfile: `${out}/dashboard.css`, target: "es2022" });
