// Elements in a few words, and files for the user.

/**
 * An element: `make("button.quiet", { type: "button", onclick }, "Text", other)`. Properties of the element are set as
 * such, all else as attributes; what is undefined, false or null is left out.
 */
export function make(kind, properties = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name in element && !name.startsWith("aria")) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

export const button = (text, onclick, properties = {}) => (
  make("button.quiet", { type: "button", onclick, ...properties }, text)
);

/** `1 point`, `3 points`. */
export const counted = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** Saves a text on the user's machine. */
export function save(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = make("a", { href: address, download: name });
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
