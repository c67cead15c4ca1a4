// From a caller's target to one frame and the target as that frame's engine takes it.
import {SubletError} from "../../shared/errors.ts";
import {parseRef, refOf, type Target} from "../../shared/target.ts";
import type {PageTarget} from "../page/contract.ts";
import type {Workplace} from "./context.ts";
import {type Frame, frameNumbered} from "./frames.ts";

export interface Place {
  frame: Frame;
  target: PageTarget;
}

export function placeOf(work: Workplace, target: Target): Place {
  return {frame: frameFor(work, target), target: pageTarget(target)};
}

/** The frame that a ref names; everything else is looked for in the top document. */
function frameFor(work: Workplace, target: Target): Frame {
  const ref =
    refOf(target) ??
    (typeof target === "object" && target.within !== undefined ? refOf(target.within) : null);
  const number = ref === null ? 0 : (parseRef(ref)?.frame ?? 0);
  if (number === 0) return work.top();
  const frame = frameNumbered(work.tabId, number);
  if (frame === undefined) throw new SubletError("stale_ref", `the frame of ${ref} is gone`, {was: {ref}});
  return frame;
}

/** A plain string is a ref when it looks like one, else a guess that the engine tries in the contract's order. */
export function pageTarget(target: Target): PageTarget {
  if (typeof target === "string") return parseRef(target) === null ? {guess: target} : {ref: target.trim()};
  const {within, frame: _, ...rest} = target;
  return within === undefined ? rest : {...rest, within: pageTarget(within)};
}
