// The channel by its behaviours: answers, deadlines, cancels, ends, heartbeats. The property tests mix them.
import {afterEach, beforeEach, describe, expect, it, vi} from "vitest";
import {type Answerer, type ChannelOptions, createChannel} from "../../../shared/channel.ts";
import {SubletError} from "../../../shared/errors.ts";
import {LIMITS} from "../../../shared/limits.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** One end, with what it posted and why it closed. */
function oneEnd(options: Partial<ChannelOptions> = {}) {
  const posted: string[] = [];
  const closes: string[] = [];
  const channel = createChannel({
    transport: {post: (text) => posted.push(text), close: () => undefined},
    answer: async () => null,
    onClose: (reason) => closes.push(reason),
    ...options,
  });
  return {channel, posted, closes, sent: (): unknown[] => posted.map((text) => JSON.parse(text))};
}

/** Both ends, each frame delivered at once. */
function bothEnds(answer: Answerer) {
  const server = oneEnd({
    answer,
    transport: {post: (text) => client.channel.receive(text), close: () => undefined},
  });
  const client = oneEnd({transport: {post: (text) => server.channel.receive(text), close: () => undefined}});
  return {client: client.channel, server: server.channel};
}

describe("a request", () => {
  it("is answered with what the other side returns", async () => {
    const {client} = bothEnds(async (method, params) => ({method, params}));
    expect(await client.request("greet", {name: "Ada"})).toEqual({method: "greet", params: {name: "Ada"}});
  });

  it("fails with the code that the other side threw", async () => {
    const {client} = bothEnds(async () => {
      throw new SubletError("already_claimed", "t3 is lent", {details: {session_name: "other"}});
    });
    await expect(client.request("claim", {})).rejects.toMatchObject({
      code: "already_claimed",
      data: {details: {session_name: "other"}},
    });
  });

  it("fails with command_failed when the answer cannot be put into words", async () => {
    const {client} = bothEnds(async () => 1n);
    await expect(client.request("big", {})).rejects.toMatchObject({code: "command_failed"});
  });

  it("fails alone when its parameters cannot be put into words", async () => {
    const {channel, closes} = oneEnd();
    await expect(channel.request("big", 1n)).rejects.toMatchObject({code: "command_failed"});
    expect(closes).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("fails with timeout at its deadline, and tells the other side to stop", async () => {
    let signal: AbortSignal | undefined;
    const {client} = bothEnds((_, __, context) => {
      signal = context.signal;
      return new Promise(() => undefined);
    });
    const failure = expect(client.request("slow", {}, {timeoutMs: 100})).rejects.toMatchObject({
      code: "timeout",
    });
    await vi.advanceTimersByTimeAsync(99);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await failure;
    expect(signal?.aborted).toBe(true);
  });

  it("fails with cancelled when its caller cancels, and tells the other side to stop", async () => {
    const {channel, sent} = oneEnd();
    const controller = new AbortController();
    const failure = expect(channel.request("slow", {}, {signal: controller.signal})).rejects.toMatchObject({
      code: "cancelled",
    });
    controller.abort();
    await failure;
    expect(sent()).toEqual([expect.objectContaining({t: "req", id: 1}), {t: "cancel", id: 1}]);
  });

  it("is not sent at all when it was cancelled before", async () => {
    const {channel, posted} = oneEnd();
    await expect(channel.request("late", {}, {signal: AbortSignal.abort()})).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(posted).toEqual([]);
  });

  it("fails with command_lost when the channel ends before its answer", async () => {
    const {channel} = oneEnd();
    const failure = expect(channel.request("slow", {})).rejects.toMatchObject({
      code: "command_lost",
      data: {details: {reason: "gone"}},
    });
    channel.close("gone");
    await failure;
  });

  it("on a channel that has ended says that it was never sent", async () => {
    const {channel} = oneEnd();
    channel.close("gone");
    await expect(channel.request("late", {})).rejects.toMatchObject({
      code: "command_lost",
      data: {details: {sent: false}},
    });
  });

  it("ignores a second answer, and an answer to nothing", async () => {
    const {channel, closes} = oneEnd();
    const answer = channel.request("once", {});
    channel.receive('{"t":"res","id":1,"result":"first"}');
    channel.receive('{"t":"res","id":1,"result":"second"}');
    channel.receive('{"t":"res","id":77,"result":"whose?"}');
    expect(await answer).toBe("first");
    expect(closes).toEqual([]);
  });
});

describe("the end", () => {
  it("comes once, aborts what runs here, and stops the heart", async () => {
    let signal: AbortSignal | undefined;
    const {channel, closes} = oneEnd({
      heartbeatMs: 1000,
      answer: (_, __, context) => {
        signal = context.signal;
        return new Promise(() => undefined);
      },
    });
    channel.receive('{"t":"req","id":1,"method":"slow","params":{}}');
    channel.close("first");
    channel.close("second");
    expect(closes).toEqual(["first"]);
    expect(signal?.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    "",
    "{",
    "[]",
    "null",
    "42",
    '{"t":"what"}',
    '{"t":"req","id":"1","method":"a"}',
    '{"t":"res","id":1,"error":"no"}',
  ])("comes with the malformed message %j", (text) => {
    const {channel, closes} = oneEnd();
    channel.receive(text);
    expect(closes).toEqual(["malformed message"]);
  });

  it("comes when the transport refuses a frame", async () => {
    const {channel, closes} = oneEnd({
      transport: {
        post: () => {
          throw new Error("not open");
        },
        close: () => undefined,
      },
    });
    await expect(channel.request("a", {})).rejects.toMatchObject({code: "command_lost"});
    expect(closes).toEqual(["not open"]);
  });

  it("comes when a message in pieces grows past what is kept for it", () => {
    const {channel, closes} = oneEnd();
    const piece = JSON.stringify({t: "piece", id: 1, last: false, data: "a".repeat(1024 * 1024)});
    for (let sent = 0; sent <= LIMITS.maxMessageBytes; sent += 1024 * 1024) channel.receive(piece);
    expect(closes).toEqual(["message too large"]);
  });
});

describe("pieces", () => {
  it("let a heartbeat through between them, and join to the message", async () => {
    const {channel: from, posted} = oneEnd();
    void from.request("long", "x".repeat(LIMITS.pieceBytes * 2)).catch(() => undefined);
    expect(posted.length).toBe(3);
    const seen: unknown[] = [];
    const to = oneEnd({
      answer: async (_, params) => {
        seen.push(params);
      },
    });
    for (const frame of posted) {
      to.channel.receive(frame);
      to.channel.receive('{"t":"beat"}');
    }
    expect(seen).toEqual(["x".repeat(LIMITS.pieceBytes * 2)]);
    from.close("done");
  });
});

describe("heartbeats", () => {
  const heartbeatMs = 15_000;

  it("are sent every so often", async () => {
    const {channel, sent} = oneEnd({heartbeatMs});
    await vi.advanceTimersByTimeAsync(heartbeatMs * 2);
    expect(sent()).toEqual([{t: "beat"}, {t: "beat"}]);
    channel.close("done");
  });

  it("end the channel when two of the other side's are missed", async () => {
    const {closes} = oneEnd({heartbeatMs});
    await vi.advanceTimersByTimeAsync(heartbeatMs * 2);
    expect(closes).toEqual([]);
    await vi.advanceTimersByTimeAsync(heartbeatMs);
    expect(closes).toEqual(["no heartbeat"]);
  });

  it("keep it alive for as long as anything at all is heard", async () => {
    const {channel, closes} = oneEnd({heartbeatMs});
    for (let beats = 0; beats < 20; beats += 1) {
      await vi.advanceTimersByTimeAsync(heartbeatMs * 1.9);
      channel.receive(beats % 2 === 0 ? '{"t":"beat"}' : '{"t":"event","name":"state","params":{}}');
    }
    expect(closes).toEqual([]);
    channel.close("done");
  });
});

it("events arrive by name, and are not answered", () => {
  const heard: unknown[] = [];
  const {channel, posted} = oneEnd({onEvent: (name, params) => heard.push([name, params])});
  channel.receive('{"t":"event","name":"state","params":{"leases":1}}');
  expect(heard).toEqual([["state", {leases: 1}]]);
  expect(posted).toEqual([]);
});
