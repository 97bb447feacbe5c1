// Trunk's post_build hook: what has to be made of the finished files, in this order.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { writePolicy } from "./csp.mjs";
import { shortenImports } from "./imports.mjs";
import { nameByContent, scripts } from "./names.mjs";
import { writeServiceWorker } from "./offline.mjs";

const folder = process.env.TRUNK_STAGING_DIR;
if (!folder) throw new Error("run by Trunk, which sets TRUNK_STAGING_DIR");
const isRelease = process.env.TRUNK_PROFILE === "release";
for (const name of isRelease ? scripts(folder) : []) {
  const script = join(folder, name);
  shortenImports(script, script.replace(/\.js$/, "_bg.wasm"));
  const { code } = transformSync(readFileSync(script, "utf8"), { format: "esm", target: "es2022", minify: true });
  writeFileSync(script, code);
}
if (!isRelease) {
  // The page says that it is larger and slower than the published one.
  const page = join(folder, "index.html");
  writeFileSync(page, readFileSync(page, "utf8").replace("<html ", "<html data-build=\"development\" "));
}
nameByContent(folder);
writePolicy(folder);
writeServiceWorker(folder, isRelease);
