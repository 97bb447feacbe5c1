// Bundles editor.js with its packages into the page's crate, from where wasm-bindgen takes it.
// The bundle is written only when it changed, because cargo rebuilds the page when it is newer.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, "editor.js");
const bundle = join(here, "../../crates/page/js/editor.js");

if (existsSync(source)) {
  const result = await build({
    entryPoints: [source],
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "eof",
    write: false,
    logLevel: "warning",
  });
  const text = result.outputFiles[0].text;
  if (!existsSync(bundle) || readFileSync(bundle, "utf8") !== text) {
    mkdirSync(dirname(bundle), { recursive: true });
    writeFileSync(bundle, text);
  }
}
