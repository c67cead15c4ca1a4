// Long runs of elements of one kind, of which an outline shows the first and the last few.
import {attr} from "./attributes.ts";
import {isElement} from "./tree.ts";

export interface Fold {
  /** Index of the last child that is left out. */
  last: number;
  count: number;
  /** What they are, in the plural of tag or role: "li", "row". */
  what: string;
}

const longRun = 24;
const shownFirst = 10;
/** The end of a list is often what matters: the newest message, the total. */
const shownLast = 3;

/** Where to fold, by the index of the first child that is left out; null when nothing is long enough. */
export function foldsOf(children: ArrayLike<Node>): Map<number, Fold> | null {
  if (children.length < longRun) return null;
  const folds = new Map<number, Fold>();
  let run: number[] = [];
  let kind = "";
  const close = () => {
    const first = run[shownFirst];
    const last = run[run.length - 1 - shownLast];
    if (run.length >= longRun && first !== undefined && last !== undefined) {
      folds.set(first, {last, count: run.length - shownFirst - shownLast, what: kind});
    }
    run = [];
  };
  for (let index = 0; index < children.length; index++) {
    const child = children[index];
    if (!isElement(child)) continue;
    const next = attr(child, "role") ?? child.localName;
    if (next !== kind) close();
    kind = next;
    run.push(index);
  }
  close();
  return folds.size > 0 ? folds : null;
}
