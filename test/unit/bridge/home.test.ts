import {chmodSync, mkdirSync, symlinkSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {beforeEach, describe, expect, it} from "vitest";
import {ensurePrivateFolder, home, quoted} from "../../../bridge/home.ts";
import {scratchHome} from "./bridge.ts";

describe("where everything lies", () => {
  it("moves as a whole with SUBLET_HOME", () => {
    const where = home({SUBLET_HOME: "/tmp/one", HOME: "/home/x", XDG_STATE_HOME: "/elsewhere"});
    for (const path of Object.values(where)) expect(path.startsWith("/tmp/one/")).toBe(true);
    expect(new Set(Object.values(where)).size).toBe(6);
  });

  it("follows the desktop's rules without it, save for the sockets, which all agents must find", () => {
    const [desktop, cron] = [
      home({XDG_RUNTIME_DIR: "/run/user/1", XDG_STATE_HOME: "/s"}),
      home({XDG_STATE_HOME: "/s"}),
    ];
    expect(desktop.state).toBe("/s/sublet");
    expect(desktop.socket).toBe(cron.socket);
  });

  it("refuses a path that no socket can have, and says what helps", () => {
    expect(() => home({SUBLET_HOME: `/tmp/${"x".repeat(100)}`})).toThrow(
      "set SUBLET_HOME to a shorter folder",
    );
  });

  it("quotes what a shell would misread", () => {
    expect(quoted("/a/b.c")).toBe("/a/b.c");
    expect(quoted("/a b/it's")).toBe("'/a b/it'\\''s'");
  });
});

describe("a private folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = scratchHome().state;
  });

  it("is made, and accepted again", () => {
    ensurePrivateFolder(folder);
    ensurePrivateFolder(folder);
  });

  it.each([0o755, 0o770, 0o701])("is refused with mode %o, and not mended in silence", (mode) => {
    mkdirSync(folder, {recursive: true});
    chmodSync(folder, mode);
    expect(() => ensurePrivateFolder(folder)).toThrow(`chmod 700 ${folder}`);
    expect(() => ensurePrivateFolder(folder)).toThrow(`chmod 700 ${folder}`);
  });

  it("is refused when it is a link, or no folder", () => {
    mkdirSync(dirname(folder), {recursive: true});
    const target = join(dirname(folder), "target");
    mkdirSync(target, {mode: 0o700});
    symlinkSync(target, folder);
    expect(() => ensurePrivateFolder(folder)).toThrow("is not a folder");
    writeFileSync(join(dirname(folder), "file"), "");
    expect(() => ensurePrivateFolder(join(dirname(folder), "file"))).toThrow("is not a folder");
  });

  it.runIf(process.getuid?.() === 0)("is refused when another user owns it", async () => {
    const {chownSync} = await import("node:fs");
    mkdirSync(folder, {recursive: true, mode: 0o700});
    chownSync(folder, 12_345, 12_345);
    expect(() => ensurePrivateFolder(folder)).toThrow("sudo chown");
  });
});
