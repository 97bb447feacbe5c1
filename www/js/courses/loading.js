// How far the program for assignments is loaded, at the edge of the page.
import { make } from "./dom.js";

const mib = (bytes) => (bytes / 1e6).toFixed(1);

export class Loading {
  /** Shows bytes of so many; without them it goes away. */
  show(bytes, of) {
    if (bytes === undefined) {
      this.box?.remove();
      this.box = undefined;
      return;
    }
    if (!this.box) {
      this.bar = make("progress", { "aria-label": "Loading the program for assignments" });
      this.text = make("span");
      this.box = make("div.course-loading", {}, make("span", { role: "status" }, "Loading the program for assignments"), this.bar, this.text);
      document.body.append(this.box);
    }
    this.bar.max = of;
    this.bar.value = bytes;
    this.text.textContent = `${mib(bytes)} of ${mib(of)} MB`;
  }
}
