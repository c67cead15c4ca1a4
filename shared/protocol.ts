// What crosses the sockets: the extension's handshake, and the methods and events of both channels.
// Everything received is parsed with these schemas at the boundary, and trusted inside.
import {z} from "zod";

/** Raised when a change would make an older peer misunderstand us. Unknown fields are ignored, so additions do not. */
export const PROTOCOL_VERSION = 1;

export const EXTENSION_PATH = "/v1/extension";
/** The path of the agents' side, on the Unix socket. */
export const AGENT_PATH = "/v1/agent";

/** Follows from `key` in manifest.json; nobody else may knock. */
export const EXTENSION_ID = "pnkpmmgkledehkjlehjinnhadgiaaefp";
export const EXTENSION_ORIGIN = `chrome-extension://${EXTENSION_ID}`;

const base64 = z
  .string()
  .regex(/^[A-Za-z0-9+/=]+$/)
  .max(200);
const id = z.string().min(1).max(100);
const versions = z.tuple([z.int().min(1).max(1000), z.int().min(1).max(1000)]);

/** The handshake, in order (security 4.1): the bridge proves itself first, and the key never crosses the wire. */
export const helloSchema = z.object({
  t: z.literal("hello"),
  versions,
  install_id: id,
  /** Lives in storage.session: the same again means that only the worker restarted. */
  epoch: id,
  extension_version: z.string().max(40),
  nonce: base64,
});
export const challengeSchema = z.object({
  t: z.literal("challenge"),
  version: z.int(),
  bridge_id: id,
  bridge_version: z.string().max(40),
  nonce: base64,
  mac: base64,
});
export const proofSchema = z.object({
  t: z.literal("proof"),
  mac: base64,
  browser: z.object({name: z.string().max(100), product: z.string().max(100)}),
});
export const readySchema = z.object({t: z.literal("ready")});
export type Hello = z.infer<typeof helloSchema>;
export type Challenge = z.infer<typeof challengeSchema>;
export type Proof = z.infer<typeof proofSchema>;

export interface TranscriptFacts {
  port: number;
  origin: string;
  hello: Hello;
  version: number;
  bridge_id: string;
  bridge_nonce: string;
}

/** What both MACs are over: every fact of the handshake, each with its length, so that no two transcripts read alike. */
export function transcript(label: "bridge" | "extension", facts: TranscriptFacts): string {
  const parts = [
    `sublet-${label}`,
    facts.port,
    facts.origin,
    facts.hello.install_id,
    facts.hello.epoch,
    facts.bridge_id,
    facts.hello.versions.join("-"),
    facts.version,
    facts.hello.nonce,
    facts.bridge_nonce,
  ].map(String);
  return parts.map((part) => `${part.length}:${part}`).join("|");
}

export const closeCodes = {
  badFrame: 4400,
  unauthorized: 4401,
  version: 4406,
  timeout: 4408,
  replaced: 4409,
  tooBig: 4413,
  tooMany: 4429,
  shuttingDown: 4503,
} as const;

// ---- bridge to extension ----

/** Who asks: the session as the extension needs to know it. */
export const sessionFactsSchema = z.object({
  id,
  /** Shown to the person and to other sessions: "Claude Code", "cli". */
  name: z.string().min(1).max(100),
  client: z.string().max(100),
});
export type SessionFacts = z.infer<typeof sessionFactsSchema>;

/**
 * One operation. The bridge may send the same one again after a reconnect: the extension's journal answers for an
 * action_id that it has accepted before, so that nothing runs twice.
 */
export const runParamsSchema = z.object({
  session: sessionFactsSchema,
  op: z.string().max(100),
  input: z.unknown(),
  action_id: id,
  started_at_ms: z.number(),
});
export type RunParams = z.infer<typeof runParamsSchema>;

export const extensionMethods = {
  /** Runs one operation; answers with an ActionResult, and never throws for what the operation itself met. */
  run: "run",
  /** The leases as the extension holds them, for `status`, `session_list` and reports. */
  state: "state",
  /** Opens pages as the person's own tabs; only in a profile that `launch` made. */
  open: "open",
} as const;

export const openParamsSchema = z.object({urls: z.array(z.string().max(2048)).max(50)});

/** The event's name is "state". Sent by the extension whenever it changes: the bridge keeps running while a lease lives. */
export const extensionStateSchema = z.object({
  leases: z.int().min(0),
  stopped: z.boolean(),
});
export type ExtensionState = z.infer<typeof extensionStateSchema>;

// ---- agent to bridge, over the Unix socket ----

export const clientHelloSchema = z.object({
  version: z.int(),
  /** What the client says it is; shown in quotes, never used for permission. */
  client: z.object({name: z.string().min(1).max(100), version: z.string().max(40)}),
  /** To take up a session again: its name or id, and its token. */
  resume: z.object({session: z.string().max(100), token: z.string().max(200)}).optional(),
  session_name: z.string().min(1).max(100).optional(),
  /** connection: ends with the connection (MCP, client). shell: outlives it (CLI). none: status and stop only. */
  session: z.enum(["connection", "shell", "none"]).default("connection"),
  browser: z.string().max(100).optional(),
});
export type ClientHello = z.infer<typeof clientHelloSchema>;

export const clientWelcomeSchema = z.object({
  session_id: z.string().nullable(),
  token: z.string().nullable(),
  bridge_version: z.string(),
  bridge_pid: z.int(),
});
export type ClientWelcome = z.infer<typeof clientWelcomeSchema>;

export const clientRunSchema = z.object({op: z.string().max(100), input: z.unknown()});

export const clientMethods = {
  hello: "hello",
  /** Runs one operation in the connection's session; answers with an ActionResult, always. */
  run: "run",
  /** What the bridge knows of itself: browsers, sessions, port. */
  status: "status",
  /** Ends the bridge. */
  shutdown: "shutdown",
  /** Makes a key for a profile that `launch` is about to start. */
  enrol: "enrol",
  /** Forgets that key again, when launch's browser has ended. */
  forget: "forget",
  /** Waits until the browser of an install_id is connected. */
  awaitBrowser: "await_browser",
  /** Opens pages as the person's own tabs in a browser that launch started. */
  open: "open",
  /** A clean end: finalizes a connection's session. */
  bye: "bye",
} as const;

export const browserStatusSchema = z.object({
  letter: z.string(),
  name: z.string(),
  product: z.string(),
  install_id: z.string(),
  extension_version: z.string(),
  connected: z.boolean(),
  leases: z.int(),
  stopped: z.boolean(),
});

export const statusSchema = z.object({
  version: z.string(),
  pid: z.int(),
  port: z.int().nullable(),
  uptime_ms: z.number(),
  browsers: z.array(browserStatusSchema),
  sessions: z.array(
    z.object({
      session: z.string(),
      name: z.string(),
      client: z.string(),
      idle_ms: z.number(),
      orphaned: z.boolean(),
    }),
  ),
  clients: z.int(),
});
export type Status = z.infer<typeof statusSchema>;

export const browserParamsSchema = z.object({install_id: id});
export const awaitBrowserParamsSchema = z.object({install_id: id, timeout_ms: z.int().min(0).max(600_000)});
export const openInParamsSchema = openParamsSchema.extend({install_id: id});
export const enrolParamsSchema = z.object({label: z.string().min(1).max(100)});
/** What launch puts beside its copy of the extension: the one-time key of its own throw-away profile. */
export const enrolmentSchema = z.object({
  install_id: id,
  bridge_id: id,
  port: z.int(),
  key: base64,
  label: z.string(),
});
export type Enrolment = z.infer<typeof enrolmentSchema>;
/** The file beside the launched extension's copy that holds an Enrolment. */
export const ENROLMENT_FILE = "enrolment.json";

// ---- popup to worker ----

export const popupMethods = {
  state: "state",
  takeBack: "take_back",
  stopAll: "stop_all",
  allowAgain: "allow_again",
  show: "show",
} as const;
