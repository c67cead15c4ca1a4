// The popup's line to the worker: the state as it changes, and the few things that the person may ask for. Chrome
// may stop the worker at any time, which ends the line; it is opened again at once, and that wakes the worker.
import browser from "webextension-polyfill";
import {type Channel, createChannel} from "../../shared/channel.ts";
import type {popupMethods} from "../../shared/protocol.ts";
import type {PopupState} from "./state.ts";

// The type alone: protocol.ts brings zod, which has no place in a popup that must be there in a blink.
type PopupMethod = (typeof popupMethods)[keyof typeof popupMethods];

export interface Worker {
  /** Resolves when the worker has done it. @throws SubletError with words for the person. */
  ask(method: PopupMethod, params?: {tab_id: string}): Promise<void>;
}

const askMs = 10_000;
const retryFirstMs = 50;
const retryLastMs = 2_000;

/** Follows the worker for as long as the popup is open. `null` means that it has not answered for a while. */
export function followWorker(onState: (state: PopupState | null) => void): Worker {
  let retryMs = retryFirstMs;
  let channel = open();

  return {
    async ask(method, params = undefined) {
      tell(await channel.request(method, params ?? {}, {timeoutMs: askMs}));
    },
  };

  function open(): Channel {
    const port = browser.runtime.connect({name: "popup"});
    const opened = createChannel({
      transport: {post: (text) => port.postMessage(text), close: () => port.disconnect()},
      answer: async (method) => {
        throw new Error(`the popup does not answer ${method}`);
      },
      onEvent: (name, params) => name === "state" && tell(params),
    });
    port.onMessage.addListener((message) => opened.receive(String(message)));
    port.onDisconnect.addListener(() => {
      opened.close("the worker stopped");
      setTimeout(reopen, retryMs);
      retryMs = Math.min(retryMs * 2, retryLastMs);
    });
    opened.request("state" satisfies PopupMethod, {}, {timeoutMs: askMs}).then(tell, () => onState(null));
    return opened;
  }

  function reopen(): void {
    channel = open();
  }

  function tell(message: unknown): void {
    if (!isPopupState(message)) return;
    retryMs = retryFirstMs;
    onState(message);
  }
}

/** Some answers carry no state (`show`). The worker is our own code, so its outer shape is proof enough. */
const isPopupState = (message: unknown): message is PopupState =>
  typeof message === "object" && message !== null && "agents" in message && Array.isArray(message.agents);
