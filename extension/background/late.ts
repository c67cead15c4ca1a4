// A late engine came after the document's own scripts, so a page's window-capture listeners may have run before the
// guard's: then a stopped gesture counts as seen, and is never sent again (security 4.4).
import {send} from "./debuggee.ts";
import type {Frame} from "./frames.ts";

interface Listener {
  type: string;
  useCapture: boolean;
}

const pointerTypes = new Set([
  "pointerdown",
  "mousedown",
  "pointerup",
  "mouseup",
  "click",
  "auxclick",
  "contextmenu",
  "dblclick",
]);
const keyTypes = new Set(["keydown", "beforeinput", "keypress", "keyup"]);

/** True when the page itself captures such events on its window; also when it cannot be found out. */
export async function pageMayHaveSeen(frame: Frame, kind: "pointer" | "keys"): Promise<boolean> {
  const on = {sessionId: frame.sessionId};
  const types = kind === "pointer" ? pointerTypes : keyTypes;
  // Without a context id the page's own world of the session's root answers. A nested frame of the same process is
  // not reached this way: it counts as having seen.
  if (frame.parent !== null && frame.sessionId === undefined) return true;
  try {
    const {result} = await send<{result: {objectId?: string}}>(
      frame.tabId,
      "Runtime.evaluate",
      {expression: "window", objectGroup: "sublet"},
      on,
    );
    const {listeners} = await send<{listeners: Listener[]}>(
      frame.tabId,
      "DOMDebugger.getEventListeners",
      {objectId: result.objectId},
      on,
    );
    void send(frame.tabId, "Runtime.releaseObjectGroup", {objectGroup: "sublet"}, on).catch(() => undefined);
    return listeners.some((listener) => listener.useCapture && types.has(listener.type));
  } catch {
    return true;
  }
}
