// The channel, under anything that can happen to it: every request settles exactly once, nothing received crashes it,
// and what arrives is what was sent.
import fc from "fast-check";
import {expect, it, vi} from "vitest";
import {type Channel, createChannel} from "../../shared/channel.ts";
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";

type Step =
  | {do: "request"; timeoutMs: number | undefined; cancellable: boolean; size: number}
  | {do: "carry"; side: 0 | 1}
  | {do: "answer"; index: number; fails: boolean}
  | {do: "cancel"; index: number}
  | {do: "wait"; ms: number}
  | {do: "close"; side: 0 | 1};

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("request" as const),
      timeoutMs: fc.option(fc.integer({min: 1, max: 50}), {nil: undefined}),
      cancellable: fc.boolean(),
      // Now and then long enough to travel in pieces.
      size: fc.oneof(
        {weight: 8, arbitrary: fc.constant(1)},
        {weight: 1, arbitrary: fc.constant(LIMITS.pieceBytes * 2)},
      ),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({do: fc.constant("carry" as const), side: fc.constantFrom(0 as const, 1 as const)}),
  },
  {
    weight: 4,
    arbitrary: fc.record({do: fc.constant("answer" as const), index: fc.nat(9), fails: fc.boolean()}),
  },
  {weight: 2, arbitrary: fc.record({do: fc.constant("cancel" as const), index: fc.nat(9)})},
  {weight: 2, arbitrary: fc.record({do: fc.constant("wait" as const), ms: fc.integer({min: 1, max: 60})})},
  {
    weight: 1,
    arbitrary: fc.record({do: fc.constant("close" as const), side: fc.constantFrom(0 as const, 1 as const)}),
  },
);

/** Two channels joined by two queues, so that a test decides when each frame arrives. */
function pair(answer: (params: unknown) => Promise<unknown>) {
  const queues: [string[], string[]] = [[], []];
  const closes = [0, 0];
  const side = (own: 0 | 1): Channel =>
    createChannel({
      transport: {post: (text) => queues[own].push(text), close: () => undefined},
      answer: (_, params) => answer(params),
      onClose: () => {
        closes[own] = (closes[own] ?? 0) + 1;
      },
    });
  const channels: [Channel, Channel] = [side(0), side(1)];
  /** Brings the oldest frame of one side to the other; false when there is none. */
  const carry = (from: 0 | 1): boolean => {
    const text = queues[from].shift();
    if (text !== undefined) channels[from === 0 ? 1 : 0].receive(text);
    return text !== undefined;
  };
  return {channels, queues, closes, carry};
}

it("every request settles exactly once, whatever happens in whatever order", async () => {
  vi.useFakeTimers();
  try {
    await fc.assert(fc.asyncProperty(fc.array(step, {maxLength: 40}), settlesOnce), {numRuns: 300});
  } finally {
    vi.useRealTimers();
  }
});

async function settlesOnce(steps: Step[]): Promise<void> {
  const waiting: {resolve(value: unknown): void; reject(error: unknown): void; params: unknown}[] = [];
  const {channels, closes, carry} = pair(
    (params) => new Promise((resolve, reject) => waiting.push({resolve, reject, params})),
  );
  const [client, server] = channels;
  const settled: {count: number; value: unknown; error: unknown; sent: string}[] = [];
  const cancels: AbortController[] = [];

  const start = ({timeoutMs, cancellable, size}: Extract<Step, {do: "request"}>) => {
    const controller = new AbortController();
    if (cancellable) cancels.push(controller);
    const record = {
      count: 0,
      value: undefined as unknown,
      error: undefined as unknown,
      sent: `${settled.length}`.repeat(size),
    };
    settled.push(record);
    const options = {
      ...(timeoutMs !== undefined && {timeoutMs}),
      ...(cancellable && {signal: controller.signal}),
    };
    client.request("echo", record.sent, options).then(
      (value) => {
        record.count += 1;
        record.value = value;
      },
      (error: unknown) => {
        record.count += 1;
        record.error = error;
      },
    );
  };

  for (const each of steps) {
    if (each.do === "request") start(each);
    else if (each.do === "carry") carry(each.side);
    else if (each.do === "cancel") cancels[each.index]?.abort();
    else if (each.do === "wait") await vi.advanceTimersByTimeAsync(each.ms);
    else if (each.do === "close") channels[each.side].close("test");
    else if (each.fails) waiting[each.index]?.reject(new SubletError("busy", "no"));
    else waiting[each.index]?.resolve(waiting[each.index]?.params);
    await vi.advanceTimersByTimeAsync(0);
    for (const record of settled) expect(record.count).toBeLessThanOrEqual(1);
  }

  client.close("the end");
  await vi.advanceTimersByTimeAsync(0);
  for (const record of settled) {
    expect(record.count).toBe(1);
    // Answered by its own answer, never another's; or failed by one of our codes.
    if (record.error === undefined) expect(record.value).toBe(record.sent);
    else expect(record.error).toBeInstanceOf(SubletError);
  }
  server.close("the end");
  expect(closes).toEqual([1, 1]);
  expect(vi.getTimerCount()).toBe(0);
}

it("what arrives is what was sent, in pieces or not", async () => {
  const big = fc
    .integer({min: 0, max: LIMITS.pieceBytes * 2})
    .map((length) => 'é\u{1f600}\ud800"\\'.repeat(length / 5));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({weight: 9, arbitrary: fc.jsonValue()}, {weight: 1, arbitrary: big}),
      async (value) => {
        const {channels, queues, carry} = pair(async (params) => params);
        const answer = channels[0].request("echo", {value});
        while (carry(0));
        // The other side answers within a few turns of the microtask queue.
        while (queues[1].length === 0) await null;
        for (const frame of queues[1]) expect(frame.length).toBeLessThan(LIMITS.maxFrameBytes);
        while (carry(1));
        expect(await answer).toEqual(JSON.parse(JSON.stringify({value})));
      },
    ),
    {numRuns: 100},
  );
});

const messages = fc.record(
  {
    t: fc.constantFrom("req", "res", "event", "cancel", "beat", "piece", "nonsense"),
    id: fc.oneof(fc.integer(), fc.double(), fc.string(), fc.constant(null)),
    method: fc.oneof(fc.string(), fc.constant("__proto__")),
    params: fc.jsonValue(),
    name: fc.oneof(fc.string(), fc.integer()),
    result: fc.jsonValue(),
    error: fc.oneof(
      fc.jsonValue(),
      fc.record({code: fc.jsonValue(), message: fc.string(), details: fc.jsonValue()}),
    ),
    last: fc.boolean(),
    data: fc.oneof(fc.string(), fc.json()),
  },
  {requiredKeys: ["t"]},
);

it("nothing received crashes it: it goes on, or it ends", async () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    messages.map((message) => JSON.stringify(message)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, {maxLength: 20}), async (frames) => {
      const {channels, closes} = pair(async () => "answer");
      const own = channels[0].request("mine", {}).then(
        () => "settled",
        () => "settled",
      );
      for (const frame of frames) channels[0].receive(frame);
      channels[0].close("the end");
      expect(await own).toBe("settled");
      expect(closes[0]).toBe(1);
    }),
    {numRuns: 500},
  );
});
