// Refs (contract 2.6): a ref belongs to an element and to what it stands for. The same element keeps its ref as long
// as its role, name and row are the same; when it comes to stand for something else it gets another, and the old ref
// is stale. Numbers are never used again, in this document or a later one of the tab.

import type {ElementFacts} from "../../shared/result.ts";
import type {CallFrame, Failure} from "./contract.ts";
import {type Meaning, meaningOf, sameMeaning} from "./facts.ts";
import {fail} from "./fail.ts";
import {elementsIn} from "./tree.ts";

interface Entry {
  ref: string;
  meaning: Meaning;
  tag: string;
  element: WeakRef<Element>;
}

const entriesOf = new WeakMap<Element, Entry[]>();
const entries = new Map<string, Entry>();
let last = 0;
let prefix = "";

/** Takes over what the tab has given out so far. */
export function enterFrame(frame: CallFrame): void {
  last = Math.max(last, frame.base);
  prefix = frame.prefix;
}

export const lastNumber = (): number => last;

export function refOf(element: Element): string {
  const meaning = meaningOf(element);
  const mine = entriesOf.get(element) ?? [];
  const known = mine.find(
    (entry) => sameMeaning(entry.meaning, meaning) && entry.ref.startsWith(`${prefix}e`),
  );
  if (known !== undefined) return known.ref;
  last += 1;
  const entry = {ref: `${prefix}e${last}`, meaning, tag: element.localName, element: new WeakRef(element)};
  entries.set(entry.ref, entry);
  entriesOf.set(element, [...mine, entry]);
  return entry.ref;
}

export function factsOf(element: Element): ElementFacts {
  const {role, name} = meaningOf(element);
  return {ref: refOf(element), role, name, tag: element.localName};
}

/** The element a ref was given to, whatever it stands for by now; null when it is gone. For reading back. */
export function elementOf(ref: string): Element | null {
  const element = entries.get(ref)?.element.deref();
  return element?.isConnected === true ? element : null;
}

export type Dereferenced = {element: Element; rebound: boolean; failed?: undefined} | Failure;

/** The element a ref stands for, or its one successor. */
export function dereference(ref: string): Dereferenced {
  const entry = entries.get(ref);
  if (entry === undefined) {
    return fail(
      "stale_ref",
      `${ref} is not known in this document: it was given out for one that has been replaced, or never`,
    );
  }
  const element = elementOf(ref);
  if (element !== null && sameMeaning(meaningOf(element), entry.meaning)) return {element, rebound: false};
  const successor = successorOf(entry, element);
  if (successor === null) return stale(entry, element);
  entry.element = new WeakRef(successor);
  entriesOf.set(successor, [...(entriesOf.get(successor) ?? []), entry]);
  return {element: successor, rebound: true};
}

/** A framework may have replaced the element: exactly one with the same role, name and row is its successor. */
function successorOf(entry: Entry, except: Element | null): Element | null {
  // An element without a name or a row has nothing to be known by again.
  if (entry.meaning.name === "" && entry.meaning.key === "") return null;
  let successor: Element | null = null;
  for (const candidate of elementsIn(document)) {
    if (candidate === except || candidate.localName !== entry.tag) continue;
    if (!sameMeaning(meaningOf(candidate), entry.meaning)) continue;
    if (successor !== null) return null;
    successor = candidate;
  }
  return successor;
}

function stale(entry: Entry, element: Element | null): Failure {
  const was = shown(entry.meaning);
  const now = element === null ? null : shown(meaningOf(element));
  const became =
    now === null
      ? "is no longer in the page"
      : `is now ${describe(meaningOf(element ?? document.documentElement))}`;
  return fail("stale_ref", `${entry.ref} stood for ${describe(entry.meaning)}, which ${became}`, {was, now});
}

const shown = ({role, name, key}: Meaning) => ({role, name, ...(key !== "" && {within: key})});
const describe = ({role, name, key}: Meaning): string =>
  `${role} "${name}"${key === "" || key === name ? "" : ` in "${key}"`}`;

/** Forgets everything but the count. */
export function forgetRefs(): void {
  entries.clear();
}
