// The accessible name of an element (accname 1.2, HTML-AAM), as Chrome computes it.
import {referenced} from "./author-name.ts";
import {isEditableRoot, isInside, roleOf} from "./role.ts";
import {isSecret} from "./secret.ts";
import {fold, textOf} from "./text.ts";
import {closest, eachChild, isElement, isHtml} from "./tree.ts";
import {oncePerTurn} from "./turn.ts";
import {styleOf} from "./visible.ts";

export const nameOf = oncePerTurn((element: Element): string =>
  fold(nameWithin(element, {seen: new Set(), referenced: false, content: false, hiddenToo: isHiddenFromName(element)})),
);

interface Traversal {
  seen: Set<Element>;
  /** Inside the text that aria-labelledby points to: it is not followed a second time. */
  referenced: boolean;
  /** Collecting the content of something else, so that every role gives its content. */
  content: boolean;
  /** A hidden element that is named on purpose speaks with its hidden content. */
  hiddenToo: boolean;
}

function nameWithin(element: Element, at: Traversal): string {
  if (at.seen.has(element)) return "";
  if (!at.hiddenToo && isHiddenHere(element)) return "";

  if (!at.referenced) {
    const labels = referenced(element, "aria-labelledby");
    if (labels.length > 0) {
      const text = labels
        .map((label) => nameWithin(label, {seen: new Set(), referenced: true, content: true, hiddenToo: isHiddenFromName(label)}))
        .join(" ");
      if (text.trim() !== "") return text;
    }
  }

  at.seen.add(element);
  const role = roleOf(element);
  if (at.content) {
    const value = embeddedValue(element, role, at);
    if (value !== null) return value;
  }

  const label = (element.getAttribute("aria-label") ?? "").trim();
  if (label !== "") return label;

  if (role !== "none" || !at.content) {
    const native = nativeName(element, role, at);
    if (native !== null && native.trim() !== "") return native;
  }

  if (at.content || namedByContent.has(role) || (role === "row" && isInside(element, grids))) {
    const content = contentOf(element, at);
    if (content.trim() !== "") return content;
  }
  if (role === "none" || (at.content && role === "generic" && !element.hasAttribute("title"))) return "";
  return element.getAttribute("title") ?? foreignTitle(element) ?? "";
}

/** Roles whose content is their name. */
export const namedByContent = new Set(
  ("button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio " +
    "rowheader switch tab tooltip treeitem").split(" "),
);

/** Only the rows of a grid, which one can select, are named by what is in them. */
const grids = "[role=grid],[role=treegrid]";

/** A control inside a name gives its value: "Remind me [10] minutes before". */
function embeddedValue(element: Element, role: string, at: Traversal): string | null {
  if (at.seen.size <= 1) return null;
  switch (role) {
    case "textbox":
    case "searchbox":
      if (isSecret(element)) return "";
      if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element.value;
      return isEditableRoot(element) ? contentOf(element, at) : textOf(element);
    case "combobox":
    case "listbox":
      if (element instanceof HTMLInputElement) return isSecret(element) ? "" : element.value;
      return chosenOption(element, at);
    case "slider":
    case "spinbutton":
    case "scrollbar":
    case "progressbar":
    case "meter":
      if (element instanceof HTMLInputElement) return element.value;
      return element.getAttribute("aria-valuetext") ?? element.getAttribute("aria-valuenow") ?? "";
    default:
      return null;
  }
}

function chosenOption(element: Element, at: Traversal): string | null {
  if (element instanceof HTMLSelectElement) {
    return Array.from(element.selectedOptions, (option) => option.label).join(" ");
  }
  const chosen = Array.from(element.querySelectorAll('[role="option"][aria-selected="true"]'));
  return chosen.length === 0 ? null : chosen.map((option) => contentOf(option, at)).join(" ");
}

/** What the tag itself offers as a name. Null: nothing; the content and the title come next. */
function nativeName(element: Element, role: string, at: Traversal): string | null {
  if (!isHtml(element)) return element.localName === "svg" ? foreignTitle(element) : null;
  switch (element.localName) {
    case "input":
    case "select":
    case "textarea":
    case "button":
    case "meter":
    case "output":
    case "progress":
      return controlName(element, at);
    case "img":
    case "area":
      return element.getAttribute("alt");
    case "fieldset":
      return firstChildName(element, "legend", at);
    case "table":
      return firstChildName(element, "caption", at) ?? element.getAttribute("summary");
    case "optgroup":
      return element.getAttribute("label");
    case "option":
      return element.getAttribute("label");
    default:
      return null;
  }
}

function controlName(element: Element, at: Traversal): string | null {
  const input = element instanceof HTMLInputElement ? element : null;
  const labelled = labelsOf(element)
    .map((label) => nameWithin(label, {seen: new Set([element, ...at.seen]), referenced: at.referenced, content: true, hiddenToo: at.hiddenToo}))
    .join(" ");
  if (labelled.trim() !== "") return labelled;
  if (input === null) {
    return element.localName === "textarea" ? (element.getAttribute("title") ?? placeholderOf(element)) : null;
  }
  switch (input.type) {
    case "submit":
      return input.getAttribute("value") ?? input.getAttribute("title") ?? "Submit";
    case "reset":
      return input.getAttribute("value") ?? input.getAttribute("title") ?? "Reset";
    case "button":
      return input.getAttribute("value");
    case "image":
      return input.getAttribute("alt") || input.getAttribute("value") || input.getAttribute("title") || "Submit";
    case "file":
      return input.getAttribute("title") || (input.multiple ? "Choose Files" : "Choose File");
    default:
      return input.getAttribute("title") || placeholderOf(input);
  }
}

export const labelsOf = (element: Element): HTMLLabelElement[] => {
  const labels = (element as HTMLInputElement).labels;
  return labels === undefined || labels === null ? [] : Array.from(labels);
};

const placeholderOf = (element: Element): string | null =>
  element.getAttribute("placeholder") ?? element.getAttribute("aria-placeholder");

function firstChildName(element: Element, tag: string, at: Traversal): string | null {
  for (const child of element.children) {
    if (child.localName === tag) return nameWithin(child, {...at, content: true});
  }
  return null;
}

function foreignTitle(element: Element): string | null {
  if (isHtml(element)) return null;
  for (const child of element.children) if (child.localName === "title") return child.textContent;
  return null;
}

/** The text of everything inside, with what style sheets put before and after, and elements moved here by aria-owns. */
function contentOf(element: Element, at: Traversal): string {
  let text = pseudoText(element, "::before");
  // A branch of a tree is named by itself, not by its leaves.
  const branches = roleOf(element) === "treeitem";
  const add = (node: Node): void => {
    if (node.nodeType === 3) text += node.nodeValue ?? "";
    if (!isElement(node) || (branches && roleOf(node) === "group")) return;
    const part = nameWithin(node, {...at, content: true});
    text += standsApart(node) ? ` ${part} ` : part;
  };
  eachChild(element, add);
  for (const owned of referenced(element, "aria-owns")) {
    text += " ";
    add(owned);
  }
  return text + pseudoText(element, "::after");
}

const standsApart = (element: Element): boolean => {
  if (element.localName === "br") return true;
  const {display} = styleOf(element);
  return display !== "inline" && display !== "contents";
};

function pseudoText(element: Element, which: "::before" | "::after"): string {
  const style = getComputedStyle(element, which);
  const {content} = style;
  if (content === "none" || content === "normal" || content === "") return "";
  // `"shown" / "read out"`: what is read out counts.
  const instead = content.includes(" / ");
  const spoken = instead ? content.slice(content.lastIndexOf(" / ") + 3) : content;
  let text = "";
  for (const [, quoted, attribute] of spoken.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)/g)) {
    text += attribute === undefined ? (quoted ?? "").replace(/\\(.)/g, "$1") : (element.getAttribute(attribute) ?? "");
  }
  return (style.display === "inline" && !instead) || text === "" ? text : ` ${text} `;
}

/** Hidden where it stands: by itself or by anything around it. */
const isHiddenFromName = (element: Element): boolean =>
  isHiddenHere(element) || closest(element, "[aria-hidden=true]") !== null || (!isContents(element) && !element.checkVisibility());

/** Hidden by itself, within something that is not. */
function isHiddenHere(element: Element): boolean {
  if (element.getAttribute("aria-hidden") === "true" || unspoken.has(element.localName)) return true;
  const style = styleOf(element);
  return style.display === "none" || (style.visibility !== "visible" && style.display !== "contents");
}

const isContents = (element: Element): boolean => styleOf(element).display === "contents";

const unspoken = new Set(["script", "style", "template", "noscript"]);
