import {execFileSync} from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {z} from "zod";
import {
  createPrivate,
  openStateFile,
  readPrivate,
  writePrivate,
} from "../../../../bridge/daemon/state-file.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sublet-"));
  path = join(folder, "keys.json");
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

const mode = (file: string) => statSync(file).mode & 0o777;

describe("writing", () => {
  it("makes a file for this user alone, and leaves nothing beside it", async () => {
    await writePrivate(path, "one");
    await writePrivate(path, "two");
    expect(readFileSync(path, "utf8")).toBe("two");
    expect(mode(path)).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["keys.json"]);
  });

  it("replaces a link instead of writing through it", async () => {
    const target = join(folder, "target");
    writeFileSync(target, "theirs");
    symlinkSync(target, path);
    await writePrivate(path, "ours");
    expect(readFileSync(target, "utf8")).toBe("theirs");
    expect(readFileSync(path, "utf8")).toBe("ours");
  });

  it("leaves nothing behind when it fails", async () => {
    mkdirSync(path);
    await expect(writePrivate(path, "x")).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(["keys.json"]);
  });

  it("creates only what is not there, not even through a dangling link", async () => {
    writeFileSync(path, "there");
    await expect(createPrivate(path, "x")).rejects.toMatchObject({code: "EEXIST"});
    symlinkSync(join(folder, "nowhere"), join(folder, "dangling"));
    await expect(createPrivate(join(folder, "dangling"), "x")).rejects.toMatchObject({code: "EEXIST"});
    expect(readdirSync(folder).sort()).toEqual(["dangling", "keys.json"]);
  });
});

describe("reading", () => {
  it("answers with null when there is nothing", () => {
    expect(readPrivate(path)).toBeNull();
  });

  it.each([0o644, 0o640, 0o606, 0o610])("refuses a file of mode %o, and says what mends it", (open) => {
    writeFileSync(path, "x", {mode: 0o600});
    chmodSync(path, open);
    expect(() => readPrivate(path)).toThrow(`chmod 600 ${path}`);
    chmodSync(path, 0o600);
    expect(readPrivate(path)).toBe("x");
  });

  it("refuses links of both kinds, a FIFO and a folder, without waiting for any", () => {
    const target = join(folder, "target");
    writeFileSync(target, "x", {mode: 0o600});
    symlinkSync(target, path);
    expect(() => readPrivate(path)).toThrow("is a link");
    linkSync(target, join(folder, "hard"));
    expect(() => readPrivate(join(folder, "hard"))).toThrow("is not a plain file");
    execFileSync("mkfifo", ["-m", "600", join(folder, "fifo")]);
    expect(() => readPrivate(join(folder, "fifo"))).toThrow("is not a plain file");
    mkdirSync(join(folder, "folder"), {mode: 0o700});
    expect(() => readPrivate(join(folder, "folder"))).toThrow("is not a plain file");
  });

  it("refuses a file that is far too large", () => {
    writeFileSync(path, Buffer.alloc(1024 * 1024 + 1), {mode: 0o600});
    expect(() => readPrivate(path)).toThrow("far too large");
  });
});

describe("a state file", () => {
  const schema = z.object({count: z.int()});

  it("keeps the last of many changes made at once, and tells each when it is safe", async () => {
    const file = openStateFile(path, schema, {count: 0});
    const saves = Array.from({length: 50}, (_, index) => {
      file.value.count = index;
      return file.save();
    });
    await Promise.all(saves);
    expect(openStateFile(path, schema, {count: -1}).value).toEqual({count: 49});
  });

  it("goes on after a write that failed", async () => {
    const file = openStateFile(join(folder, "sub", "state.json"), schema, {count: 1});
    await expect(file.save()).rejects.toThrow();
    mkdirSync(join(folder, "sub"));
    await file.save();
    expect(readFileSync(join(folder, "sub", "state.json"), "utf8")).toContain("1");
  });

  it.each(["", "{", "null", '{"count":"1"}', "[]"])("never replaces what it cannot read: %j", (text) => {
    writeFileSync(path, text, {mode: 0o600});
    expect(() => openStateFile(path, schema, {count: 0})).toThrow(`mv ${path} ${path}.damaged`);
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});
