// All text of the document in one string, with the way back from any place in it to the node that holds it. Looking for
// text, or for the words of a name, is then one search however large the page is.

import {comparable, isApart, isUnread, ownText} from "./text.ts";
import {eachChild, isElement, lineageOf, parentOf} from "./tree.ts";
import {oncePerTurn} from "./turn.ts";

interface TextIndex {
  text: string;
  nodes: Node[];
  /** Where in `text` each of `nodes` begins. */
  starts: number[];
}

/** The innermost elements that hold each occurrence, in page order. `goal` is compared as `comparable` has it. */
export function holdersOf(goal: string, root: Document | Element): Element[] {
  const holders = new Set<Element>();
  if (goal === "") return [];
  const index = indexOf(root);
  for (let at = index.text.indexOf(goal); at >= 0; at = index.text.indexOf(goal, at + goal.length)) {
    const holder = commonHolder(nodeAt(index, at), nodeAt(index, at + goal.length - 1));
    if (holder !== null) holders.add(holder);
  }
  return [...holders];
}

const indexOf = oncePerTurn((root: Document | Element): TextIndex => {
  const nodes: Node[] = [];
  const starts: number[] = [];
  const pieces: string[] = [];
  let length = 0;
  let open = false;
  const add = (node: Node, raw: string) => {
    const folded = raw.toLowerCase().replace(/\s+/g, " ");
    const piece = open ? folded : folded.trimStart();
    if (piece === "") return;
    nodes.push(node);
    starts.push(length);
    pieces.push(piece);
    length += piece.length;
    open = !piece.endsWith(" ");
  };
  const part = (node: Node) => {
    if (open) add(node, " ");
  };
  const visit = (node: Node): void => {
    if (node.nodeType === 3) return add(node, node.nodeValue ?? "");
    if (!isElement(node) || isUnread(node)) return;
    const apart = isApart(node);
    if (apart) part(node);
    const own = ownText(node);
    if (own === null) eachChild(node, visit);
    else add(node, own);
    if (apart) part(node);
  };
  const top = isElement(root) ? root : root.body;
  if (top !== null) visit(top);
  return {text: pieces.join(""), nodes, starts};
});

function nodeAt({nodes, starts}: TextIndex, offset: number): Node | undefined {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return nodes[low];
}

function commonHolder(first: Node | undefined, last: Node | undefined): Element | null {
  if (first === undefined || last === undefined) return null;
  const start = isElement(first) ? first : parentOf(first);
  if (start === null || first === last) return start;
  const around = new Set(lineageOf(start));
  for (let at = isElement(last) ? last : parentOf(last); at !== null; at = parentOf(at))
    if (around.has(at)) return at;
  return null;
}
