// Who may talk to the bridge on its port (security 4.1): every wrong knock is refused, and the right one is not.
import {connect as connectTcp} from "node:net";
import {beforeEach, describe, expect, it} from "vitest";
import type {WebSocket} from "ws";
import {
  challengeSchema,
  type Enrolment,
  EXTENSION_ID,
  EXTENSION_ORIGIN,
  EXTENSION_PATH,
} from "../../shared/protocol.ts";
import {
  agent,
  closeCode,
  connectPeer,
  dial,
  enrol,
  helloOf,
  macOf,
  nextJson,
  startBridge,
} from "../unit/bridge/bridge.ts";

let enrolment: Enrolment;
beforeEach(async () => {
  await startBridge();
  enrolment = await enrol();
});

describe("before the socket is accepted", () => {
  const good = () => ({
    line: `GET ${EXTENSION_PATH} HTTP/1.1`,
    headers: [
      `Host: 127.0.0.1:${enrolment.port}`,
      `Origin: ${EXTENSION_ORIGIN}`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ],
  });
  const without = (name: string) => good().headers.filter((header) => !header.startsWith(`${name}:`));
  const knock = (line: string, headers: string[]) =>
    rawRequest(enrolment.port, `${[line, ...headers].join("\r\n")}\r\n\r\n`);

  it("accepts the right knock", async () => {
    expect((await knock(good().line, good().headers)).status).toBe(101);
  });

  it.each([
    ["none", []],
    ["null", ["null"]],
    ["a web page", ["http://127.0.0.1:8080"]],
    ["another extension", ["chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]],
    ["ours as a prefix", [`${EXTENSION_ORIGIN}.evil`]],
    ["ours in capitals", [`chrome-extension://${EXTENSION_ID.toUpperCase()}`]],
    ["ours with a slash", [`${EXTENSION_ORIGIN}/`]],
    ["ours twice", [EXTENSION_ORIGIN, EXTENSION_ORIGIN]],
    ["ours and another", [EXTENSION_ORIGIN, "http://evil.example"]],
    ["both in one", [`${EXTENSION_ORIGIN}, http://evil.example`]],
  ])("refuses the Origin: %s", async (_, origins) => {
    const answer = await knock(good().line, [
      ...without("Origin"),
      ...origins.map((origin) => `Origin: ${origin}`),
    ]);
    expect(answer).toMatchObject({status: 403, body: ""});
  });

  it.each([
    ["none", (_: number) => []],
    ["localhost", (port: number) => [`localhost:${port}`]],
    ["no port", () => ["127.0.0.1"]],
    ["another port", (port: number) => [`127.0.0.1:${port - 1}`]],
    ["a trailing dot", (port: number) => [`127.0.0.1.:${port}`]],
    ["userinfo", (port: number) => [`127.0.0.1:${port}@evil.example`]],
    ["IPv6", (port: number) => [`[::1]:${port}`]],
    ["a rebound name", (port: number) => [`rebind.example:${port}`]],
    ["short IPv4", (port: number) => [`127.1:${port}`]],
    ["the same twice", (port: number) => [`127.0.0.1:${port}`, `127.0.0.1:${port}`]],
  ])("refuses the Host: %s", async (_, hosts) => {
    const answer = await knock(good().line, [
      ...hosts(enrolment.port).map((host) => `Host: ${host}`),
      ...without("Host"),
    ]);
    expect(answer).toMatchObject({status: 403, body: ""});
  });

  it.each([
    "/",
    "/v1/extension/",
    "/v1/extension?x",
    "//v1/extension",
    "/v1/%65xtension",
    "/V1/extension",
    "/v1/agent",
    "/v1/../v1/extension",
    "http://127.0.0.1/v1/extension",
  ])("refuses the path %s", async (path) => {
    expect(await knock(`GET ${path} HTTP/1.1`, good().headers)).toMatchObject({status: 404, body: ""});
  });

  it("refuses what is no upgrade, another method, an old version and a subprotocol", async () => {
    expect(
      await knock(good().line, [...without("Upgrade").filter((header) => !header.startsWith("Connection"))]),
    ).toMatchObject({status: 403, body: ""});
    expect(await knock(`POST ${EXTENSION_PATH} HTTP/1.1`, good().headers)).toMatchObject({
      status: 403,
      body: "",
    });
    expect(
      await knock(good().line, [...without("Sec-WebSocket-Version"), "Sec-WebSocket-Version: 8"]),
    ).toMatchObject({status: 403, body: ""});
    expect(await knock(good().line, [...good().headers, "Sec-WebSocket-Protocol: chat"])).toMatchObject({
      status: 403,
      body: "",
    });
  });

  it("never negotiates compression", async () => {
    const answer = await knock(good().line, [
      ...good().headers,
      "Sec-WebSocket-Extensions: permessage-deflate",
    ]);
    expect(answer.status).toBe(101);
    expect(answer.head.toLowerCase()).not.toContain("permessage-deflate");
  });

  it("keeps at most four unproven sockets, and frees a place when one goes", async () => {
    const sockets = await Promise.all([1, 2, 3, 4].map(() => dial(enrolment.port)));
    expect(await knock(good().line, good().headers)).toMatchObject({status: 403, body: ""});
    const [first] = sockets;
    const gone = first === undefined ? Promise.reject(new Error("no socket")) : closeCode(first);
    first?.send("not json");
    expect(await gone).toBe(4400);
    expect((await knock(good().line, good().headers)).status).toBe(101);
  });
});

describe("the handshake", () => {
  it("closes an over-long, a binary and a malformed first message", async () => {
    expect(await closedAfter(JSON.stringify({...helloOf("x", "e"), pad: "x".repeat(4_096)}))).toBe(4413);
    expect(await closedAfter(Buffer.from("{}"))).toBe(4400);
    expect(await closedAfter("")).toBe(4400);
    expect(await closedAfter("{")).toBe(4400);
    expect(await closedAfter(JSON.stringify({t: "beat"}))).toBe(4400);
    expect(await closedAfter(JSON.stringify({...helloOf("x", "e"), install_id: ""}))).toBe(4400);
  });

  it("closes a silent socket within its two seconds, and one that stops before its proof", async () => {
    const silent = await dial(enrolment.port);
    const stopped = await dial(enrolment.port);
    const silentCode = closeCode(silent);
    const stoppedCode = closeCode(stopped);
    stopped.send(JSON.stringify(helloOf(enrolment.install_id, "e")));
    expect(await silentCode).toBe(4408);
    expect(await stoppedCode).toBe(4408);
  }, 10_000);

  it("closes versions that it does not speak, and ranges that make no sense", async () => {
    expect(await closedAfter(JSON.stringify({...helloOf("x", "e"), versions: [9, 9]}))).toBe(4406);
    expect(await closedAfter(JSON.stringify({...helloOf("x", "e"), versions: [9, 1]}))).toBe(4400);
    expect(await closedAfter(JSON.stringify({...helloOf("x", "e"), versions: [0, 0]}))).toBe(4400);
  });

  it("proves itself first, over the whole transcript", async () => {
    const {hello, challenge} = await challenged();
    expect(challenge.mac).toBe(macOf(enrolment.key, "bridge", enrolment.port, hello, challenge));
    expect(challenge.mac).not.toBe(macOf(enrolment.key, "bridge", enrolment.port - 1, hello, challenge));
    expect(JSON.stringify(challenge)).not.toContain(enrolment.key);
  });

  it.each(["wrong key", "reflected", "31 bytes", "33 bytes", "other port", "no base64"])(
    "refuses a proof: %s",
    async (how) => {
      const {socket, hello, challenge} = await challenged();
      const right = Buffer.from(
        macOf(enrolment.key, "extension", enrolment.port, hello, challenge),
        "base64",
      );
      const wrong: Record<string, string> = {
        "wrong key": macOf(
          Buffer.alloc(32, 1).toString("base64"),
          "extension",
          enrolment.port,
          hello,
          challenge,
        ),
        reflected: challenge.mac,
        "31 bytes": right.subarray(0, 31).toString("base64"),
        "33 bytes": Buffer.concat([right, Buffer.alloc(1)]).toString("base64"),
        "other port": macOf(enrolment.key, "extension", enrolment.port + 1, hello, challenge),
        "no base64": "====",
      };
      expect(await proofAnswer(socket, wrong[how] ?? "")).toBe(4401);
    },
  );

  it("refuses a proof that was right in an earlier handshake, and one for another installation", async () => {
    const first = await challenged();
    const old = macOf(enrolment.key, "extension", enrolment.port, first.hello, first.challenge);
    first.socket.terminate();
    const second = await challenged();
    expect(await proofAnswer(second.socket, old)).toBe(4401);
    const other = await enrol("Other");
    const third = await challenged();
    const foreign = macOf(other.key, "extension", enrolment.port, third.hello, third.challenge);
    expect(await proofAnswer(third.socket, foreign)).toBe(4401);
  });

  it("treats an unknown installation like a wrong key, step by step", async () => {
    const {socket, hello, challenge} = await challenged("nobody");
    expect(Buffer.from(challenge.mac, "base64")).toHaveLength(32);
    expect(
      await proofAnswer(socket, macOf(enrolment.key, "extension", enrolment.port, hello, challenge)),
    ).toBe(4401);
  });

  it("lets a new connection replace the old one only after its proof", async () => {
    const old = await connectPeer(enrolment);
    const impostor = await challenged();
    expect(await proofAnswer(impostor.socket, impostor.challenge.mac)).toBe(4401);
    const client = await agent();
    expect((await client.runAny("tab_list", {})).ok).toBe(true);
    expect(old.asked).toHaveLength(1);

    const next = await connectPeer(enrolment, {epoch: old.epoch});
    expect(await old.closed).toBe(4409);
    expect((await client.runAny("tab_list", {})).ok).toBe(true);
    expect(next.asked).toHaveLength(1);
  });

  it("keeps two installations side by side, and refuses a forgotten one", async () => {
    const other = await enrol("Other");
    const [one, two] = [await connectPeer(enrolment), await connectPeer(other)];
    const client = await agent({session: "none"});
    expect((await client.status()).browsers.map(({connected}) => connected)).toEqual([true, true]);
    await client.forget(other.install_id);
    await two.closed;
    expect(one.channel.closed).toBe(false);
    const {socket, hello, challenge} = await challenged(other.install_id);
    expect(await proofAnswer(socket, macOf(other.key, "extension", other.port, hello, challenge))).toBe(4401);
  });
});

async function challenged(installId = enrolment.install_id) {
  const socket = await dial(enrolment.port);
  const hello = helloOf(installId, "epoch");
  const answer = nextJson(socket);
  socket.send(JSON.stringify(hello));
  return {socket, hello, challenge: challengeSchema.parse(await answer)};
}

/** The close code that a proof earns, or "ready". */
function proofAnswer(socket: WebSocket, mac: string): Promise<number | "ready"> {
  const answer = new Promise<number | "ready">((resolve) => {
    socket.once("close", resolve);
    socket.once("message", () => resolve("ready"));
  });
  socket.send(JSON.stringify({t: "proof", mac, browser: {name: "n", product: "p"}}));
  return answer;
}

async function closedAfter(first: string | Buffer): Promise<number> {
  const socket = await dial(enrolment.port);
  const code = closeCode(socket);
  socket.send(first);
  return code;
}

/** Sends bytes as they are; resolves with what came back before the end, or with the head of a 101. */
function rawRequest(port: number, text: string): Promise<{status: number; head: string; body: string}> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connectTcp(port, "127.0.0.1", () => socket.write(text));
    const answer = () => {
      const [head = "", body = ""] = received.split("\r\n\r\n", 2);
      resolve({status: Number(head.split(" ")[1]), head, body});
      socket.destroy();
    };
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      received += chunk;
      if (received.startsWith("HTTP/1.1 101") && received.includes("\r\n\r\n")) answer();
    });
    socket.on("end", answer).on("error", reject);
  });
}
