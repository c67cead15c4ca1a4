// The options of a native select: which are meant, which there are, and choosing them.

import type {Failure} from "./contract.ts";
import {fail} from "./fail.ts";
import {fold} from "./text.ts";
import {labelOf} from "./values.ts";

export interface OptionNames {
  values?: string[];
  labels?: string[];
  indexes?: number[];
}

const shownOptions = 50;

/** The options that are meant, in the select's own order. A value may also be named by its label, for who cannot see it. */
export function chosenOptions(
  select: HTMLSelectElement,
  names: OptionNames,
): {options: HTMLOptionElement[]; failed?: undefined} | Failure {
  const all = Array.from(select.options);
  const wanted: {what: string; option: HTMLOptionElement | undefined}[] = [
    ...(names.values ?? []).map((value) => ({
      what: `value "${value}"`,
      option: all.find((option) => option.value === value) ?? byLabel(all, value),
    })),
    ...(names.labels ?? []).map((label) => ({what: `label "${label}"`, option: byLabel(all, label)})),
    ...(names.indexes ?? []).map((index) => ({what: `index ${index}`, option: all[index]})),
  ];
  const missing = wanted.find(({option}) => option === undefined);
  if (missing !== undefined) {
    return fail("option_not_found", `no option with ${missing.what}`, {available: available(all)});
  }
  const options = all.filter((option) => wanted.some((one) => one.option === option));
  const closed = options.find(
    (option) => option.matches(":disabled") || option.closest("optgroup[disabled]") !== null,
  );
  if (closed !== undefined) {
    return fail("not_enabled", `the option "${labelOf(closed)}" is disabled`, {available: available(all)});
  }
  if (options.length > 1 && !select.multiple) {
    return fail("option_not_found", "this select takes one option only, and several were named", {
      available: available(all),
    });
  }
  return {options};
}

export function areChosen(select: HTMLSelectElement, options: HTMLOptionElement[]): boolean {
  const now = Array.from(select.selectedOptions);
  return now.length === options.length && options.every((option) => option.selected);
}

/** Chooses as a person would: the state first, then the two events, once each. */
export function choose(select: HTMLSelectElement, options: HTMLOptionElement[]): void {
  if (areChosen(select, options)) return;
  if (select.multiple) for (const option of select.options) option.selected = options.includes(option);
  else if (options[0] !== undefined) options[0].selected = true;
  else select.selectedIndex = -1;
  select.dispatchEvent(new Event("input", {bubbles: true, composed: true}));
  select.dispatchEvent(new Event("change", {bubbles: true}));
}

const byLabel = (all: HTMLOptionElement[], label: string): HTMLOptionElement | undefined => {
  const wanted = fold(label).toLowerCase();
  return (
    all.find((option) => labelOf(option) === label) ??
    all.find((option) => fold(labelOf(option)).toLowerCase() === wanted)
  );
};

const available = (all: HTMLOptionElement[]): string[] =>
  all.slice(0, shownOptions).map((option) => {
    const label = labelOf(option);
    return option.value === label || option.value === "" ? label : `${label} (${option.value})`;
  });
