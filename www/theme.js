// Applies the chosen theme before anything is shown, so that nothing flashes.
"use strict";
try {
  const theme = JSON.parse(localStorage.getItem("promenade.theme") ?? "null");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // No storage, or something strange in it: the system's theme it is.
}
