// `sublet status` and `sublet stop`: the bridge itself, without a session, and without starting one.
import {SubletError} from "../../shared/errors.ts";
import type {Status} from "../../shared/protocol.ts";
import {type Connection, connect} from "../client/connect.ts";
import {printJson} from "./output.ts";

export async function printStatus({json = false}: {json?: boolean}): Promise<void> {
  const connection = await running();
  const status = await connection?.status();
  await connection?.close();
  if (json) return printJson({running: status !== undefined, ...status});
  process.stdout.write(
    `${status === undefined ? "The bridge is not running. The next command starts it." : statusText(status)}\n`,
  );
}

export async function stopBridge({json = false}: {json?: boolean}): Promise<void> {
  const connection = await running();
  await connection?.shutdown();
  await connection?.closed;
  if (json) return printJson({stopped: connection !== null});
  process.stdout.write(connection === null ? "The bridge was not running.\n" : "The bridge has ended.\n");
}

/** The bridge that runs, or null. Any other trouble than its absence is told. */
async function running(): Promise<Connection | null> {
  try {
    return await connect({session: "none", start: false});
  } catch (thrown) {
    if (SubletError.from(thrown).data.details?.cause === "not running") return null;
    throw thrown;
  }
}

export function statusText({version, pid, port, uptime_ms, browsers, sessions}: Status): string {
  return [
    `Bridge ${version}, process ${pid}, port ${port ?? "none"}, up for ${Math.round(uptime_ms / 1000)} s.`,
    browsers.length === 0 ? "No browser has connected yet: sublet launch starts one." : "Browsers:",
    ...browsers.map(
      (browser) =>
        `  ${browser.letter} ${browser.name} (${browser.product}, extension ${browser.extension_version}): ${stateOf(browser)}`,
    ),
    sessions.length === 0 ? "No sessions." : "Sessions:",
    ...sessions.map(
      ({session, name, client, idle_ms, orphaned}) =>
        `  ${session} ${JSON.stringify(name)} of ${client}, idle for ${Math.round(idle_ms / 1000)} s${orphaned ? ", orphaned" : ""}`,
    ),
  ].join("\n");
}

function stateOf({connected, leases, stopped}: Status["browsers"][number]): string {
  if (!connected) return "not connected";
  return stopped ? "connected, stopped by the person" : `connected, ${leases} tabs lent`;
}
