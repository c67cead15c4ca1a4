import {existsSync, mkdirSync, statSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {beforeEach, describe, expect, it} from "vitest";
import {makeProfile, removeProfile} from "../../../../bridge/launch/profile.ts";
import {scratchHome} from "../bridge.ts";

let root: string;
beforeEach(() => {
  root = join(scratchHome().state, "..");
});

describe("a launched browser's profile", () => {
  it("is a private throw-away folder by default", async () => {
    const [one, two] = [await makeProfile(undefined), await makeProfile(undefined)];
    expect(one.folder).not.toBe(two.folder);
    expect(one.throwAway).toBe(true);
    expect(statSync(one.folder).mode & 0o777).toBe(0o700);
    await removeProfile(one);
    expect(existsSync(one.folder)).toBe(false);
  });

  it("may be one that launch made before, or a new or empty one, and is kept", async () => {
    const folder = join(root, "mine", "profile");
    expect(await makeProfile(folder)).toEqual({folder, throwAway: false});
    writeFileSync(join(folder, "Local State"), "{}");
    expect(await makeProfile(folder)).toEqual({folder, throwAway: false});
    mkdirSync(join(root, "empty"));
    expect(await makeProfile(join(root, "empty"))).toMatchObject({throwAway: false});
  });

  it("is never one that somebody else filled: a person's own browser is theirs to connect", async () => {
    const folder = join(root, "person");
    mkdirSync(join(folder, "Default"), {recursive: true});
    await expect(makeProfile(folder)).rejects.toMatchObject({code: "invalid_arguments"});
    expect(existsSync(join(folder, ".sublet-profile"))).toBe(false);
  });
});
