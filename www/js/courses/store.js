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

/** What was done, as it is kept: by it tabs tell whether another has changed more than this one knows. */
const workIn = ({ text, files, answers, fields }) => JSON.stringify([text, files, answers, fields]);

/** The work as this tab has last read or kept it, by keys. */
const known = new Map();

/** The record of an assignment, if there is one. */
export async function get(key) {
  const record = await withStore("readonly", (store) => settled(store.get(key)), () => memory.get(key));
  if (record) known.set(key, workIn(record));
  return record;
}

/** Keeps a record; its revision tells tabs apart. Throws [`Conflict`] if another tab has kept other work. */
export async function put(record) {
  const next = structuredClone({ ...record, revision: (record.revision ?? 0) + 1, changed: Date.now() });
  await withStore("readwrite", async (store) => {
    const there = await settled(store.get(record.key));
    if (there && there.revision > (record.revision ?? 0)) {
      if (workIn(there) !== known.get(record.key)) throw new Conflict();
      next.revision = there.revision + 1;
    }
    await settled(store.put(next));
  }, () => memory.set(record.key, next));
  known.set(record.key, workIn(next));
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
