// Every time-out and size of Sublet, named, in one place. Times in milliseconds, sizes in bytes or characters.

export const LIMITS = {
  /** How long an operation may look for what it needs before it gives up (contract 2.4). */
  operationTimeoutMs: 10_000,
  /** The most that a caller may ask for. */
  operationTimeoutMaxMs: 120_000,
  /** How long `expect` may wait, counted from delivery. */
  expectTimeoutMs: 5_000,
  /** A dispatched operation settles by its deadline plus this. */
  settleGraceMs: 1_000,
  /** One CDP call's own deadline. */
  cdpCallMs: 10_000,
  /** A navigation's own default deadline. */
  navigationTimeoutMs: 30_000,
  /** Between tries while nothing in the page wakes us: the net under the event-driven wait. */
  retryPollMs: 100,
  /** Between tries while the tab has no document that could wake us. */
  unreachablePollMs: 20,

  heartbeatMs: 15_000,
  heartbeatsMissed: 2,
  reconnectFirstMs: 250,
  reconnectLastMs: 15_000,
  /** The extension gives every lease back when the bridge stays away so long. */
  bridgeGoneMs: 60_000,
  /** How long the first operation waits for a sleeping browser before browser_unavailable. */
  browserWaitMs: 35_000,
  /** How long it waits when no browser has ever connected to this daemon. */
  browserAbsentWaitMs: 2_000,
  handshakeFirstMessageMs: 2_000,
  handshakeProofMs: 5_000,
  handshakeMaxBytes: 4_096,
  unprovenSockets: 4,

  maxFrameBytes: 1024 * 1024,
  pieceBytes: 256 * 1024,
  /** A message in pieces may grow to this before it is refused. */
  maxMessageBytes: 64 * 1024 * 1024,
  maxFragments: 64,
  /** A result longer than this is kept aside and read by result_get. */
  resultInlineBytes: 64 * 1024,
  resultsKept: 64,
  /** A larger screenshot is named in the MCP answer, and not put into it. */
  inlineImageBytes: 4 * 1024 * 1024,

  /** The bridge's own net under the extension's deadlines: it gives an answer up only so long after it was due. */
  answerOverdueMs: 30_000,
  /** How many action ids are set aside with one write; those left over at a restart are never used. */
  actionIdsReserved: 100,
  /** A caller's own op_ids are remembered for so many operations a session. */
  opIdsKept: 200,
  bridgeLogBytes: 4 * 1024 * 1024,
  stateFileBytes: 1024 * 1024,

  queuePerTab: 32,
  queueTotal: 256,
  sessionsMax: 16,
  sessionIdleMs: 60 * 60_000,
  orphanGraceMs: 5 * 60_000,
  daemonIdleMs: 30 * 60_000,
  daemonStartMs: 10_000,

  /** A lease unused for so long goes to sleep: no focus emulation, no screencast. */
  leaseSleepMs: 10_000,
  outlineChars: 16_000,
  outlineCharsMin: 500,
  outlineCharsMax: 200_000,
  failureScreenshotMs: 500,
  journalKept: 200,
  candidatesShown: 10,
  optionsShown: 50,
} as const;

/** The bridge listens here for the extension; another is learned when this one is taken. */
export const DEFAULT_PORT = 47_821;
