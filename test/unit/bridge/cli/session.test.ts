// Which session a command works in, and how its token is kept.
import {chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, it, vi} from "vitest";
import {chooseSession, forgetSession, keepSession, readSession} from "../../../../bridge/cli/session.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sublet-"));
  vi.stubEnv("SUBLET_HOME", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, {recursive: true});
});

describe("the session is", () => {
  it("the one that --session names", () => {
    expect(chooseSession("work", "other:token")).toEqual({name: "work"});
  });

  it("the one that SUBLET_SESSION names", () => {
    expect(chooseSession(undefined, "work")).toEqual({name: "work"});
  });

  it("the one whose token SUBLET_SESSION gives", () => {
    expect(chooseSession(undefined, "work:t0k")).toEqual({
      name: "work",
      resume: {session: "work", token: "t0k"},
    });
  });

  it("else the shell's, the same each time", () => {
    const {name} = chooseSession(undefined, undefined);
    expect(name).toMatch(new RegExp(`^shell ${process.ppid} [0-9a-f]{6}$`));
    expect(chooseSession(undefined, "").name).toBe(name);
  });
});

describe("a session's token", () => {
  const stored = {session: "s1", token: "secret"};
  const files = () => readdirSync(join(folder, "state", "shells"));

  it("is kept for the next command, and forgotten at its end", async () => {
    expect(readSession("work")).toBeNull();
    await keepSession("work", stored);
    expect(readSession("work")).toEqual(stored);
    expect(readSession("other")).toBeNull();
    await keepSession("work", {...stored, token: "new"});
    expect(readSession("work")?.token).toBe("new");
    await forgetSession("work");
    expect(readSession("work")).toBeNull();
    await forgetSession("work");
  });

  it("is in a file of this user's alone, whatever the session is called", async () => {
    const name = "../../etc/passwd\0 ü";
    await keepSession(name, stored);
    expect(readSession(name)).toEqual(stored);
    expect(files()).toHaveLength(1);
    expect(files()[0]).toMatch(/^[0-9a-f]{32}\.json$/);
    expect(statSync(join(folder, "state", "shells", files()[0] ?? "")).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "state", "shells")).mode & 0o777).toBe(0o700);
  });

  it("that others could read is not used, and the command that mends it is told", async () => {
    await keepSession("work", stored);
    chmodSync(join(folder, "state", "shells", files()[0] ?? ""), 0o644);
    expect(() => readSession("work")).toThrow("chmod 600");
  });

  it.each(["", "{", "[]", '{"session":"s1"}'])("in a file that reads %j is as good as none", async (text) => {
    await keepSession("work", stored);
    const path = join(folder, "state", "shells", files()[0] ?? "");
    expect(readFileSync(path, "utf8")).toContain("secret");
    writeFileSync(path, text);
    expect(readSession("work")).toBeNull();
  });
});
