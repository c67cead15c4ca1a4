// The role of an element: what its role attribute says, else what HTML-AAM gives its tag where it stands.
// Chrome's own computation is the oracle (test/browser/engine/role.test.ts).
import {attr, has} from "./attributes.ts";
import {hasAuthorName} from "./author-name.ts";
import {isAriaRole} from "./roles.ts";
import {closest, isHtml, parentOf, shadowRootOf} from "./tree.ts";
import {oncePerTurn} from "./turn.ts";

export const roleOf = oncePerTurn((element: Element): string => {
  const explicit = explicitRole(element);
  if (explicit === null) return implicitRole(element);
  if (explicit !== "none") return explicit;
  // A presentational element that takes part anyway keeps its own role (ARIA, conflict resolution).
  return hasGlobalAria(element) || isFocusable(element) ? implicitRole(element) : "none";
});

const synonyms: Record<string, string> = {presentation: "none", image: "img", directory: "list"};

/** The role attribute's first word that counts; null when none does. */
function explicitRole(element: Element): string | null {
  const attribute = attr(element, "role");
  if (attribute === null) return null;
  for (const token of attribute.toLowerCase().split(/\s+/)) {
    const role = synonyms[token] ?? token;
    if (!isAriaRole(role)) continue;
    // Outside of what must own it, an item is none.
    const owner = requiredOwner[role];
    if (owner !== undefined && !isInside(element, owner)) return "generic";
    // A region or form without a name is no landmark.
    if ((role === "region" || role === "form") && !hasAuthorName(element)) continue;
    return role;
  }
  return null;
}

const requiredOwner: Record<string, string> = {
  listitem: "[role=list],[role=directory],[role=feed],ul,ol,menu",
  treeitem: "[role=tree]",
};

const globalAria = (
  "atomic busy controls current describedby details dropeffect flowto grabbed keyshortcuts label labelledby live owns relevant " +
  "roledescription"
).split(" ");
const hasGlobalAria = (element: Element): boolean => globalAria.some((name) => has(element, `aria-${name}`));

/** Whether the keyboard could reach it. */
export function isFocusable(element: Element): boolean {
  if (element.matches(":disabled")) return false;
  const tabindex = attr(element, "tabindex");
  if (tabindex !== null && /^\s*-?\d/.test(tabindex)) return true;
  switch (element.localName) {
    case "a":
    case "area":
      return has(element, "href");
    case "input":
      return attr(element, "type")?.toLowerCase() !== "hidden";
    case "button":
    case "select":
    case "textarea":
    case "iframe":
    case "summary":
      return true;
    default:
      return isEditableRoot(element);
  }
}

export const isEditableRoot = (element: Element): boolean => {
  const attribute = attr(element, "contenteditable");
  return attribute !== null && attribute.toLowerCase() !== "false" && isHtml(element);
};

const ownName = new Set(
  (
    "article audio blockquote button canvas caption code dialog embed figure form iframe main mark math meter object option " +
    "search strong table time video"
  ).split(" "),
);
const byTag: Record<string, string> = {
  address: "group",
  datalist: "listbox",
  dd: "definition",
  del: "deletion",
  details: "group",
  dfn: "term",
  dt: "term",
  em: "emphasis",
  fieldset: "group",
  frame: "iframe",
  hgroup: "group",
  hr: "separator",
  html: "document",
  ins: "insertion",
  li: "listitem",
  menu: "list",
  nav: "navigation",
  ol: "list",
  optgroup: "group",
  output: "status",
  p: "paragraph",
  progress: "progressbar",
  sub: "subscript",
  sup: "superscript",
  tbody: "rowgroup",
  textarea: "textbox",
  tfoot: "rowgroup",
  thead: "rowgroup",
  tr: "row",
  ul: "list",
};

function implicitRole(element: Element): string {
  const role = roleByTag(element);
  if (role === "generic" && isEditableRoot(element)) return "textbox";
  // What a presentational table or list must own is presentational too.
  if (ownedRoles.has(role) && ownerIsPresentational(element, role)) return "none";
  return role;
}

function roleByTag(element: Element): string {
  const tag = element.localName;
  if (!isHtml(element)) return foreignRole(element);
  switch (tag) {
    case "a":
    case "area":
      return has(element, "href") || has(element, "onclick") ? "link" : "generic";
    case "aside":
      return isInside(element, asideSections) && !hasAuthorName(element) ? "generic" : "complementary";
    case "footer":
      return isInside(element, sections) ? "generic" : "contentinfo";
    case "header":
      return isInside(element, sections) ? "generic" : "banner";
    case "section":
      return hasAuthorName(element) ? "region" : "generic";
    case "img":
      return imageRole(element);
    case "input":
      return inputRole(element);
    case "select":
      return isDropDown(element) ? "combobox" : "listbox";
    case "summary":
      return element.parentElement?.localName === "details" ? "button" : "generic";
    case "td":
      return isInGrid(element) ? "gridcell" : "cell";
    case "th":
      return headerRole(element);
    default:
      if (/^h[1-6]$/.test(tag)) return "heading";
      return ownName.has(tag) ? tag : (byTag[tag] ?? "generic");
  }
}

const inputRoles: Record<string, string> = {
  button: "button",
  checkbox: "checkbox",
  file: "button",
  hidden: "none",
  image: "button",
  number: "spinbutton",
  radio: "radio",
  range: "slider",
  reset: "button",
  submit: "button",
};

function inputRole(element: Element): string {
  const type = attr(element, "type")?.trim().toLowerCase() ?? "text";
  const fixed = inputRoles[type];
  if (fixed !== undefined) return fixed;
  const suggests = suggesting.has(type) || !typed.has(type);
  const list = attr(element, "list");
  if (
    suggests &&
    list !== null &&
    (element.getRootNode() as Document | ShadowRoot).getElementById?.(list)?.localName === "datalist"
  ) {
    return "combobox";
  }
  return type === "search" ? "searchbox" : "textbox";
}

const suggesting = new Set(["text", "search", "email", "tel", "url"]);
const typed = new Set(["password", "color", "date", "datetime-local", "month", "time", "week"]);

function isDropDown(select: Element): boolean {
  const size = Number(attr(select, "size") ?? 0);
  return size === 1 || (size < 1 && !has(select, "multiple"));
}

function imageRole(element: Element): string {
  const alt = attr(element, "alt");
  if (alt !== "") return "img";
  return hasAuthorName(element) || attr(element, "title") || has(element, "tabindex") ? "img" : "none";
}

function foreignRole(element: Element): string {
  switch (element.localName) {
    case "svg":
      return hasAuthorName(element) || hasTitleChild(element) ? "img" : "none";
    case "a":
      return has(element, "href") || has(element, "xlink:href") ? "link" : "generic";
    case "math":
      return "math";
    default:
      return hasAuthorName(element) ? "group" : "none";
  }
}

export const hasTitleChild = (svg: Element): boolean => {
  for (const child of svg.children)
    if (child.localName === "title") return (child.textContent ?? "").trim() !== "";
  return false;
};

const asideSections =
  "article,aside,nav,section,[role=article],[role=complementary],[role=navigation],[role=region]";
const sections = `main,[role=main],${asideSections}`;
export const isInside = (element: Element, selector: string): boolean => {
  const parent = parentOf(element);
  return parent !== null && closest(parent, selector) !== null;
};

function tableOf(element: Element): Element | null {
  return element.closest("table");
}

function isInGrid(element: Element): boolean {
  const table = tableOf(element);
  const role = table === null ? null : explicitRole(table);
  return role === "grid" || role === "treegrid";
}

function headerRole(element: Element): string {
  const scope = attr(element, "scope")?.toLowerCase();
  if (scope === "col" || scope === "colgroup") return "columnheader";
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  const row = element.parentElement;
  if (row?.localName !== "tr") return "columnheader";
  const inHead = row.parentElement?.localName === "thead";
  const cells = Array.from(row.children).filter((cell) => cell.localName === "td" || cell.localName === "th");
  if (inHead || cells.every((cell) => cell.localName === "th")) {
    // A header that stands alone in its row heads the row when other rows hold data beside it.
    return cells.length > 1 || inHead ? "columnheader" : isInGrid(element) ? "gridcell" : "columnheader";
  }
  return "rowheader";
}

const ownedRoles = new Set([
  "listitem",
  "row",
  "rowgroup",
  "cell",
  "gridcell",
  "columnheader",
  "rowheader",
  "caption",
]);

function ownerIsPresentational(element: Element, role: string): boolean {
  const owner = role === "listitem" ? parentOf(element) : tableOf(element);
  if (owner === null || shadowRootOf(owner) !== null) return false;
  return explicitRole(owner) === "none" && roleOf(owner) === "none";
}
