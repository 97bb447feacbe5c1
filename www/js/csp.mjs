// The Content-Security-Policy of the built page: Trunk's start script is inline, so the policy names its hash.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Replaces the word 'inline-hashes' in index.html's policy by the hashes of its inline scripts. */
export function writePolicy(folder) {
  const file = join(folder, "index.html");
  const html = readFileSync(file, "utf8");
  if (!html.includes("'inline-hashes'")) {
    throw new Error("www/index.html has no Content-Security-Policy with the word 'inline-hashes'");
  }
  const hashes = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)]
    .map(([, script]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  writeFileSync(file, html.replace("'inline-hashes'", hashes.join(" ")));
}
