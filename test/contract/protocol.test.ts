// Golden messages of protocol version 1: what an older or newer peer sends must go on being understood. When one of
// these has to change, PROTOCOL_VERSION changes with it, and the old ones stay here.
import {describe, expect, it} from "vitest";
import {
  challengeSchema,
  clientHelloSchema,
  clientRunSchema,
  clientWelcomeSchema,
  extensionStateSchema,
  helloSchema,
  PROTOCOL_VERSION,
  proofSchema,
  readySchema,
  runParamsSchema,
  transcript,
} from "../../shared/protocol.ts";
import {actionResultSchema, brokenRules} from "../../shared/result.ts";

const hello = {
  t: "hello",
  versions: [1, 1],
  install_id: "i-1",
  epoch: "e-1",
  extension_version: "0.1.0",
  nonce: "bm9uY2U=",
};

const golden = [
  ["hello", helloSchema, hello],
  [
    "challenge",
    challengeSchema,
    {t: "challenge", version: 1, bridge_id: "b-1", bridge_version: "0.1.0", nonce: "bm9uY2U=", mac: "bWFj"},
  ],
  ["proof", proofSchema, {t: "proof", mac: "bWFj", browser: {name: "Default", product: "Chrome 130"}}],
  ["ready", readySchema, {t: "ready"}],
  [
    "run",
    runParamsSchema,
    {
      session: {id: "s1", name: "Claude Code", client: "claude-code 1.0"},
      op: "click",
      input: {target: "e3"},
      action_id: "s1-2",
      started_at_ms: 1_700_000_000_000,
    },
  ],
  ["state", extensionStateSchema, {leases: 2, stopped: false}],
  [
    "client hello",
    clientHelloSchema,
    {
      version: 1,
      client: {name: "cli", version: "0.1.0"},
      resume: {session: "s1", token: "t"},
      session_name: "work",
      session: "shell",
      browser: "b",
    },
  ],
  [
    "client welcome",
    clientWelcomeSchema,
    {session_id: "s1", token: "t", bridge_version: "0.1.0", bridge_pid: 4321},
  ],
  ["client run", clientRunSchema, {op: "click", input: {target: "e3"}}],
] as const;

it("is version 1", () => {
  expect(PROTOCOL_VERSION).toBe(1);
});

describe.each(golden)("%s", (_, schema, message) => {
  it("is understood, word for word", () => {
    expect(schema.parse(message)).toEqual(message);
  });

  it("is understood with a field that a newer peer added", () => {
    expect(schema.parse({...message, added_later: 1})).toEqual(message);
  });

  it("is refused without any one of the fields that version 1 requires", () => {
    const optional = new Set(["resume", "session_name", "session", "browser", "input"]);
    for (const field of Object.keys(message).filter(
      (name) => !optional.has(name) || (name === "session" && "op" in message),
    )) {
      const rest = Object.fromEntries(Object.entries(message).filter(([name]) => name !== field));
      expect(schema.safeParse(rest).success, field).toBe(false);
    }
  });
});

it("both sides compute the MAC over the same transcript, and no two transcripts read alike", () => {
  const facts = {
    port: 47821,
    origin: "chrome-extension://abc",
    hello: helloSchema.parse(hello),
    version: 1,
    bridge_id: "b-1",
    bridge_nonce: "YnI=",
  };
  expect(transcript("bridge", facts)).toBe(
    "13:sublet-bridge|5:47821|22:chrome-extension://abc|3:i-1|3:e-1|3:b-1|3:1-1|1:1|8:bm9uY2U=|4:YnI=",
  );
  const shifted = {...facts, hello: {...facts.hello, install_id: "i-1|3:e-1", epoch: "x"}};
  const others = [
    transcript("extension", facts),
    transcript("bridge", shifted),
    transcript("bridge", {...facts, port: 1}),
  ];
  expect(new Set([transcript("bridge", facts), ...others]).size).toBe(4);
});

it("a result of version 1 is understood and lawful", () => {
  const result = {
    ok: false,
    op: "click",
    action_id: "s1-2",
    session_id: "s1",
    tab_id: "t3",
    target: {
      element: {ref: "e3", role: "button", name: "Save", tag: "button"},
      strategy: "role",
      candidates: 2,
    },
    page: {url: "https://example.com/", title: "Example"},
    action: {
      effect: "confirmed",
      route: "trusted_input",
      delivery: {mode: "background", delivered_count: 1},
      evidence: [{kind: "window_change"}],
    },
    verification: {
      status: "failed",
      checks: [
        {
          condition: {type: "url_contains", value: "done"},
          status: "failed",
          observed: "https://example.com/",
        },
      ],
    },
    error: {
      kind: "verification_failed",
      code: "expectation_failed",
      family: "expectation",
      message: "url_contains done did not hold",
      hint: "Observe.",
      recoverable: false,
      failed: [0],
    },
    evidence: [{kind: "screenshot", path: "/tmp/a.png", mime: "image/png", bytes: 12}],
    notes: [{note: "tab_opened", tab_id: "t4"}],
    timing: {started_at_ms: 1, duration_ms: 2, timeout_ms: 3},
  };
  const parsed = actionResultSchema.parse(result);
  expect(parsed).toEqual(result);
  expect(brokenRules(parsed)).toEqual([]);
});
