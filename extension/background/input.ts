// Trusted input by CDP. The events of one gesture are sent together, without waiting for each: awaited one by one,
// each would cost a frame.
import {SubletError} from "../../shared/errors.ts";
import type {Point} from "../page/contract.ts";
import {send} from "./debuggee.ts";

export interface MousePress {
  button: "left" | "right" | "middle";
  count: number;
  modifiers: readonly string[];
}

const modifierBits: Readonly<Record<string, number>> = {Alt: 1, Control: 2, Meta: 4, Shift: 8};
const buttonBits: Readonly<Record<string, number>> = {left: 1, right: 2, middle: 4};

const bitsOf = (modifiers: readonly string[]): number =>
  modifiers.reduce((bits, modifier) => bits | (modifierBits[modifier] ?? 0), 0);

/** Moves to the point and presses there, `count` times. The point is in the tab's own viewport. */
export async function pressMouse(
  tabId: number,
  point: Point,
  {button, count, modifiers}: MousePress,
): Promise<void> {
  const base = {x: point.x, y: point.y, modifiers: bitsOf(modifiers), pointerType: "mouse"};
  const events = [
    send(tabId, "Input.dispatchMouseEvent", {...base, type: "mouseMoved", button: "none", buttons: 0}),
  ];
  for (let clickCount = 1; clickCount <= count; clickCount += 1) {
    const press = {...base, button, clickCount};
    events.push(
      send(tabId, "Input.dispatchMouseEvent", {
        ...press,
        type: "mousePressed",
        buttons: buttonBits[button] ?? 1,
      }),
    );
    events.push(send(tabId, "Input.dispatchMouseEvent", {...press, type: "mouseReleased", buttons: 0}));
  }
  await Promise.all(events);
}

export const insertText = (tabId: number, text: string, sessionId: string | undefined): Promise<unknown> =>
  send(tabId, "Input.insertText", {text}, {sessionId});

export interface Chord {
  modifiers: readonly string[];
  key: Key;
}

interface Key {
  key: string;
  code: string;
  keyCode: number;
  /** What it writes, when it writes something. */
  text?: string;
}

/** Presses one key, with its modifiers, in the frame that has the focus. */
export async function pressKey(
  tabId: number,
  {key, modifiers}: Chord,
  sessionId: string | undefined,
): Promise<void> {
  const bits = bitsOf(modifiers);
  // With Control, Alt or Meta a letter is a command and writes nothing.
  const writes = key.text !== undefined && (bits & ~8) === 0;
  const base = {
    modifiers: bits,
    key: key.key,
    code: key.code,
    windowsVirtualKeyCode: key.keyCode,
    nativeVirtualKeyCode: key.keyCode,
  };
  await Promise.all([
    send(
      tabId,
      "Input.dispatchKeyEvent",
      {
        ...base,
        type: writes ? "keyDown" : "rawKeyDown",
        ...(writes && {text: key.text, unmodifiedText: key.text}),
      },
      {sessionId},
    ),
    send(tabId, "Input.dispatchKeyEvent", {...base, type: "keyUp"}, {sessionId}),
  ]);
}

const namedKeys: Readonly<Record<string, Key>> = {
  Enter: {key: "Enter", code: "Enter", keyCode: 13, text: "\r"},
  Tab: {key: "Tab", code: "Tab", keyCode: 9},
  Escape: {key: "Escape", code: "Escape", keyCode: 27},
  Backspace: {key: "Backspace", code: "Backspace", keyCode: 8},
  Delete: {key: "Delete", code: "Delete", keyCode: 46},
  Insert: {key: "Insert", code: "Insert", keyCode: 45},
  Space: {key: " ", code: "Space", keyCode: 32, text: " "},
  ArrowLeft: {key: "ArrowLeft", code: "ArrowLeft", keyCode: 37},
  ArrowUp: {key: "ArrowUp", code: "ArrowUp", keyCode: 38},
  ArrowRight: {key: "ArrowRight", code: "ArrowRight", keyCode: 39},
  ArrowDown: {key: "ArrowDown", code: "ArrowDown", keyCode: 40},
  Home: {key: "Home", code: "Home", keyCode: 36},
  End: {key: "End", code: "End", keyCode: 35},
  PageUp: {key: "PageUp", code: "PageUp", keyCode: 33},
  PageDown: {key: "PageDown", code: "PageDown", keyCode: 34},
};

const punctuation: Readonly<Record<string, [code: string, keyCode: number]>> = {
  ";": ["Semicolon", 186],
  ":": ["Semicolon", 186],
  "=": ["Equal", 187],
  "+": ["Equal", 187],
  ",": ["Comma", 188],
  "<": ["Comma", 188],
  "-": ["Minus", 189],
  _: ["Minus", 189],
  ".": ["Period", 190],
  ">": ["Period", 190],
  "/": ["Slash", 191],
  "?": ["Slash", 191],
  "`": ["Backquote", 192],
  "~": ["Backquote", 192],
  "[": ["BracketLeft", 219],
  "{": ["BracketLeft", 219],
  "\\": ["Backslash", 220],
  "|": ["Backslash", 220],
  "]": ["BracketRight", 221],
  "}": ["BracketRight", 221],
  "'": ["Quote", 222],
  '"': ["Quote", 222],
};

const aliases: Readonly<Record<string, string>> = {
  ctrl: "Control",
  control: "Control",
  cmd: "Meta",
  command: "Meta",
  meta: "Meta",
  option: "Alt",
  alt: "Alt",
  shift: "Shift",
  esc: "Escape",
  return: "Enter",
  del: "Delete",
  spacebar: "Space",
  " ": "Space",
  left: "ArrowLeft",
  right: "ArrowRight",
  up: "ArrowUp",
  down: "ArrowDown",
};

/** `Control+Shift+K`, `Enter`, `a`, `+`: modifiers before the key, which is a DOM key name or one character. */
export function parseChord(text: string): Chord {
  const parts =
    text === "+" ? ["+"] : text.endsWith("++") ? [...text.slice(0, -2).split("+"), "+"] : text.split("+");
  const names = parts.map((part) => aliases[part.toLowerCase()] ?? part);
  const last = names.pop() ?? "";
  for (const name of names) {
    if (modifierBits[name] === undefined)
      throw badKey(text, `${name} is not one of Alt, Control, Meta, Shift`);
  }
  return {
    modifiers: names,
    key: keyNamed(last, names.includes("Shift")) ?? raise(badKey(text, `${last || "nothing"} is not a key`)),
  };
}

function keyNamed(name: string, shifted: boolean): Key | null {
  const named = Object.values(namedKeys).find((key) => key.code.toLowerCase() === name.toLowerCase());
  if (named !== undefined) return named;
  const functionKey = /^F([1-9]|1[0-2])$/i.exec(name);
  if (functionKey !== null)
    return {key: name.toUpperCase(), code: name.toUpperCase(), keyCode: 111 + Number(functionKey[1])};
  if ([...name].length !== 1)
    return modifierBits[name] === undefined
      ? null
      : {key: name, code: `${name}Left`, keyCode: {Shift: 16, Control: 17, Alt: 18}[name] ?? 91};
  const text = shifted ? name.toUpperCase() : name;
  if (/[a-z]/i.test(name))
    return {key: text, code: `Key${name.toUpperCase()}`, keyCode: name.toUpperCase().charCodeAt(0), text};
  if (/[0-9]/.test(name)) return {key: name, code: `Digit${name}`, keyCode: name.charCodeAt(0), text: name};
  const [code, keyCode] = punctuation[name] ?? ["", 0];
  return {key: name, code, keyCode, text: name};
}

const badKey = (text: string, why: string): SubletError =>
  new SubletError("invalid_arguments", `no such key: ${text} (${why})`, {
    details: {
      issues: [
        {path: "key", expected: "a key such as Enter, a or F5, with modifiers before it: Control+Shift+K"},
      ],
    },
  });

function raise(error: SubletError): never {
  throw error;
}
