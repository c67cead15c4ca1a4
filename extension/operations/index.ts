// Every handler that runs in the extension, bound by type to the registry: a missing, extra or wrong-shaped one does
// not compile.
import type {ExtensionHandlers} from "../../shared/operations/index.ts";
import type {Context} from "../background/context.ts";
import {evidenceHandlers} from "./evidence.ts";
import {formHandlers} from "./form.ts";
import {keyboardHandlers} from "./keyboard.ts";
import {navigateHandlers} from "./navigate.ts";
import {observeHandlers} from "./observe.ts";
import {pointerHandlers} from "./pointer.ts";
import {sessionHandlers} from "./sessions.ts";
import {tabHandlers} from "./tabs.ts";
import {verifyHandlers} from "./verify.ts";

export const handlers = {
  ...tabHandlers,
  ...sessionHandlers,
  ...observeHandlers,
  ...pointerHandlers,
  ...keyboardHandlers,
  ...formHandlers,
  ...navigateHandlers,
  ...verifyHandlers,
  ...evidenceHandlers,
} satisfies ExtensionHandlers<Context>;
