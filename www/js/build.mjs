// Trunk's pre_build hook: bundles the scripts with their packages, and the styles, into www/js/bundle.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { shippedAssignments } from "./assignments.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const bundle = join(here, "bundle");
const common = {
  outdir: bundle,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "eof",
  logLevel: "warning",
};

await build({ ...common, entryPoints: { editor: join(here, "editor.js"), page: join(here, "../css/page.css") } });

const { texts, list } = shippedAssignments(join(here, "../../tests/suite/assignments"));
await build({
  ...common,
  entryPoints: { courses: join(here, "courses/main.js") },
  // Its styles are part of the script, which adopts them.
  loader: { ".css": "text" },
  define: { COURSES_SHIPPED: JSON.stringify(list) },
});
writeFileSync(join(bundle, "assignments.json"), JSON.stringify(texts));
