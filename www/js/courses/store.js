// Work on assignments, kept in this browser's IndexedDB. Where that is forbidden it lives as long as the page.

const NAME = "promenade-courses";
const STORE = "work";

let database;
const memory = new Map();

function opened() {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another tab is in the way"));
  });
  return database;
}

const settled = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Whether the browser keeps what is put here. */
export let keeps = true;

/** Runs `work` with the store; without one, `instead`. */
async function withStore(mode, work, instead) {
  if (keeps) {
    try {
      const transaction = (await opened()).transaction(STORE, mode);
      return await work(transaction.objectStore(STORE));
    } catch (error) {
      if (error instanceof Conflict) throw error;
      console.info("work on assignments is not kept:", String(error));
      keeps = false;
    }
  }
  return instead();
}

/** Another tab has kept newer work on the same assignment. */
export class Conflict extends Error {}

/** All records, the latest first. */
export async function all() {
  const list = await withStore("readonly", (store) => settled(store.getAll()), () => [...memory.values()]);
  return list.sort((a, b) => b.changed - a.changed);
}

/** The record of an assignment, if there is one. */
export function get(key) {
  return withStore("readonly", (store) => settled(store.get(key)), () => memory.get(key));
}

/** Keeps a record; its revision tells tabs apart. Throws [`Conflict`] if there is a newer one. */
export async function put(record) {
  const next = structuredClone({ ...record, revision: (record.revision ?? 0) + 1, changed: Date.now() });
  await withStore("readwrite", async (store) => {
    const there = await settled(store.get(record.key));
    if (there && there.revision > (record.revision ?? 0)) throw new Conflict();
    await settled(store.put(next));
  }, () => memory.set(record.key, next));
  record.revision = next.revision;
  record.changed = next.changed;
}

/** Forgets a record. */
export function remove(key) {
  return withStore("readwrite", (store) => settled(store.delete(key)), () => memory.delete(key));
}

/** A value of an object whose keys come from texts of others: `constructor` is a name like any other. */
export const own = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);

/** A number that tells texts apart: FNV-1a (Fowler, Noll, Vo) twice, as hexadecimal digits. */
export function digest(text) {
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ (unit + i), 0x01000193);
  }
  return (a >>> 0).toString(16).padStart(8, "0") + (b >>> 0).toString(16).padStart(8, "0");
}
