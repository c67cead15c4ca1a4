// Chrome's own computation is the oracle for roles and names (spec 5.1): every visible element of the fixture pages and
// of the case pages is compared with the accessibility tree. Each difference allowed is listed here, with its reason.
import {existsSync, readdirSync, readFileSync} from "node:fs";
import type {CDPSession} from "playwright-core";
import {afterAll, expect, test} from "vitest";
import type {Match} from "../../../extension/page/contract.ts";
import {closeBrowser, open} from "../../support/engine-page.ts";

afterAll(closeBrowser);

/** Chrome's internal roles, in the words of ARIA. */
const asAria: Record<string, string> = {
  image: "img",
  Canvas: "canvas",
  Iframe: "iframe",
  Video: "video",
  Audio: "audio",
  DisclosureTriangle: "button",
  Details: "group",
  Date: "textbox",
  DateTime: "textbox",
  InputTime: "textbox",
  ColorWell: "textbox",
  RootWebArea: "document",
  MathMLMath: "math",
  PluginObject: "object",
  EmbeddedObject: "embed",
};

/** Roles that say nothing to an agent: the outline passes them through, whatever Chrome calls them. */
const silent = new Set(
  (
    "generic none paragraph strong emphasis code deletion insertion mark time subscript superscript LabelText Legend Figcaption " +
    "caption rowgroup Pre LineBreak StaticText InlineTextBox sectionheader sectionfooter term definition DescriptionList " +
    "DescriptionListTerm DescriptionListDetail blockquote Abbr RubyAnnotation Ruby SvgRoot document suggestion comment " +
    "HeaderAsNonLandmark FooterAsNonLandmark Section clickable presentation " +
    "MathMLIdentifier directory MenuListOption MenuListPopup graphics-document graphics-object ImageMap"
  ).split(" "),
);

interface Difference {
  html?: RegExp;
  chrome?: RegExp;
  why: string;
}

const allowed: Difference[] = [
  {
    html: /contenteditable="true"/,
    why: "Chrome gives an editable element without a role none; it is a text field to whoever fills it.",
  },
  {html: /^<svg/, chrome: /^img ""$/, why: "A drawing without a name says nothing, and may hold links."},
  {chrome: /^LayoutTable/, why: "Chrome guesses which tables are for layout; we show every table as one."},
  {
    html: /role="option"/,
    chrome: /^- ""$/,
    why: "An option outside of a list box (put into a portal) is still something to choose.",
  },
  {
    html: /draggable="true"/,
    chrome: /^group ""$/,
    why: "What can be dragged is one thing to act on, named by its text.",
  },
  {html: /^<video/, why: "Chrome names a video by its own player's words."},
];

interface Compared {
  html: string;
  ours: string;
  chrome: string;
}

interface AxNode {
  role: string;
  name: string;
  ignored: boolean;
}

async function chromeTree(cdp: CDPSession): Promise<Map<number, AxNode>> {
  const {nodes} = await cdp.send("Accessibility.getFullAXTree");
  const byId = new Map<number, AxNode>();
  for (const node of nodes) {
    if (node.backendDOMNodeId === undefined) continue;
    byId.set(node.backendDOMNodeId, {
      role: String(node.role?.value ?? "none"),
      name: String(node.name?.value ?? ""),
      ignored: node.ignored,
    });
  }
  return byId;
}

/** Every element, shadow trees included, gets a number; then both sides are asked about each. */
async function compare(html: string, limit = 600): Promise<Compared[]> {
  await using page = await open(html);
  const {cdp} = page;
  await cdp.send("Accessibility.enable");
  const {root} = await cdp.send("DOM.getDocument", {depth: -1, pierce: true});
  type Node = typeof root;
  const elements: Node[] = [];
  const gather = (node: Node): void => {
    if (node.nodeType === 1 && node.localName !== "html") elements.push(node);
    for (const shadow of node.shadowRoots ?? []) if (shadow.shadowRootType === "open") gather(shadow);
    for (const child of node.children ?? []) gather(child);
  };
  gather(root);
  const numbered = elements
    .filter(({localName}) => !["head", "meta", "title", "style", "script", "link"].includes(localName))
    .slice(0, limit);
  await Promise.all(
    numbered.map(({nodeId}, index) =>
      cdp.send("DOM.setAttributeValue", {nodeId, name: "data-n", value: String(index)}),
    ),
  );
  const tree = await chromeTree(cdp);
  const ours = (await page.inWorld(`Array.from({length: ${numbered.length}}, (_, index) =>
    sublet.call("find", {prefix: "", base: 0}, {target: {css: '[data-n="' + index + '"]'}, limit: 1}).value.matches?.[0] ?? null)`)) as (Match | null)[];
  return numbered.flatMap((node, index) => {
    const match = ours[index];
    const other = tree.get(node.backendNodeId);
    if (match === null || match === undefined || !match.visible || other === undefined) return [];
    const attributes = (node.attributes ?? []).flatMap((name, at, all) =>
      at % 2 === 0 && name !== "data-n" ? [`${name}="${all[at + 1] ?? ""}"`] : [],
    );
    const role = asAria[other.role] ?? other.role;
    const shown = (name: string, said: string) => (silent.has(name) ? `- "${said}"` : `${name} "${said}"`);
    const quiet = silent.has(match.role) && (other.ignored || silent.has(role));
    if (quiet) return [];
    return [
      {
        html: `<${[node.localName, ...attributes].join(" ")}>`,
        ours: shown(match.role, match.name),
        chrome: other.ignored ? '- ""' : shown(role, fold(other.name)),
      },
    ];
  });
}

const fold = (text: string): string =>
  text
    .replace(/[\u200b\u200c\u2060\ufeff\u00ad]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 300);

const differences = (compared: Compared[]): Compared[] =>
  compared.filter(
    ({ours, chrome, html}) =>
      ours !== chrome &&
      !allowed.some((one) => (one.html?.test(html) ?? true) && (one.chrome?.test(chrome) ?? true)),
  );

for (const name of ["engine-names.html", "engine-roles.html"]) {
  test(`${name}: roles and names are Chrome's`, async () => {
    const compared = await compare(readFileSync(new URL(`../../pages/${name}`, import.meta.url), "utf8"));
    expect(compared.length).toBeGreaterThan(80);
    expect(differences(compared)).toEqual([]);
  });
}

const cases = "/work/shared/cases";
if (existsSync(cases)) {
  for (const name of readdirSync(cases).filter((file) => file.endsWith(".html"))) {
    test(`${name}: roles and names are Chrome's`, async () => {
      expect(differences(await compare(readFileSync(`${cases}/${name}`, "utf8"), 200))).toEqual([]);
    });
  }
}
