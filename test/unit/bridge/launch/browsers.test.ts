import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {findBrowser} from "../../../../bridge/launch/browsers.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sublet-"));
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

function program(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o755);
  return path;
}

describe.runIf(process.platform === "linux")("the browser that launch starts", () => {
  it("is the named one, or an error that says how to name one", () => {
    const path = program("my-browser");
    expect(findBrowser({SUBLET_BROWSER_PATH: path})).toEqual({path, branded: false});
    for (const wrong of ["my-browser", join(folder, "none"), "relative/path"]) {
      expect(() => findBrowser({SUBLET_BROWSER_PATH: wrong})).toThrow(
        expect.objectContaining({code: "browser_unavailable"}),
      );
    }
  });

  it("is Chromium before a branded Chrome, wherever on the path they lie", () => {
    const chrome = program("google-chrome");
    const later = join(folder, "later");
    mkdirSync(later);
    writeFileSync(join(later, "chromium"), "", {mode: 0o755});
    expect(findBrowser({PATH: `${folder}:${later}`})).toEqual({
      path: join(later, "chromium"),
      branded: false,
    });
    expect(chrome).toContain("google-chrome");
  });

  it("is never one of a relative folder of the path", () => {
    program("chromium");
    const found = findBrowserOrNull({PATH: `.:${"relative"}`});
    expect(found === null || found.path.startsWith("/")).toBe(true);
  });
});

function findBrowserOrNull(env: NodeJS.ProcessEnv) {
  try {
    return findBrowser(env);
  } catch {
    return null;
  }
}
