// The tree as it is shown: shadow roots in place of their hosts' children, slotted nodes in place of their slots.
// Closed roots are not to be had from here; the worker fetches them and they are adopted.
import {oncePerTurn} from "./turn.ts";

let adopted: WeakMap<Element, ShadowRoot> | null = null;

/** Makes a closed shadow root known to the engine, as if it were open. */
export function adoptRoot(root: ShadowRoot): void {
  adopted ??= new WeakMap();
  adopted.set(root.host, root);
}

export const shadowRootOf = (element: Element): ShadowRoot | null =>
  element.shadowRoot ?? adopted?.get(element) ?? null;

export const isElement = (node: unknown): node is Element =>
  typeof node === "object" && node !== null && (node as Node).nodeType === 1;

export const isHtml = (element: Element): element is HTMLElement =>
  element.namespaceURI === "http://www.w3.org/1999/xhtml";

/** Calls for each node shown inside an element, in order. */
export function eachChild(element: Element, visit: (child: Node) => void): void {
  const assigned =
    element.localName === "slot" && element instanceof HTMLSlotElement ? element.assignedNodes() : [];
  if (assigned.length > 0) {
    for (const child of assigned) visit(child);
    return;
  }
  const root = shadowRootOf(element) ?? element;
  for (let child = root.firstChild; child !== null; child = child.nextSibling) visit(child);
}

/** The same as a list. */
export function childrenOf(element: Element): Node[] {
  const children: Node[] = [];
  eachChild(element, (child) => children.push(child));
  return children;
}

/** The element that a node is shown in; null at the top. */
export function parentOf(node: Node): Element | null {
  const slot = isElement(node) || node.nodeType === 3 ? (node as Element | Text).assignedSlot : null;
  if (slot !== null) return slot;
  const parent = node.parentNode;
  if (parent === null) return null;
  if (isElement(parent)) return parent;
  return parent instanceof ShadowRoot ? parent.host : null;
}

/** The element itself and everything it is shown in, innermost first. */
export function* lineageOf(element: Element): Generator<Element> {
  for (let at: Element | null = element; at !== null; at = parentOf(at)) yield at;
}

export function holds(outer: Element, inner: Element): boolean {
  // A slotted element is shown in its slot and belongs to its host: either way counts as inside.
  if (outer === inner || outer.contains(inner)) return true;
  for (const at of lineageOf(inner)) if (at === outer) return true;
  return false;
}

/** The nearest element, itself included, that a selector matches, across shadow boundaries. */
export function closest(element: Element, selector: string): Element | null {
  let at: Element | null = element;
  while (at !== null) {
    const found: Element | null = at.closest(selector);
    if (found !== null) return found;
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return null;
}

/** Every element of the document, shadow trees included, in order. */
const everyElement = oncePerTurn((root: Document | ShadowRoot | Element): Element[] => {
  const all: Element[] = [];
  gather(root, all);
  return all;
});

export function elementsIn(root: Document | Element): Element[] {
  return everyElement(root);
}

/** The document, or an element, and every shadow root in it. */
export const rootsIn = oncePerTurn((root: Document | Element): (Document | ShadowRoot | Element)[] => {
  const roots: (Document | ShadowRoot | Element)[] = [root];
  const own = isElement(root) ? shadowRootOf(root) : null;
  if (own !== null) roots.push(own);
  for (const element of elementsIn(root)) {
    const shadow = shadowRootOf(element);
    if (shadow !== null && shadow !== own) roots.push(shadow);
  }
  return roots;
});

/** All that a selector matches, shadow trees included, in page order. */
export function selectIn(root: Document | Element, selector: string): Element[] {
  const roots = rootsIn(root);
  const found = roots.flatMap((at) => Array.from(at.querySelectorAll(selector)));
  return roots.length > 1 ? inOrder(found, root) : found;
}

/** In page order, each once. */
export function inOrder(elements: Iterable<Element>, root: Document | Element): Element[] {
  const wanted = new Set(elements);
  return wanted.size < 2 ? [...wanted] : elementsIn(root).filter((element) => wanted.has(element));
}

/** The element with the focus, down through shadow roots; null when nothing but the body has it. */
export function activeElement(): Element | null {
  let active = document.activeElement;
  while (active !== null) {
    const inner: Element | null = shadowRootOf(active)?.activeElement ?? null;
    if (inner === null) break;
    active = inner;
  }
  return active === document.body || active === document.documentElement ? null : active;
}

/** The topmost element at a point of the viewport, down through shadow roots. */
export function elementAt(
  x: number,
  y: number,
  from: Element | null = document.elementFromPoint(x, y),
): Element | null {
  let at = from;
  while (at !== null) {
    const root = shadowRootOf(at);
    const inner: Element | null = root?.elementFromPoint(x, y) ?? null;
    if (inner === null || inner === at || inner.getRootNode() !== root) return at;
    at = inner;
  }
  return at;
}

function gather(root: Document | ShadowRoot | Element, all: Element[]): void {
  const own = isElement(root) ? shadowRootOf(root) : null;
  if (own !== null) gather(own, all);
  const elements = root.querySelectorAll("*");
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index];
    if (element === undefined) continue;
    all.push(element);
    const shadow = shadowRootOf(element);
    if (shadow !== null) gather(shadow, all);
  }
}
