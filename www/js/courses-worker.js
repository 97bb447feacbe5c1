// The worker for courses: waits for the program that the page has compiled, and runs it.
//
// After that it listens to requests (promenade-protocol, CourseRequest) and says that it is ready.
import load, { initSync } from "./promenade-courses.js";

function begin({ data }) {
  removeEventListener("message", begin);
  removeEventListener("messageerror", begin);
  if (data instanceof WebAssembly.Module) initSync({ module: data });
  else load({ module_or_path: new URL("./promenade-courses_bg.wasm", import.meta.url) }).catch(reportError);
}
addEventListener("message", begin);
addEventListener("messageerror", begin);
