// JavaScript dialogs: seen at once, remembered while they are open, never answered by ourselves.
import {forget, recall, remember} from "./memory.ts";

export interface Dialog {
  id: string;
  type: string;
  message: string;
  default: string;
  url: string;
}

const prefix = "dialog:";
const open = new Map<number, Dialog>();
let count = 0;

export async function loadDialogs(): Promise<void> {
  for (const [tabId, dialog] of await recall<Dialog>(prefix)) {
    open.set(Number(tabId), dialog);
    count = Math.max(count, Number(dialog.id.slice(1)));
  }
}

export const currentDialog = (tabId: number): Dialog | null => open.get(tabId) ?? null;

/** Takes note of `Page.javascriptDialogOpening`. */
export function dialogOpened(
  tabId: number,
  facts: {type: string; message: string; defaultPrompt?: string; url: string},
): Dialog {
  count += 1;
  const dialog: Dialog = {
    id: `d${count}`,
    type: facts.type,
    message: facts.message,
    default: facts.defaultPrompt ?? "",
    url: facts.url,
  };
  open.set(tabId, dialog);
  void remember(prefix + tabId, dialog);
  return dialog;
}

/** Takes note of `Page.javascriptDialogClosed`, whoever answered it. */
export function dialogClosed(tabId: number): void {
  open.delete(tabId);
  void forget(prefix + tabId);
}

/** Tabs whose caller has said that unsaved changes may be lost: their page's question before unload is answered so. */
const discarding = new Set<number>();

export const mayDiscard = (tabId: number): boolean => discarding.has(tabId);

export async function whileDiscarding<Result>(tabId: number, work: () => Promise<Result>): Promise<Result> {
  discarding.add(tabId);
  try {
    return await work();
  } finally {
    discarding.delete(tabId);
  }
}
