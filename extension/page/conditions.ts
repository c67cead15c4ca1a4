// The conditions that this document can answer (contract 2.3), each by one look. What it cannot know is `unknown`.

import type {CheckStatus, Finding, LeafCondition, UnknownReason} from "../../shared/condition.ts";
import {attr} from "./attributes.ts";
import type {Failure, PageTarget} from "./contract.ts";
import {shownName, shownRole} from "./facts.ts";
import {fail} from "./fail.ts";
import {allMatches} from "./locate.ts";
import {byText} from "./match.ts";
import {quietMs} from "./quiet.ts";
import {isSecret, REDACTED, shownValue} from "./secret.ts";
import {isSelect} from "./tags.ts";
import {clip, textOf} from "./text.ts";
import {checkedOf, disabling, isFocused, labelOf, valueOf} from "./values.ts";
import {isVisible} from "./visible.ts";

export interface Asked {
  condition: LeafCondition;
  target?: PageTarget;
  within?: PageTarget;
}

export function findingOf({condition, target, within}: Asked): Finding {
  switch (condition.type) {
    case "url_contains":
    case "url_equals":
    case "url_matches":
      return wordsFinding(location.href, condition);
    case "title_contains":
    case "title_equals":
      return wordsFinding(document.title, condition);
    case "text_visible":
      return textFinding(condition.text, within, true);
    case "text_absent":
      return textFinding(condition.text, within, false);
    case "element_visible":
      return presence(target, true);
    case "element_absent":
      return presence(target, false);
    case "count":
      return countFinding(condition, target);
    case "dom_stable":
      return stability(condition.ms);
    case "enabled":
    case "disabled":
    case "checked":
    case "unchecked":
    case "focused":
    case "value_equals":
    case "value_contains":
    case "selected":
    case "attribute":
      return onElement(target, (element) => elementFinding(condition, element));
    default:
      return unknown("unsupported");
  }
}

type OnElement = Extract<
  LeafCondition,
  {
    type:
      | "enabled"
      | "disabled"
      | "checked"
      | "unchecked"
      | "focused"
      | "value_equals"
      | "value_contains"
      | "selected"
      | "attribute";
  }
>;

/** The end of the type's name says how the two are compared. */
function wordsFinding(actual: string, {type, value}: {type: string; value: string}): Finding {
  if (type.endsWith("contains")) return judge(actual.includes(value), actual);
  return judge(type.endsWith("equals") ? actual === value : new RegExp(value).test(actual), actual);
}

const judge = (holds: boolean, observed?: unknown): Finding => {
  const status: CheckStatus = holds ? "passed" : "failed";
  return observed === undefined ? {status} : {status, observed};
};
const unknown = (reason: UnknownReason, observed?: unknown): Finding =>
  observed === undefined ? {status: "unknown", reason} : {status: "unknown", reason, observed};

function elementFinding(condition: OnElement, element: Element): Finding {
  switch (condition.type) {
    case "enabled":
    case "disabled": {
      const disabled = disabling(element);
      return judge(
        (disabled !== null) === (condition.type === "disabled"),
        disabled === null ? "enabled" : disabled.why,
      );
    }
    case "checked":
    case "unchecked": {
      const checked = checkedOf(element);
      if (checked === null) return unknown("unsupported", `a ${shownRole(element)} is not checkable`);
      return judge(checked === (condition.type === "checked"), checked);
    }
    case "focused":
      return judge(isFocused(element));
    case "value_equals":
    case "value_contains": {
      const value = valueOf(element);
      if (value === null) return unknown("unsupported", `a ${shownRole(element)} holds no value`);
      return {...wordsFinding(value, condition), observed: shownValue(element, value)};
    }
    case "selected":
      return selectionFinding(element, condition.value);
    case "attribute": {
      const value = attr(element, condition.name);
      const secret =
        condition.name.toLowerCase() === "value" && value !== null && value !== "" && isSecret(element);
      return judge(value === condition.value, secret ? REDACTED : value);
    }
  }
}

function selectionFinding(element: Element, wanted: string): Finding {
  if (isSelect(element)) {
    const selected = Array.from(element.selectedOptions);
    return judge(
      selected.some((option) => option.value === wanted || labelOf(option) === wanted),
      selected.map(labelOf),
    );
  }
  const options =
    attr(element, "role") === "option" || attr(element, "role") === "tab"
      ? [element]
      : Array.from(element.querySelectorAll("[aria-selected]"));
  if (options.length === 0) return unknown("unsupported", `a ${shownRole(element)} has no options`);
  const selected = options
    .filter((option) => attr(option, "aria-selected") === "true")
    .map((option) => shownName(option) || textOf(option));
  return judge(selected.includes(wanted), selected);
}

/** The one element a condition speaks of. */
function onElement(target: PageTarget | undefined, find: (element: Element) => Finding): Finding {
  const matches = target === undefined ? missing : allMatches(target);
  if (matches.failed !== undefined) return unknown(reasonForScope(matches));
  const chosen = nthOf(matches.elements, target);
  if (chosen.length === 0) return unknown("target_missing");
  const [only, ...others] = chosen;
  return only === undefined || others.length > 0 ? unknown("multi_match", chosen.length) : find(only);
}

const missing: Failure = fail("missing_target", "the condition names no element");

const nthOf = (elements: Element[], target: PageTarget | undefined): Element[] =>
  target?.nth === undefined ? elements : elements.slice(target.nth, target.nth + 1);

function presence(target: PageTarget | undefined, wanted: boolean): Finding {
  const matches = target === undefined ? missing : allMatches(target);
  if (matches.failed !== undefined && matches.failed !== "not_found" && matches.failed !== "stale_ref")
    return unknown(reasonFor(matches));
  const elements = matches.failed === undefined ? nthOf(matches.elements, target) : [];
  const visible = elements.filter(isVisible);
  const observed =
    visible.length > 0
      ? `${visible.length} visible`
      : elements.length > 0
        ? `${elements.length} hidden`
        : "none";
  return judge(visible.length > 0 === wanted, observed);
}

const reasonFor = (failure: Failure): UnknownReason =>
  failure.failed === "selector_ambiguous"
    ? "multi_match"
    : failure.failed === "missing_target"
      ? "target_missing"
      : "unsupported";

function countFinding(
  condition: Extract<LeafCondition, {type: "count"}>,
  target: PageTarget | undefined,
): Finding {
  const matches = target === undefined ? missing : allMatches(target);
  if (matches.failed !== undefined && matches.failed !== "not_found" && matches.failed !== "stale_ref")
    return unknown(reasonFor(matches));
  const count = matches.failed === undefined ? matches.elements.filter(isVisible).length : 0;
  const {equals = count, min = 0, max = count} = condition;
  return judge(count === equals && count >= min && count <= max, count);
}

function textFinding(text: string, within: PageTarget | undefined, wanted: boolean): Finding {
  const scope = within === undefined ? null : allMatches(within);
  if (scope?.failed !== undefined) return unknown(reasonForScope(scope));
  if (scope !== null && scope.elements.length > 1 && within?.nth === undefined)
    return unknown("multi_match", scope.elements.length);
  const inside = scope === null ? document : nthOf(scope.elements, within)[0];
  if (inside === undefined) return unknown("target_missing");
  const holding = byText(text, false, inside);
  const visible = holding.find(isVisible);
  const observed =
    visible !== undefined
      ? clip(textOf(visible, {limit: 200}), 120)
      : holding.length > 0
        ? "in the page, hidden"
        : "not in the page";
  return judge((visible !== undefined) === wanted, observed);
}

const reasonForScope = ({failed}: Failure): UnknownReason =>
  failed === "selector_ambiguous" ? "multi_match" : "target_missing";

function stability(ms: number): Finding {
  const {quiet, watched} = quietMs();
  if (quiet >= ms) return judge(true, "quiet");
  return quiet < watched ? judge(false, "changing") : unknown("stability_unproven");
}
