// What the worker remembers across its own deaths: chrome.storage.session, one key a record, because writing one
// small record takes 0.2 ms and one value that holds them all takes several times that.

/** Every record under a prefix, keyed by what follows it. */
export async function recall<Value>(prefix: string): Promise<Map<string, Value>> {
  const all = await chrome.storage.session.get();
  const records = new Map<string, Value>();
  for (const [key, value] of Object.entries(all)) {
    // Parsed boundary: only this module writes these keys.
    if (key.startsWith(prefix)) records.set(key.slice(prefix.length), value as Value);
  }
  return records;
}

export const remember = (key: string, value: unknown): Promise<void> =>
  chrome.storage.session.set({[key]: value});

export const forget = (...keys: string[]): Promise<void> => chrome.storage.session.remove(keys);

/** Survives the browser's restart too: the tab counter, the pairing, the person's stop. */
export async function recallForever<Value>(key: string): Promise<Value | undefined> {
  const found = await chrome.storage.local.get(key);
  return found[key] as Value | undefined;
}

export const rememberForever = (key: string, value: unknown): Promise<void> =>
  chrome.storage.local.set({[key]: value});
