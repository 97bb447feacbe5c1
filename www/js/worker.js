// A worker of the checker: waits for the program that the page has compiled, and runs it.
//
// Sent anything else than a compiled program, or one that this browser cannot hand over, it loads the program by itself.
// After that it listens to requests (promenade-protocol) and says that it is ready.
import load, { initSync } from "./promenade-site.js";

function begin({ data }) {
  removeEventListener("message", begin);
  removeEventListener("messageerror", begin);
  if (data instanceof WebAssembly.Module) initSync({ module: data });
  else load({ module_or_path: new URL("./promenade-site_bg.wasm", import.meta.url) }).catch(reportError);
}
addEventListener("message", begin);
addEventListener("messageerror", begin);
