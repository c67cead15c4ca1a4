// From what happened to what the result says of it: notes for the reader, and whether it is a window change.
import type {Note} from "../../shared/result.ts";
import type {Context} from "./context.ts";
import type {Frame} from "./frames.ts";
import type {Happening} from "./happenings.ts";

/** Whether the page asked for or committed a document navigation, a tab opened or closed, or a dialog opened. */
export function windowChanged(happenings: readonly Happening[], frame: Frame): boolean {
  return happenings.some((happening) => {
    if (happening.kind === "navigation_requested" || happening.kind === "navigated") {
      // Another frame that reloads itself (an advertisement) proves nothing of this action.
      return happening.frame === frame.id || frame.parent !== null;
    }
    return ["window_open", "tab_opened", "tab_closed", "dialog_opened"].includes(happening.kind);
  });
}

export function noteHappenings(
  context: Context,
  happenings: readonly Happening[],
  domChanged: boolean,
): void {
  const notes: Note[] = [];
  if (domChanged) notes.push({note: "dom_changed"});
  for (const happening of happenings) {
    const note = noteOf(happening);
    if (note !== null && !notes.some((other) => JSON.stringify(other) === JSON.stringify(note)))
      notes.push(note);
  }
  context.found.notes.push(...notes);
}

function noteOf(happening: Happening): Note | null {
  switch (happening.kind) {
    case "navigated":
      return {note: "navigated", url: happening.url};
    case "url_changed":
      return {note: "url_changed", url: happening.url};
    case "tab_opened":
      return {note: "tab_opened", tab_id: happening.tab_id, url: happening.url};
    case "tab_closed":
      return {note: "tab_closed", tab_id: happening.tab_id};
    case "focus_restored":
      return {note: "focus_restored", after_ms: happening.after_ms};
    case "dialog_opened":
      return {note: "dialog_opened", dialog: happening.dialog};
    default:
      return null;
  }
}
