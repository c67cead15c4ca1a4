import {chmodSync, mkdirSync, symlinkSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {beforeEach, describe, expect, it} from "vitest";
import {diagnose} from "../../../../bridge/doctor/diagnose.ts";
import type {Home} from "../../../../bridge/home.ts";
import {VERSION} from "../../../../bridge/version.ts";
import type {Status} from "../../../../shared/protocol.ts";
import {scratchHome} from "../bridge.ts";

let where: Home;
beforeEach(() => {
  where = scratchHome();
});

const browser = {
  letter: "a",
  name: "Work",
  product: "Chrome/156",
  install_id: "i",
  extension_version: VERSION,
  connected: true,
  leases: 0,
  stopped: false,
};
const status = (browsers: Status["browsers"]): Status => ({
  version: VERSION,
  pid: 1,
  port: 47_821,
  uptime_ms: 1,
  browsers,
  sessions: [],
  clients: 1,
});
const checkOf = (name: string, facts: Parameters<typeof diagnose>[0]) =>
  diagnose(facts).checks.find(({check}) => check === name);

describe("doctor", () => {
  it("finds nothing wrong where all is well", () => {
    const report = diagnose({bridge: {home: where, status: status([browser])}});
    expect(report.checks.filter(({ok}) => !ok)).toEqual([]);
    expect(report.healthy).toBe(true);
  });

  it("gives every finding that is not well a fix", () => {
    const worst = diagnose({bridge: {home: where, status: {...status([]), version: "0.0.1", port: null}}});
    expect(worst.healthy).toBe(false);
    for (const check of worst.checks.filter(({ok, check: name}) => !ok && name !== "port"))
      expect(check.fix).toBeTruthy();
  });

  it("names the folder and the command", () => {
    mkdirSync(where.state, {recursive: true, mode: 0o700});
    chmodSync(where.state, 0o755);
    expect(checkOf("folders", {bridge: null})).toMatchObject({ok: false, fix: `chmod 700 ${where.state}`});
  });

  it("names the file and the command", () => {
    mkdirSync(where.state, {recursive: true, mode: 0o700});
    writeFileSync(join(where.state, "keys.json"), "{}", {mode: 0o644});
    expect(checkOf("files", {bridge: null})).toMatchObject({
      ok: false,
      fix: `chmod 600 ${join(where.state, "keys.json")}`,
    });
    chmodSync(join(where.state, "keys.json"), 0o600);
    symlinkSync("/etc/passwd", join(where.state, "sessions.json"));
    expect(checkOf("files", {bridge: null})).toMatchObject({ok: false, fix: expect.stringContaining("mv ")});
  });

  it("tells a bridge of another version, a browser that was stopped, and an old extension", () => {
    expect(
      checkOf("bridge", {bridge: {home: where, status: {...status([]), version: "0.0.1"}}}),
    ).toMatchObject({ok: false, fix: expect.stringContaining("sublet stop")});
    expect(
      checkOf("extension", {bridge: {home: where, status: status([{...browser, stopped: true}])}}),
    ).toMatchObject({ok: false});
    expect(
      checkOf("extension", {
        bridge: {home: where, status: status([{...browser, extension_version: "0.0.1"}])},
      }),
    ).toMatchObject({ok: false, fix: expect.stringContaining("chrome://extensions")});
    expect(
      checkOf("extension", {bridge: {home: where, status: status([{...browser, connected: false}])}}),
    ).toMatchObject({ok: false});
  });

  it("says why no bridge could be started", () => {
    expect(checkOf("bridge", {bridge: null, trouble: "the folder is open to others"})).toMatchObject({
      ok: false,
      found: "the folder is open to others",
    });
    expect(checkOf("bridge", {bridge: null})).toMatchObject({ok: true});
  });

  it("never throws, whatever the environment says", () => {
    process.env.SUBLET_HOME = `/tmp/${"long".repeat(40)}`;
    const report = diagnose({bridge: null});
    expect(report.healthy).toBe(false);
    expect(report.checks.find(({check}) => check === "folders")?.found).toContain("too long");
  });
});
