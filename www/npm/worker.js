// The worker's module: loads the checker, which then says that it is ready and answers requests.
import init from "./promenade-worker.js";

await init();
