// The accessible name of an element (accname 1.2, HTML-AAM), as Chrome computes it.
import {attr, has} from "./attributes.ts";
import {referenced} from "./author-name.ts";
import {isEditableRoot, isInside, roleOf} from "./role.ts";
import {isNamedByContent} from "./roles.ts";
import {isSecret} from "./secret.ts";
import {isInput, isSelect, isTextArea} from "./tags.ts";
import {fold, isUnread, textOf} from "./text.ts";
import {closest, eachChild, isElement, isHtml} from "./tree.ts";
import {oncePerTurn} from "./turn.ts";
import {styleOf} from "./visible.ts";

export const nameOf = oncePerTurn((element: Element): string =>
  fold(
    nameWithin(element, {
      seen: new Set(),
      referenced: false,
      content: false,
      hiddenToo: isHiddenFromName(element),
    }),
  ),
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
        .map((label) =>
          nameWithin(label, {
            seen: new Set(),
            referenced: true,
            content: true,
            hiddenToo: isHiddenFromName(label),
          }),
        )
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

  const label = (attr(element, "aria-label") ?? "").trim();
  if (label !== "") return label;

  if (role !== "none" || !at.content) {
    const native = nativeName(element, role, at);
    if (native !== null && native.trim() !== "") return native;
  }

  if (at.content || isNamedByContent(role) || (role === "row" && isInside(element, grids))) {
    const content = contentOf(element, at);
    if (content.trim() !== "") return content;
  }
  if (role === "none" || (at.content && role === "generic" && !has(element, "title"))) return "";
  return attr(element, "title") ?? foreignTitle(element) ?? "";
}

/** Only the rows of a grid, which one can select, are named by what is in them. */
const grids = "[role=grid],[role=treegrid]";

/** A control inside a name gives its value: "Remind me [10] minutes before". */
function embeddedValue(element: Element, role: string, at: Traversal): string | null {
  if (at.seen.size <= 1) return null;
  switch (role) {
    case "textbox":
    case "searchbox":
      if (isSecret(element)) return "";
      if (isInput(element) || isTextArea(element)) return element.value;
      return isEditableRoot(element) ? contentOf(element, at) : textOf(element);
    case "combobox":
    case "listbox":
      if (isInput(element)) return isSecret(element) ? "" : element.value;
      return chosenOption(element, at);
    case "slider":
    case "spinbutton":
    case "scrollbar":
    case "progressbar":
    case "meter":
      if (isInput(element)) return element.value;
      return attr(element, "aria-valuetext") ?? attr(element, "aria-valuenow") ?? "";
    default:
      return null;
  }
}

function chosenOption(element: Element, at: Traversal): string | null {
  if (isSelect(element)) {
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
      return attr(element, "alt");
    case "fieldset":
      return firstChildName(element, "legend", at);
    case "table":
      return firstChildName(element, "caption", at) ?? attr(element, "summary");
    case "optgroup":
      return attr(element, "label");
    case "option":
      return attr(element, "label");
    default:
      return null;
  }
}

function controlName(element: Element, at: Traversal): string | null {
  const input = isInput(element) ? element : null;
  const labelled = labelsOf(element)
    .map((label) =>
      nameWithin(label, {
        seen: new Set([element, ...at.seen]),
        referenced: at.referenced,
        content: true,
        hiddenToo: at.hiddenToo,
      }),
    )
    .join(" ");
  if (labelled.trim() !== "") return labelled;
  if (input === null) {
    return element.localName === "textarea" ? (attr(element, "title") ?? placeholderOf(element)) : null;
  }
  switch (input.type) {
    case "submit":
      return attr(input, "value") ?? attr(input, "title") ?? "Submit";
    case "reset":
      return attr(input, "value") ?? attr(input, "title") ?? "Reset";
    case "button":
      return attr(input, "value");
    case "image":
      return attr(input, "alt") || attr(input, "value") || attr(input, "title") || "Submit";
    case "file":
      return attr(input, "title") || (input.multiple ? "Choose Files" : "Choose File");
    default:
      return attr(input, "title") || placeholderOf(input);
  }
}

export const labelsOf = (element: Element): HTMLLabelElement[] => {
  const labels = (element as HTMLInputElement).labels;
  return labels === undefined || labels === null ? [] : Array.from(labels);
};

const placeholderOf = (element: Element): string | null =>
  attr(element, "placeholder") ?? attr(element, "aria-placeholder");

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
    text +=
      attribute === undefined ? (quoted ?? "").replace(/\\(.)/g, "$1") : (attr(element, attribute) ?? "");
  }
  return (style.display === "inline" && !instead) || text === "" ? text : ` ${text} `;
}

/** Hidden where it stands: by itself or by anything around it. */
const isHiddenFromName = (element: Element): boolean =>
  isHiddenHere(element) ||
  closest(element, "[aria-hidden=true]") !== null ||
  (!isContents(element) && !element.checkVisibility());

/** Hidden by itself, within something that is not. */
function isHiddenHere(element: Element): boolean {
  if (attr(element, "aria-hidden") === "true" || isUnread(element)) return true;
  const style = styleOf(element);
  return style.display === "none" || (style.visibility !== "visible" && style.display !== "contents");
}

const isContents = (element: Element): boolean => styleOf(element).display === "contents";
