// Trunk's pre_build hook: bundles editor.js with its packages, and the styles, into www/js/bundle.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

await build({
  entryPoints: { editor: join(here, "editor.js"), page: join(here, "../css/page.css") },
  outdir: join(here, "bundle"),
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "eof",
  logLevel: "warning",
});
