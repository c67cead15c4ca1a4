// What was read from the document stays true until the page runs again, so it is remembered for one turn: one call,
// or one stretch of it between two things the engine itself does to the page.

const forgetters: (() => void)[] = [];

/** The page may have changed: everything remembered is read afresh. */
export function newTurn(): void {
  for (const forget of forgetters) forget();
}

/** A function of an object, computed once a turn for each. */
export function oncePerTurn<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  let known = new Map<Key, Value>();
  forgetters.push(() => {
    if (known.size > 0) known = new Map();
  });
  return (key) => {
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as Value;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}
