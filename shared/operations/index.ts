// The registry: every operation, once. All interfaces and the contract tests read this list.
import type {Handlers, InputOf, Operation, OutputOf, RawInputOf} from "../operation.ts";
import {doctor} from "./doctor.ts";
import {resultGet, screenshot} from "./evidence.ts";
import {check, fill, select} from "./form.ts";
import {capabilities} from "./help.ts";
import {press} from "./keyboard.ts";
import {navigate} from "./navigate.ts";
import {find, observe} from "./observe.ts";
import {click} from "./pointer.ts";
import {sessionFinalize, sessionList} from "./sessions.ts";
import {tabClaim, tabClose, tabList, tabMark, tabOpen, tabRelease} from "./tabs.ts";
import {expectOperation} from "./verify.ts";

/** Run by the extension, beside the tabs. */
export const extensionOperations = [
  tabList,
  tabOpen,
  tabClaim,
  tabRelease,
  tabClose,
  tabMark,
  sessionList,
  sessionFinalize,
  observe,
  find,
  screenshot,
  click,
  fill,
  press,
  select,
  check,
  navigate,
  expectOperation,
] as const;

/** Run by the bridge itself. */
export const bridgeOperations = [resultGet, capabilities, doctor] as const;

export const operations = [...extensionOperations, ...bridgeOperations] as const;

export type AnyOperation = (typeof operations)[number];
export type OperationName = AnyOperation["name"];
export type OperationNamed<Name extends OperationName> = Extract<AnyOperation, {name: Name}>;
export type Input<Name extends OperationName> = InputOf<OperationNamed<Name>>;
export type RawInput<Name extends OperationName> = RawInputOf<OperationNamed<Name>>;
export type Output<Name extends OperationName> = OutputOf<OperationNamed<Name>>;

export type ExtensionHandlers<Context> = Handlers<typeof extensionOperations, Context>;
export type BridgeHandlers<Context> = Handlers<typeof bridgeOperations, Context>;

const byName: ReadonlyMap<string, Operation> = new Map(
  operations.map((operation) => [operation.name, operation]),
);

export const operationNamed = (name: string): Operation | undefined => byName.get(name);
