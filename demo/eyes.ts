// The person's eyes: looks at the launched browser from its own side, by its debugging port, and never through
// Sublet. What Sublet says is checked against this.
import {z} from "zod";
import {EXTENSION_ORIGIN} from "../shared/protocol.ts";
import {type Cdp, type CdpSession, connectCdp, evaluate} from "./cdp.ts";

const tabSchema = z.object({
  id: z.number(),
  windowId: z.number(),
  index: z.number(),
  active: z.boolean(),
  url: z.string(),
  title: z.string(),
  groupId: z.number(),
});
export type SeenTab = z.infer<typeof tabSchema>;

const happenedSchema = z.object({activated: z.array(z.number()), moved: z.array(z.number()), committed: z.array(z.number()), removed: z.array(z.number())});
/** Ids of the tabs to which it happened since `watch`. */
export type Happened = z.infer<typeof happenedSchema>;

const pageSchema = z.object({
  record: z.object({document: z.string(), events: z.array(z.object({type: z.string(), trusted: z.boolean(), on: z.string()}))}),
  globals: z.number(),
  elements: z.array(z.string()),
  visibility: z.string(),
  focus: z.boolean(),
});
/** What a page holds, as far as anything of ours would show in it. */
export type SeenPage = z.infer<typeof pageSchema> & {
  /** The worlds that scripts of extensions run in, each with how many listeners it has on window and document. */
  worlds: {name: string; listeners: number}[];
};

export interface Eyes {
  product: string;
  tabs(): Promise<SeenTab[]>;
  tabAt(urlPart: string): Promise<SeenTab | undefined>;
  /** From now on, what happens to tabs is noted. */
  watch(): Promise<void>;
  happened(): Promise<Happened>;
  /** Pages that any debugger is attached to. Ours is not counted: it has none on a page when this is asked. */
  debugged(): Promise<string[]>;
  page(urlPart: string): Promise<SeenPage>;
  /** Opens the popup's page in a window of its own, 360 px wide, and pictures it. */
  pictureOfPopup(): Promise<Buffer>;
  close(): void;
}

export async function openEyes(profile: string): Promise<Eyes> {
  const cdp = await connectCdp(profile);
  const {product} = await cdp.send("Browser.getVersion");
  const worker = await cdp.attach(await targetOf(cdp, ({type, url}) => type === "service_worker" && url.startsWith(EXTENSION_ORIGIN)));
  const ask = async <Schema extends z.ZodType>(schema: Schema, expression: string): Promise<z.output<Schema>> =>
    schema.parse(await evaluate(worker, expression));
  const tabs = () => ask(z.array(tabSchema), "chrome.tabs.query({})");

  return {
    product,
    tabs,
    tabAt: async (urlPart) => (await tabs()).find(({url}) => url.includes(urlPart)),
    watch: () => ask(z.undefined(), watcher),
    happened: () => ask(happenedSchema, "globalThis.seen"),
    debugged: () => ask(z.array(z.string()), debuggedPages),
    page: async (urlPart) => lookAt(cdp, await targetOf(cdp, ({type, url}) => type === "page" && url.includes(urlPart))),
    pictureOfPopup: () => pictureOfPopup(cdp),
    close: () => cdp.close(),
  };
}

const watcher = `{
  const seen = {activated: [], moved: [], committed: [], removed: []};
  globalThis.seen = seen;
  chrome.tabs.onActivated.addListener(({tabId}) => seen.activated.push(tabId));
  chrome.tabs.onMoved.addListener((tabId) => seen.moved.push(tabId));
  chrome.tabs.onDetached.addListener((tabId) => seen.moved.push(tabId));
  chrome.tabs.onRemoved.addListener((tabId) => seen.removed.push(tabId));
  chrome.webNavigation.onCommitted.addListener(({tabId, frameId}) => frameId === 0 && seen.committed.push(tabId));
  undefined;
}`;

const debuggedPages = `chrome.debugger.getTargets().then((targets) =>
  targets.filter(({type, attached}) => type === "page" && attached).map(({url}) => url))`;

const pageFacts = `({
  record: window.__record,
  globals: Object.getOwnPropertyNames(window).length,
  // Ours would be an element beside the page's own; rows and texts of the page come and go.
  elements: [...document.documentElement.children, ...document.head.children, ...document.body.children].map((element) => element.outerHTML.split(">")[0]),
  visibility: document.visibilityState,
  focus: document.hasFocus(),
})`;

async function lookAt(cdp: Cdp, targetId: string): Promise<SeenPage> {
  const page = await cdp.attach(targetId);
  const worlds: {id: number; name: string}[] = [];
  const stop = page.on("Runtime.executionContextCreated", ({context}) => {
    if (context.auxData?.type === "isolated") worlds.push({id: context.id, name: context.name});
  });
  await page.send("Runtime.enable");
  const facts = pageSchema.parse(await evaluate(page, pageFacts));
  const counted = await Promise.all(worlds.map(async ({id, name}) => ({name, listeners: await listenersIn(page, id)})));
  stop();
  await page.detach();
  return {...facts, worlds: counted};
}

/** Chrome shows the listeners of a world only through that world's own window and document. */
async function listenersIn(page: CdpSession, contextId: number): Promise<number> {
  let count = 0;
  for (const expression of ["window", "document"]) {
    const {result} = await page.send("Runtime.evaluate", {expression, contextId});
    if (result.objectId === undefined) continue;
    const {listeners} = await page.send("DOMDebugger.getEventListeners", {objectId: result.objectId});
    count += listeners.length;
  }
  return count;
}

const popupWidth = 360;

async function pictureOfPopup(cdp: Cdp): Promise<Buffer> {
  const url = `${EXTENSION_ORIGIN}/extension/popup/index.html`;
  const {targetId} = await cdp.send("Target.createTarget", {url, newWindow: true});
  const popup = await cdp.attach(targetId);
  await popup.send("Emulation.setDeviceMetricsOverride", {width: popupWidth, height: 600, deviceScaleFactor: 2, mobile: false});
  const height = z.number().parse(await evaluate(popup, popupShown));
  const {data} = await popup.send("Page.captureScreenshot", {clip: {x: 0, y: 0, width: popupWidth, height, scale: 1}});
  await cdp.send("Target.closeTarget", {targetId});
  return Buffer.from(data, "base64");
}

/** Resolves with its height as soon as it shows anything. */
const popupShown = `new Promise((resolve) => {
  const look = () => {
    const popup = document.querySelector(".popup");
    if (popup === null) return;
    watcher.disconnect();
    resolve(popup.offsetHeight);
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document, {childList: true, subtree: true});
  look();
})`;

async function targetOf(cdp: Cdp, test: (target: {type: string; url: string}) => boolean): Promise<string> {
  const {targetInfos} = await cdp.send("Target.getTargets");
  const found = targetInfos.find(test);
  if (found === undefined) throw new Error(`the browser has no such target; it has ${targetInfos.map(({url}) => url).join(", ")}`);
  return found.targetId;
}
