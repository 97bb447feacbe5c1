// Trunk's post_build hook: what has to be made of the finished files, in this order.
import { writePolicy } from "./csp.mjs";
import { writeServiceWorker } from "./offline.mjs";

const folder = process.env.TRUNK_STAGING_DIR;
if (!folder) throw new Error("run by Trunk, which sets TRUNK_STAGING_DIR");
writePolicy(folder);
writeServiceWorker(folder, process.env.TRUNK_PROFILE === "release");
