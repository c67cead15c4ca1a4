// The one table of error codes, and the one error class. Free of zod, so that any part may import it.
// Nothing else in the repository spells a code's kind, family, recoverability or hint.

export type ErrorKind =
  | "not_found"
  | "not_actionable"
  | "stale_element"
  | "timeout"
  | "ambiguous"
  | "verification_failed"
  | "approval_required"
  | "permission_denied"
  | "navigation_failed"
  | "invalid_argument"
  | "unsupported"
  | "session_not_found"
  | "session_limit"
  | "tab_unavailable"
  | "cancelled"
  | "backend";

export type ErrorFamily =
  | "locating"
  | "actionability"
  | "navigation"
  | "frames"
  | "dialogs"
  | "expectation"
  | "claiming"
  | "ending"
  | "person"
  | "policy"
  | "session"
  | "script"
  | "runtime";

export interface ErrorRow {
  readonly family: ErrorFamily;
  readonly kind: ErrorKind;
  /** A later attempt could succeed with the same request (as long as no input reached the page). */
  readonly recoverable: boolean;
  /** What the caller should do next; starts with a verb. */
  readonly hint: string;
}

const row = (family: ErrorFamily, kind: ErrorKind, recoverable: boolean, hint: string): ErrorRow => ({
  family,
  kind,
  recoverable,
  hint,
});

export const ERRORS = {
  not_found: row(
    "locating",
    "not_found",
    true,
    "Observe again and use a ref, or one of the names in candidates.",
  ),
  selector_ambiguous: row(
    "locating",
    "ambiguous",
    false,
    "Name one of the candidates by its ref, or narrow with within or nth.",
  ),
  stale_ref: row(
    "locating",
    "stale_element",
    true,
    "Observe again: the element this ref stood for is gone or has become another.",
  ),
  invalid_target: row(
    "locating",
    "invalid_argument",
    false,
    "Give a ref, a name, or an object with exactly one of ref, role, label, placeholder, text, test_id, alt, title, css, xpath or point.",
  ),
  missing_target: row("locating", "invalid_argument", false, "Name the element to act on in target."),

  not_visible: row(
    "actionability",
    "not_actionable",
    true,
    'Bring the element into view first (open its menu, tab or section); if it has no box by design, retry once with method: "dom".',
  ),
  not_enabled: row(
    "actionability",
    "not_actionable",
    true,
    "Do first what enables the control (a required field, a checkbox), then try again.",
  ),
  not_editable: row(
    "actionability",
    "not_actionable",
    true,
    "Look for the control that makes the field editable; it is read-only now.",
  ),
  not_a_text_field: row(
    "actionability",
    "invalid_argument",
    false,
    "Target the input itself, or use click, select or check for this kind of control.",
  ),
  not_stable: row(
    "actionability",
    "not_actionable",
    true,
    "Wait until the element stops moving, then try again.",
  ),
  intercepted: row(
    "actionability",
    "not_actionable",
    true,
    "Dismiss the blocker named here, or target it if it is what you want.",
  ),
  not_checkable: row(
    "actionability",
    "invalid_argument",
    false,
    "Target a checkbox, radio button or switch; use click for anything else.",
  ),
  not_a_select: row(
    "actionability",
    "invalid_argument",
    false,
    "Target the select or listbox itself; for a custom drop-down, click it and click the option.",
  ),
  not_a_file_input: row(
    "actionability",
    "invalid_argument",
    false,
    "Target the file input, or the label or button that opens it.",
  ),
  option_not_found: row("actionability", "not_found", true, "Use one of the options in available."),
  not_delivered: row(
    "actionability",
    "not_actionable",
    false,
    'Retry once with method: "dom": the browser took the event and the page never saw it.',
  ),
  click_incomplete: row(
    "actionability",
    "verification_failed",
    false,
    "Observe before you click again: the page saw the press, and removed or moved the element before the release.",
  ),
  value_rejected: row(
    "actionability",
    "verification_failed",
    false,
    "Read the field's own rules (format, length, range); it kept another value than the one given.",
  ),
  file_not_found: row("actionability", "not_found", false, "Check the path; it must name a readable file."),
  download_failed: row(
    "actionability",
    "backend",
    false,
    "Start the download again, or look at its state with downloads.",
  ),
  timeout: row(
    "actionability",
    "timeout",
    true,
    "Look at details.last for what it was waiting on; observe the page, or give a larger timeout_ms.",
  ),

  invalid_url: row("navigation", "invalid_argument", false, "Give a full http:// or https:// URL."),
  page_not_loaded: row(
    "navigation",
    "navigation_failed",
    false,
    "Check the address and details.reason; Chrome shows its own error page.",
  ),
  page_crashed: row("navigation", "backend", false, "Navigate or reload the tab: its page process died."),
  stale_page: row(
    "navigation",
    "tab_unavailable",
    false,
    "List the tabs and claim another: this one is gone.",
  ),
  page_not_in_session: row(
    "navigation",
    "tab_unavailable",
    false,
    "Claim the tab first with tab_claim, or open one with tab_open.",
  ),
  page_released: row(
    "navigation",
    "tab_unavailable",
    false,
    "Stop working in this tab: its lease ended (details.by says by whom). Ask before you claim it again.",
  ),
  no_tab: row(
    "navigation",
    "tab_unavailable",
    false,
    "Claim a tab with tab_claim, or open one with tab_open.",
  ),
  ambiguous_tab_target: row(
    "navigation",
    "ambiguous",
    false,
    "Say which tab: give one of the candidates as tab.",
  ),
  tab_create_failed: row("navigation", "backend", false, "Try again with a browser window open."),
  tab_create_cleanup_failed: row(
    "navigation",
    "backend",
    false,
    "Close the tab named here with tab_close; its lease is still yours.",
  ),

  frame_not_found: row(
    "frames",
    "not_found",
    true,
    "Check the chain, outermost frame first; level says which step failed.",
  ),
  frame_unreachable: row(
    "frames",
    "not_actionable",
    true,
    "Try again when the frame has loaded its document.",
  ),

  dialog_open: row("dialogs", "not_actionable", false, "Answer the dialog first with dialog_answer."),
  no_dialog: row("dialogs", "invalid_argument", false, "Go on: no such dialog is open."),
  dialog_answer_timeout: row(
    "dialogs",
    "timeout",
    false,
    "Look at the tab: the dialog was answered and has not closed.",
  ),

  expectation_failed: row(
    "expectation",
    "verification_failed",
    false,
    "Observe before anything else: what you expected did not hold in time. Do not repeat the action blindly.",
  ),
  expectation_unknown: row(
    "expectation",
    "verification_failed",
    false,
    "Observe: the page gave no proof either way.",
  ),
  invalid_definition: row(
    "expectation",
    "invalid_argument",
    false,
    "Correct the definition at the place named in details.",
  ),
  unknown_site: row("expectation", "invalid_argument", false, "List the sites with site_list."),
  unknown_command: row("expectation", "invalid_argument", false, "List the site's commands with site_list."),
  adapter_load: row("expectation", "backend", false, "Correct the definition's file; details has the cause."),

  claim_not_found: row(
    "claiming",
    "not_found",
    true,
    "List the person's tabs with tab_list and claim one by its tab_id.",
  ),
  claim_ambiguous: row("claiming", "ambiguous", false, "Claim one of the candidates by its tab_id."),
  claim_identity_mismatch: row(
    "claiming",
    "tab_unavailable",
    false,
    "List the tabs again: this tab no longer shows what you expected. Nothing was claimed.",
  ),
  claim_not_allowed: row(
    "claiming",
    "permission_denied",
    false,
    "Choose an http or https page in a normal window; others are never lent.",
  ),
  already_claimed: row(
    "claiming",
    "tab_unavailable",
    false,
    "Choose another tab, or wait until the session named here gives it back.",
  ),

  tab_close_failed: row(
    "ending",
    "backend",
    true,
    "Try tab_close or session_finalize again; the lease is still yours.",
  ),
  tab_release_failed: row(
    "ending",
    "backend",
    true,
    "Try tab_release or session_finalize again; the lease is still yours.",
  ),

  unsaved_changes: row(
    "person",
    "permission_denied",
    false,
    "Ask the person, or give discard_changes: true if they agreed to lose what is listed in details.",
  ),
  person_declined: row("person", "permission_denied", false, "Respect the answer: the person said no."),

  approval_required: row(
    "policy",
    "approval_required",
    false,
    "Wait for the person's answer in the Sublet popup, then make the same call again.",
  ),
  approval_denied: row(
    "policy",
    "permission_denied",
    false,
    "Respect the answer: the person said no to this action.",
  ),
  site_blocked: row(
    "policy",
    "permission_denied",
    false,
    "Work elsewhere: the person or their policy keeps this site closed (details.rule).",
  ),
  site_read_only: row("policy", "permission_denied", false, "Only look on this site (details.rule)."),
  upload_not_allowed: row(
    "policy",
    "permission_denied",
    false,
    "Choose a file inside the folders that the policy allows (details.rule).",
  ),
  operation_not_allowed: row(
    "policy",
    "permission_denied",
    false,
    "Do without this operation: the policy forbids it (details.rule).",
  ),
  stopped_by_person: row(
    "policy",
    "permission_denied",
    false,
    "Stop: the person pressed Stop everything, and only they can allow agents again, in the Sublet popup.",
  ),
  audit_unavailable: row(
    "policy",
    "permission_denied",
    false,
    "Ask the person to run sublet doctor: the audit cannot be written, so nothing may act.",
  ),
  evaluate_read_only: row(
    "policy",
    "permission_denied",
    false,
    "Use the acting operations for changes, or have the policy allow evaluate: full.",
  ),

  session_not_found: row(
    "session",
    "session_not_found",
    false,
    "Start a new session; there is none by this name or token.",
  ),
  session_ended: row("session", "session_not_found", false, "Start a new session; this one has ended."),
  session_limit: row("session", "session_limit", false, "Finalize a session that is done, then try again."),
  busy: row("session", "backend", true, "Wait for the running operations, then try again."),

  script_error: row("script", "backend", false, "Correct the script at the line named in details."),
  script_timeout: row("script", "timeout", false, "Make the script shorter, or give a larger timeout_ms."),
  script_limit: row("script", "backend", false, "Use less memory or output in one call."),

  browser_unavailable: row(
    "runtime",
    "backend",
    true,
    "Start the browser with the Sublet extension (sublet launch, or connect in its popup), then try again; sublet doctor says what is wrong.",
  ),
  debugger_unavailable: row(
    "runtime",
    "unsupported",
    false,
    "Do without this operation on this page; Chrome refuses the debugger here (details.reason).",
  ),
  ambiguous_browser: row("runtime", "ambiguous", false, "Name one of the candidates as browser."),
  unsupported_backend: row(
    "runtime",
    "unsupported",
    false,
    "Do without this: the connected browser cannot do it.",
  ),
  unknown_browser: row(
    "runtime",
    "invalid_argument",
    false,
    "Name one of the connected browsers in candidates.",
  ),
  unknown_capability: row(
    "runtime",
    "invalid_argument",
    false,
    "Ask capabilities without a name for the list.",
  ),
  unknown_doc: row("runtime", "invalid_argument", false, "Ask docs without a topic for the list."),
  unknown_operation: row(
    "runtime",
    "invalid_argument",
    false,
    "Use one of the operations that capabilities lists.",
  ),
  unauthorized: row(
    "runtime",
    "permission_denied",
    false,
    "Connect again from the Sublet popup: the two sides do not hold the same key.",
  ),
  version_mismatch: row(
    "runtime",
    "unsupported",
    false,
    "Update the side named here so that both speak one protocol version.",
  ),
  too_large: row("runtime", "invalid_argument", false, "Send less in one message."),
  invalid_arguments: row(
    "runtime",
    "invalid_argument",
    false,
    "Correct the arguments listed in details.issues.",
  ),
  cancelled: row("runtime", "cancelled", false, "Go on: the caller cancelled this."),
  command_lost: row("runtime", "backend", false, "Look before doing it again: it may have happened."),
  result_evicted: row(
    "runtime",
    "backend",
    false,
    "Look before doing it again: it happened, and its result is no longer kept.",
  ),
  command_failed: row("runtime", "backend", false, "Run sublet doctor, and look at details for the cause."),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === "string" && Object.hasOwn(ERRORS, value);

/** Structured data that travels beside an error's message; each is documented at its code in the contract. */
export interface ErrorData {
  candidates?: unknown[];
  blocker?: unknown;
  available?: string[];
  dialog?: unknown;
  expect?: unknown;
  failed?: unknown;
  state?: unknown;
  level?: number;
  /** What a stale ref stood for, and what is there now. */
  was?: unknown;
  now?: unknown;
  details?: Record<string, unknown>;
}

/** What crosses a wire. Kind, family and hint are looked up by whoever shows it, from the same table. */
export interface WireError extends ErrorData {
  code: ErrorCode;
  message: string;
}

/** The one error class. There is no subclass a code: callers branch on `code`. */
export class SubletError extends Error {
  override readonly name = "SubletError";
  readonly code: ErrorCode;
  readonly data: ErrorData;

  constructor(code: ErrorCode, message: string, data: ErrorData = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : {cause});
    this.code = code;
    this.data = data;
  }

  /** The only normaliser: whatever was thrown becomes one of ours, and anything unforeseen is command_failed. */
  static from(thrown: unknown): SubletError {
    if (thrown instanceof SubletError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new SubletError(
      "command_failed",
      message || "an unforeseen failure",
      {details: {cause: message}},
      thrown,
    );
  }

  toWire(): WireError {
    return {code: this.code, message: this.message, ...this.data};
  }

  /** A code this side does not know (version skew) becomes command_failed, with the original kept in details. */
  static fromWire(wire: {code: string; message: string} & ErrorData): SubletError {
    const {code, message, ...data} = wire;
    if (isErrorCode(code)) return new SubletError(code, message, data);
    return new SubletError("command_failed", message, {
      ...data,
      details: {...data.details, original_code: code},
    });
  }
}
