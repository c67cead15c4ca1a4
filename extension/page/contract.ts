// What the worker and the page engine say to each other: types only, so nothing here reaches a page.
// The engine lives in an isolated world of one document. Every call is `sublet.call(name, request)`; expected
// failures come back as values (`Failure`), and only background/attempt.ts turns them into errors.
import type {Finding, LeafCondition} from "../../shared/condition.ts";
import type {ErrorCode, ErrorData} from "../../shared/errors.ts";
import type {ElementFacts, PageFacts} from "../../shared/result.ts";
import type {TargetObject} from "../../shared/target.ts";

/** CSS pixels of the frame's own viewport. */
export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

/** An expected failure, in the words of the error table. */
export interface Failure {
  failed: ErrorCode;
  message: string;
  data?: ErrorData;
}

export type Outcome<Value> = ({failed?: undefined} & Value) | Failure;

/**
 * A target as the engine takes it, for its own document only: the worker has resolved the frame chain. A plain string
 * arrives as `{guess}`: accessible name, label, placeholder, test id, visible text, in that order.
 */
export type PageTarget = (
  | Omit<TargetObject, "within" | "frame">
  | {guess: string; nth?: number | undefined}
) & {
  within?: PageTarget | undefined;
};

/** What a control says of itself. Secret values read "[redacted]". Fields it does not have are left out. */
export interface ControlState {
  value?: string;
  checked?: boolean | "mixed";
  selected?: string[];
  expanded?: boolean;
  pressed?: boolean | "mixed";
  focused: boolean;
  disabled: boolean;
}

/** Every call carries the numbers that refs must stay above, so that a ref is never reused across documents. */
export interface CallFrame {
  /** "" in the top document, else "f2" and the like. */
  prefix: string;
  /** The highest element number given out so far in this tab. */
  base: number;
}

/** Every answer carries these. */
export interface Answer<Value> {
  value: Value;
  page: PageFacts;
  /** The highest element number given out after this call. */
  base: number;
}

export type Purpose =
  | "click"
  | "hover"
  | "fill"
  | "type"
  | "press"
  | "select"
  | "check"
  | "upload"
  | "scroll"
  | "look";

export interface PrepareRequest {
  /** Null: the focused element, or the body when nothing has the focus (press and type without a target). */
  target: PageTarget | null;
  purpose: Purpose;
  /** Where on the element, from its top left; its middle by default. */
  position?: Point | undefined;
  /** The gesture to arm the guard for, when the element is ready; null arms nothing. */
  gesture: Gesture | null;
  /** For fill: what it will hold, so that the engine can tell whether this kind of control can hold it. */
  value?: string | undefined;
  /** For select: how options are named. */
  options?: {values?: string[]; labels?: string[]; indexes?: number[]} | undefined;
  /** For check: the state that is wanted. */
  checked?: boolean | undefined;
}

/** A gesture to arm the guard for (spec 4.4). */
export interface Gesture {
  id: number;
  kind: "pointer" | "keys";
  /** Presses in the gesture: 2 for a double click. */
  presses: number;
}

export interface Prepared {
  element: ElementFacts;
  strategy: string;
  candidates: number;
  /** Where to press, in this frame's viewport; null when the purpose needs none. */
  point: Point | null;
  before: ControlState;
  /** The ref was rebound to the one successor of its element. */
  rebound: boolean;
  scrolled: boolean;
  /** The element is in the state that was asked for already (check, select): nothing needs to be sent. */
  already: boolean;
  /** How fill must be delivered: by inserting text over the selection the engine made, or set by the engine. */
  write?: "insert" | "set";
  /** True when the engine came after the document's own scripts: what it stops, the page may have seen. */
  late: boolean;
}

export interface SettleRequest {
  gesture: number | null;
  ref: string;
  /** What a fill meant to write, to compare a redacted value without showing it. */
  meant?: string | undefined;
  /** What a select meant to choose, to say in `matches` whether it is chosen now. */
  options?: {values?: string[]; labels?: string[]; indexes?: number[]} | undefined;
}

/** What the guard saw of a gesture. */
export interface GuardRecord {
  press: "passed" | "stopped" | "none";
  /** For a stopped press: what would have received it. */
  blocker?: ElementFacts;
  /** A click (or auxclick, contextmenu) came of it. */
  clicked: boolean;
  /** Keys: how many key or input events were passed to the armed element, and stopped. */
  keysPassed: number;
  keysStopped: number;
  /** Only pointer events came: the control is disabled. */
  pointerOnly: boolean;
}

export interface Settled {
  guard: GuardRecord | null;
  /** Null when the element is gone from the document. */
  after: ControlState | null;
  /** For a redacted value or a select: true when what it truly holds is what was meant. */
  matches?: boolean;
  /** Something in the document changed since the gesture was armed. */
  domChanged: boolean;
}

export interface OutlineRequest {
  mode: "outline" | "interactive";
  maxChars: number;
  within?: PageTarget | undefined;
  /** Only what is in the viewport. */
  viewport: boolean;
}

export interface OutlineLine {
  /** Depth in the tree, from 0. */
  depth: number;
  /** `button "Sign in" [ref=e3] [disabled]`, without dash or indentation. */
  text: string;
  /** For an iframe: its ref, so that the worker can put the frame's own outline below. */
  frameRef?: string;
}

export interface Outline {
  lines: OutlineLine[];
  /** How many refs the lines name. */
  refs: number;
  complete: boolean;
  /** How many elements were left out for want of room. */
  omitted: number;
  focused: ElementFacts | null;
}

export interface FindRequest {
  target?: PageTarget | undefined;
  query?: string | undefined;
  limit: number;
}

export interface Match extends ElementFacts {
  /** In this frame's viewport; null when it has no box. */
  box: Box | null;
  visible: boolean;
  enabled: boolean;
  where?: string;
}

export interface WatchRequest {
  conditions: {condition: LeafCondition; target?: PageTarget; within?: PageTarget}[];
  /** What the caller knows already; the answer comes when any status or observation differs, or time runs out. */
  known: Finding[] | null;
  timeoutMs: number;
}

/** The things the engine sets itself, by the `dom` route. */
export interface ActRequest {
  ref: string;
  act: "click" | "set_value" | "select" | "focus";
  value?: string | undefined;
  options?: {values?: string[]; labels?: string[]; indexes?: number[]} | undefined;
}

export interface EngineCalls {
  /** Also tells whether the guard's listeners are alive; they are put back when the document removed them. */
  hello: {request: Record<string, never>; value: {late: boolean}};
  outline: {request: OutlineRequest; value: Outcome<Outline>};
  find: {request: FindRequest; value: Outcome<{matches: Match[]; total: number}>};
  /** Resolve, check, scroll, hit-test and arm, in one call. */
  prepare: {request: PrepareRequest; value: Outcome<Prepared>};
  /** In frames that are not the target's: stop whatever press lands here while the gesture is open. */
  arm_stop: {request: {gesture: Gesture}; value: Record<string, never>};
  /** Ends the gesture, waits at most one turn of the event loop, reads back. */
  settle: {request: SettleRequest; value: Settled};
  /** Ends a gesture in a stop frame, and says whether it stopped something. */
  disarm: {request: {gesture: number}; value: GuardRecord};
  act: {request: ActRequest; value: Outcome<{done: true}>};
  /** Long-polled: resolves on a change of any condition's finding. */
  watch: {request: WatchRequest; value: Finding[]};
  /** Resolves when something changed in the document that could make a failed prepare succeed, or time ran out. */
  changed: {request: {timeoutMs: number}; value: {changed: boolean}};
  /** The box of an element in viewport pixels, scrolled into view, for an element screenshot. */
  box: {
    request: {target: PageTarget};
    value: Outcome<{element: ElementFacts; box: Box; devicePixelRatio: number}>;
  };
  /** How the document came, as the browser's own navigation entry has it. */
  arrival: {request: Record<string, never>; value: {status: number | null; redirects: number}};
  /** Whether the page would ask before it is left, and which fields hold something that it did not come with. */
  leaving: {request: Record<string, never>; value: {asks: boolean; fields: string[]}};
  /** Removes every listener and node of ours: nothing is left behind after the lease. */
  leave: {request: Record<string, never>; value: Record<string, never>};
}

export type EngineCall = keyof EngineCalls;
