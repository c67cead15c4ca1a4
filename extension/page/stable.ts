// Whether an element moves. Only an animation of itself or of what it is in can move it in a way worth waiting for;
// a spinner elsewhere, or one that changes colour, does not count (case 22).
import type {Point} from "./contract.ts";
import {lineageOf} from "./tree.ts";
import {newTurn} from "./turn.ts";

const apartMs = 34;
const tolerancePx = 1;

/** Null: nothing animates it. Else whether its point moved between two looks a moment apart. */
export async function movedDuring(element: Element, look: () => Point | null): Promise<boolean | null> {
  if (!isAnimated(element)) return null;
  const first = look();
  await new Promise((resolve) => setTimeout(resolve, apartMs));
  newTurn();
  const second = look();
  if (first === null || second === null) return true;
  return Math.abs(first.x - second.x) > tolerancePx || Math.abs(first.y - second.y) > tolerancePx;
}

function isAnimated(element: Element): boolean {
  for (const at of lineageOf(element)) {
    for (const {effect, playState} of at.getAnimations()) {
      if (playState === "running" && effect instanceof KeyframeEffect && effect.getKeyframes().some(moves))
        return true;
    }
  }
  return false;
}

/** Properties that leave every box where it is. */
const still = new Set(
  (
    "offset computedOffset easing composite opacity color backgroundColor background backgroundImage backgroundPosition " +
    "backgroundPositionX backgroundPositionY backgroundSize boxShadow borderColor borderTopColor borderRightColor " +
    "borderBottomColor borderLeftColor outlineColor outlineOffset outlineWidth filter backdropFilter visibility fill stroke " +
    "strokeDashoffset strokeDasharray textDecorationColor textShadow caretColor accentColor cursor zIndex"
  ).split(" "),
);
const moves = (keyframe: ComputedKeyframe): boolean =>
  Object.keys(keyframe).some((property) => !still.has(property));
