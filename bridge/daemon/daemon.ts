// The bridge, put together: the doors, who stands in them, and what they share.
import type {Server} from "node:http";
import type {WebSocket} from "ws";
import {DEFAULT_PORT, LIMITS} from "../../shared/limits.ts";
import {extensionStateSchema, type Status} from "../../shared/protocol.ts";
import type {Home} from "../home.ts";
import {createBridgeRunner} from "../operations/index.ts";
import {VERSION} from "../version.ts";
import {serveAgents} from "./agents.ts";
import type {Proven} from "./auth.ts";
import {readBridgeFile, writeBridgeFile} from "./bridge-file.ts";
import {browserStatus, createBrowsers, type Link} from "./browsers.ts";
import type {Clock} from "./clock.ts";
import {openKeys} from "./keys.ts";
import type {Log} from "./log.ts";
import {createRelay} from "./relay.ts";
import {createResults} from "./results.ts";
import {serveExtensions} from "./server.ts";
import {openSessions} from "./sessions.ts";
import {channelOver, closeReasons} from "./socket.ts";

export interface Daemon {
  /** Closes both doors. What is under way ends as command_lost at whoever asked for it. Resolves when all is on the disk. */
  stop(): Promise<void>;
}

export interface DaemonOptions {
  home: Home;
  /** The agents' side; it listens already, and its requests are answered from now on. */
  http: Server;
  clock: Clock;
  log: Log;
  /** Called once when the daemon should end: asked by a client, or nobody needed it for too long. */
  onEnd(why: string): void;
}

/** @throws SubletError when a state file is not as it must be. */
export async function startDaemon({home, http, clock, log, onEnd}: DaemonOptions): Promise<Daemon> {
  const startedAtMs = clock.now();
  const keys = await openKeys(home.state, clock.now);
  const sessions = openSessions({
    state: home.state,
    clock,
    onExpired(session, why) {
      log.info({session: session.record.id, why}, "session ended");
      finalize(session);
    },
  });
  const browsers = createBrowsers({
    clock,
    isExpected: () => keys.expected().length > 0,
    close: (link) => link.channel.close(closeReasons.replaced),
  });
  const results = createResults();
  const relay = createRelay({
    clock,
    browsers,
    sessions,
    results,
    artifacts: home.artifacts,
    runHere: createBridgeRunner({results, bridge: () => ({home, status: status()})}),
    onSettled: ({op, action_id, ok, error, timing}) =>
      log.info({op, action_id, ok, code: error?.code, ms: timing.duration_ms}, "ran"),
  });
  const extensions = await serveExtensions({
    ports: [readBridgeFile(home.state)?.port ?? DEFAULT_PORT, DEFAULT_PORT, 0],
    bridgeId: keys.bridgeId,
    keyOf: (installId) => keys.of(installId)?.key,
    onProven: welcome,
    onRefused: (what) => log.warn({what}, "refused at the extension's door"),
  });
  let cancelIdleEnd: (() => void) | null = null;
  let isStopping = false;
  browsers.onChange(watchIdle);
  const agents = serveAgents(http, {
    clock,
    sessions,
    browsers,
    relay,
    keys,
    status,
    port: () => extensions.port,
    shutdown: () => onEnd("asked to"),
    onChange: watchIdle,
  });
  await writeBridgeFile(home.state, {pid: process.pid, port: extensions.port, version: VERSION});
  watchIdle();
  log.info({port: extensions.port, version: VERSION}, "started");

  return {
    async stop() {
      isStopping = true;
      cancelIdleEnd?.();
      agents.close();
      for (const {link} of browsers.all()) link?.channel.close(closeReasons.shuttingDown);
      extensions.close();
      await Promise.all([sessions.settled(), keys.settled()]);
    },
  };

  function welcome(socket: WebSocket, {hello, browser}: Proven): void {
    const installId = hello.install_id;
    const channel = channelOver(socket, {
      heartbeatMs: LIMITS.heartbeatMs,
      // The extension asks nothing of the bridge.
      answer: async () => null,
      onEvent(name, params) {
        const state = name === "state" ? extensionStateSchema.safeParse(params) : undefined;
        if (state?.success) browsers.reported(installId, state.data);
      },
      onClose(reason) {
        log.info({install_id: installId, reason}, "browser gone");
        keys.seen(installId);
        browsers.disconnected(installId, link);
      },
    });
    const link: Link = {channel, epoch: hello.epoch};
    socket.send(JSON.stringify({t: "ready"}));
    const label = keys.of(installId)?.label;
    browsers.connected(
      {
        install_id: installId,
        name: browser.name || label || "browser",
        product: browser.product,
        extension_version: hello.extension_version,
      },
      link,
    );
    keys.seen(installId);
    log.info(
      {install_id: installId, extension: hello.extension_version, product: browser.product},
      "browser connected",
    );
  }

  function finalize(session: Parameters<typeof relay.finalize>[0]): void {
    relay
      .finalize(session)
      .catch((error: unknown) =>
        log.warn({session: session.record.id, error: String(error)}, "could not finalize"),
      );
  }

  /** Nobody there: no client and no extension (and so no lease). After half an hour of that the bridge ends. */
  function watchIdle(): void {
    const isNeeded = agents.count > 0 || browsers.all().some((browser) => browser.link !== null);
    cancelIdleEnd?.();
    cancelIdleEnd = isNeeded || isStopping ? null : clock.after(LIMITS.daemonIdleMs, () => onEnd("idle"));
  }

  function status(): Status {
    return {
      version: VERSION,
      pid: process.pid,
      port: extensions.port,
      uptime_ms: clock.now() - startedAtMs,
      browsers: browsers.all().map(browserStatus),
      sessions: sessions.list(),
      clients: agents.count,
    };
  }
}
