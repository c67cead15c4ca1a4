// The outline: what a person could see and do in the document, a line each, in the order of the page, within a budget.
// Elements that say nothing are passed through; what will not fit is counted, not rendered.
import {attr, has} from "./attributes.ts";
import {referenced} from "./author-name.ts";
import type {Outcome, Outline, OutlineLine, OutlineRequest} from "./contract.ts";
import {isActionable, isControl} from "./control.ts";
import {shownName, shownRole} from "./facts.ts";
import {foldsOf} from "./folding.ts";
import {isReachable} from "./kind.ts";
import {hiddenControlOf, lineOf, optionsLine} from "./line.ts";
import {locate} from "./locate.ts";
import {factsOf, refOf} from "./refs.ts";
import {roleOf} from "./role.ts";
import {isCellRole, isFlatRole, isHolderRole, isNamedByContent, isSilentRole} from "./roles.ts";
import {isInput, isLabel, isSelect, isTextArea} from "./tags.ts";
import {clip, fold, textOf} from "./text.ts";
import {activeElement, childrenOf, isElement, isHtml, selectIn} from "./tree.ts";
import {boxOf, clips, inViewport, isVisible, styleOf} from "./visible.ts";

export function outline(request: OutlineRequest): Outcome<Outline> {
  const located = request.within === undefined ? null : locate(request.within);
  if (located?.failed !== undefined) return located;
  const root = located?.element ?? document.body ?? document.documentElement;
  if (root === null) return {lines: [], refs: 0, complete: true, omitted: 0, focused: null};
  const total = countIn(root);
  // Folding long lists leaves room for the rest of the page; a page that fits is shown as it is.
  const whole = total * shortestLine > request.maxChars ? null : write(root, request, false);
  const written = whole === null || whole.cut ? write(root, request, true) : whole;
  const active = activeElement();
  return {
    lines: written.lines,
    refs: written.refs,
    complete: !written.cut,
    omitted: written.cut ? Math.max(1, total - written.written) : 0,
    focused: active === null ? null : factsOf(active),
  };
}

/** Characters that an element worth a line takes at the least. */
const shortestLine = 12;

interface Page {
  lines: OutlineLine[];
  refs: number;
  /** Elements that have been written. */
  written: number;
  /** Something was left out. */
  cut: boolean;
  chars: number;
  full: boolean;
  request: OutlineRequest;
  root: Element;
  folding: boolean;
  /** Elements that aria-owns moves elsewhere. */
  owned: Set<Element>;
  /** Text not yet written, and where it belongs. */
  text: string;
  textDepth: number;
}

/** What is around: whether text counts, or is said already by the name of something outside. */
interface Around {
  depth: number;
  spoken: boolean;
}

function write(root: Element, request: OutlineRequest, folding: boolean): Page {
  const owned = new Set(
    Array.from(document.querySelectorAll("[aria-owns]")).flatMap((owner) => referenced(owner, "aria-owns")),
  );
  const page: Page = {
    lines: [],
    refs: 0,
    written: 0,
    cut: false,
    chars: 0,
    full: false,
    request,
    root,
    folding,
    owned,
    text: "",
    textDepth: 0,
  };
  visit(page, root, {depth: 0, spoken: false});
  flush(page);
  return page;
}

function visit(page: Page, element: Element, around: Around): void {
  if (page.full || attr(element, "aria-hidden") === "true") return;
  const style = styleOf(element);
  const hasBox = element.checkVisibility();
  if (!hasBox && style.display !== "contents") return;
  if (hasBox && clips(style) && isEmptyBox(element) && style.position !== "fixed") return;
  const hidden = hasBox && style.visibility !== "visible";
  const apart = hasBox && !hidden && style.display !== "inline";
  if (apart) flush(page);
  if (hidden) visitChildren(page, element, around);
  else visitShown(page, element, around);
  if (apart) flush(page);
}

function visitShown(page: Page, element: Element, around: Around): void {
  const role = shownRole(element);
  if (isLabel(element) && element.control !== null) return visitLabel(page, element, around);
  if (!isHtml(element) && element.localName !== "svg" && !isActionable(element) && role !== "img") {
    return visitChildren(page, element, around);
  }
  if (element.localName === "br") page.text += " ";
  if (!hasLine(page, element, role, around))
    return visitChildren(page, element, isNameOfParent(element) ? {...around, spoken: true} : around);
  flush(page);
  writeElement(page, element, role, around);
}

function writeElement(page: Page, element: Element, role: string, around: Around): void {
  const named = isShownByName(element, role);
  const {text, ref} = lineOf(element, named);
  const at = page.lines.length;
  const frame = role === "iframe" && ref !== null ? {frameRef: ref} : {};
  if (!add(page, {depth: around.depth, text, ...frame})) return;
  page.written += 1;
  if (ref !== null) page.refs += 1;
  const depth = page.request.mode === "interactive" ? 0 : around.depth + 1;
  const options = page.request.mode === "outline" ? optionsLine(element) : null;
  if (options !== null) add(page, {depth, text: options});
  if (!isLeaf(element, role))
    visitChildren(page, element, {
      depth,
      spoken:
        around.spoken || (named && (isControl(element) || isNamedByContent(role) || role === "clickable")),
    });
  flush(page);
  tidy(page, at, element, role);
}

/** A label is said by its control; what else it holds is shown. */
function visitLabel(page: Page, label: HTMLLabelElement, around: Around): void {
  const control = hiddenControlOf(label, isVisible);
  if (control !== null && !(page.request.viewport && !isInView(label))) {
    flush(page);
    writeElement(page, control, shownRole(control), around);
    return;
  }
  visitChildren(
    page,
    label,
    label.control !== null && isVisible(label.control) ? {...around, spoken: true} : around,
  );
}

function visitChildren(page: Page, element: Element, around: Around): void {
  if (element instanceof HTMLDetailsElement && !element.open) return visitSummary(page, element, around);
  const children = childrenOf(element);
  const folds =
    page.folding && element !== page.root && page.request.mode === "outline" ? foldsOf(children) : null;
  for (let index = 0; index < children.length; index++) {
    const child = children[index];
    const fold = folds?.get(index);
    if (fold !== undefined) {
      writeFold(page, element, fold.count, fold.what, around);
      index = fold.last;
    } else if (child?.nodeType === 3) addText(page, child, element, around);
    else if (isElement(child) && !page.owned.has(child)) visit(page, child, around);
  }
  if (page.owned.size === 0) return;
  for (const owned of referenced(element, "aria-owns")) if (owned !== element) visit(page, owned, around);
}

/** A closed details element shows its summary; its text has no element that could be asked. */
function visitSummary(page: Page, details: HTMLDetailsElement, around: Around): void {
  for (const child of details.children) if (child.localName === "summary") return visit(page, child, around);
}

function writeFold(page: Page, container: Element, count: number, what: string, around: Around): void {
  flush(page);
  page.cut = true;
  const ref = refOf(container);
  page.refs += 1;
  add(page, {depth: around.depth, text: `… ${count} more ${what} [within ref=${ref}]`});
}

function hasLine(page: Page, element: Element, role: string, around: Around): boolean {
  const actionable = isActionable(element);
  if (actionable && !isReachable(element)) return false;
  if (page.request.viewport && !isInView(element) && (actionable || !hasShownChildren(element))) return false;
  if (actionable) return true;
  if (page.request.mode === "interactive") return role === "iframe";
  if (isSilentRole(role)) return false;
  // Inside something that is named by its content only what can be acted on is worth a line.
  if (around.spoken) return role === "iframe";
  if (role === "img" || role === "figure") return shownName(element) !== "";
  if (role === "group" && shownName(element) === "") return false;
  if (isCellRole(role)) return isPlain(element);
  return true;
}

const hasShownChildren = (element: Element): boolean => element.childElementCount > 0;

/** Nothing but text inside, so that one line says it all. */
const isPlain = (element: Element): boolean =>
  element.querySelector(
    "a,button,input,select,textarea,iframe,img,ul,ol,table,[role],[tabindex],[onclick],[contenteditable]",
  ) === null;

/** Whether the line shows the name. Rows and large clickable things are told by what is in them. */
function isShownByName(element: Element, role: string): boolean {
  if (role === "row" || role === "listitem")
    return has(element, "aria-label") || has(element, "aria-labelledby");
  if (role !== "clickable") return true;
  return (
    textOf(element, {limit: 81}).length <= 80 &&
    (isPlain(element) || shownName(element) !== "") &&
    element.querySelector("a,button,input,select,textarea,h1,h2,h3,h4,h5,h6") === null
  );
}

const isNameOfParent = (element: Element): boolean =>
  element.localName === "legend" || element.localName === "figcaption" || element.localName === "caption";

function isLeaf(element: Element, role: string): boolean {
  if (isInput(element) || isSelect(element) || isTextArea(element)) return true;
  // An editor's text is its value; a control inside of it is still shown.
  return role === "iframe" || role === "img" || (isFlatRole(role) && element.childElementCount === 0);
}

function addText(page: Page, node: Node, parent: Element, around: Around): void {
  if (around.spoken || page.request.mode === "interactive" || page.full) return;
  const text = node.nodeValue ?? "";
  if (text.trim() === "") {
    if (page.text !== "" && text !== "") page.text += " ";
    return;
  }
  if (page.request.viewport && !isInView(parent)) return;
  if (
    styleOf(parent).visibility !== "visible" ||
    roleOf(parent) === "textbox" ||
    (!isHtml(parent) && !isVisible(parent))
  )
    return;
  page.text += text;
  page.textDepth = around.depth;
}

const textLength = 600;

function flush(page: Page): void {
  if (page.text === "") return;
  const text = fold(page.text);
  page.text = "";
  if (text === "") return;
  const shown =
    text.length > textLength
      ? `${clip(text, textLength)} (${text.length - textLength} characters more)`
      : text;
  add(page, {depth: page.textDepth, text: `text: ${shown}`});
}

function add(page: Page, line: OutlineLine): boolean {
  const size = line.depth * 2 + line.text.length + 3;
  if (page.full || page.chars + size > page.request.maxChars) {
    page.full = true;
    page.cut = true;
    return false;
  }
  page.chars += size;
  page.lines.push(line);
  return true;
}

/** A container of one text takes it onto its own line; a list item of one thing gives way to it. */
function tidy(page: Page, at: number, element: Element, role: string): void {
  const own = page.lines[at];
  const only = page.lines[at + 1];
  if (own === undefined) return;
  if (only === undefined) {
    if (isEmptyContainer(element, role)) drop(page, at, own);
    return;
  }
  if (page.lines.length !== at + 2) return;
  if (only.text.startsWith("text: ") && !own.text.includes("]: ")) {
    page.lines.splice(at, 2, {...own, text: `${own.text}: ${only.text.slice(6)}`});
  } else if (role === "listitem" && !isActionable(element) && only.text.includes("[ref=")) {
    page.lines.splice(at, 2, {...only, depth: own.depth});
    page.refs -= 1;
  }
}

const isEmptyContainer = (element: Element, role: string): boolean =>
  isHolderRole(role) && !isActionable(element) && shownName(element) === "";

function drop(page: Page, at: number, line: OutlineLine): void {
  page.lines.length = at;
  page.chars -= line.depth * 2 + line.text.length + 3;
  if (line.text.includes("[ref=")) page.refs -= 1;
}

function isEmptyBox(element: Element): boolean {
  const {width, height} = element.getBoundingClientRect();
  return (width === 0 || height === 0) && element.localName !== "input";
}

const isInView = (element: Element): boolean => {
  const box = boxOf(element);
  return box !== null && inViewport(box);
};

const countable =
  "a[href],button,input,select,textarea,summary,h1,h2,h3,h4,h5,h6,li,tr,iframe,[role],[tabindex],[onclick]";

/** How many elements worth a line there are, a count, not a rendering, so that it costs little. */
function countIn(root: Element): number {
  let count = 0;
  for (const element of selectIn(root, countable)) if (element.checkVisibility()) count++;
  return count;
}
