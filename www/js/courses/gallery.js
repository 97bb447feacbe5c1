// The assignments in the gallery: those that ship with the page, and those that were begun in this browser.
import { button, counted, make, save } from "./dom.js";
import { all } from "./store.js";

/** Names, titles and so on of the assignments that ship; the build writes them here. */
const SHIPPED = COURSES_SHIPPED;

function shipped(desk) {
  const item = ({ name, title, about, tasks, points }) => make("li", {},
    make("button.model", { type: "button", "data-model": `assignment-${name}`, onclick: () => desk.hear("shipped", name) },
      make("span.model-title", {}, title),
      make("span.model-level", {}, `${counted(tasks, "task")}, ${counted(points, "point")}`),
      make("span.model-lesson", {}, about)));
  const write = make("li", {}, make("button.model", { type: "button", "data-model": "assignment-new", onclick: () => desk.hear("write") },
    make("span.model-title", {}, "Write an assignment"),
    make("span.model-lesson", {}, "For teachers: the text on the left, what students see of it on the right, with a dry run, mutants, and editions for students.")));
  return make("section.topic", {}, make("h3", {}, "Assignments"), make("ul.models", {}, SHIPPED.map(item), write));
}

async function begun(desk, again) {
  const records = await all();
  const item = (record) => {
    const solved = Object.values(record.results).filter((it) => it.status === "passed").length;
    const when = new Date(record.changed).toLocaleString();
    return make("li.course-begun", {},
      make("button.model", { type: "button", "data-course": record.key, onclick: () => { desk.call("close"); desk.hear("resume", record.key); } },
        make("span.model-title", {}, record.title),
        make("span.model-level", {}, record.written ? "text" : `${counted(solved, "task")} solved`),
        make("span.model-lesson", {}, `Last changed ${when}`)),
      make("p.course-actions", {},
        button("Save as a file", () => (record.written ? save("assignment.md", record.text, "text/markdown") : save(`${record.id}.progress.json`, desk.export(record), "application/json")), { "aria-label": `Save your work on ${record.title} as a file` }),
        button("Delete", async () => {
          if (!confirm(`Delete your work on “${record.title}” from this browser?`)) return;
          await desk.forget(record.key);
          again();
        }, { "aria-label": `Delete your work on ${record.title}` })));
  };
  if (records.length === 0) return null;
  return make("section.topic", {}, make("h3", {}, "Assignments that you began, in this browser"), make("ul.models", {}, records.map(item)));
}

/** Fills a part of the gallery; what does not fit the gallery's filter is hidden. */
export async function gallery(desk, host) {
  const field = host.parentElement?.querySelector(".filter");
  const fill = async () => {
    host.replaceChildren(...[await begun(desk, fill), shipped(desk)].filter(Boolean));
    filter();
  };
  const filter = () => {
    const words = (field?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    for (const section of host.children) {
      for (const item of section.querySelectorAll("li")) item.hidden = !words.every((word) => item.textContent.toLowerCase().includes(word));
      section.hidden = [...section.querySelectorAll("li")].every((item) => item.hidden);
    }
  };
  field?.addEventListener("input", filter);
  await fill();
}
