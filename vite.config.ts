// Builds the extension into dist/extension, which loads unpacked as it is.
import {readFileSync, writeFileSync} from "node:fs";
import {crx} from "@crxjs/vite-plugin";
import {defineConfig, type Plugin} from "vite";
import manifest from "./manifest.json" with {type: "json"};

const outDir = "dist/extension";

/**
 * The builder lists self-contained scripts as web-accessible, which would let any page find out that the extension
 * is there. Only the worker reads them, so nothing needs to be web-accessible.
 */
const nothingWebAccessible: Plugin = {
  name: "nothing-web-accessible",
  enforce: "post",
  closeBundle() {
    const path = `${outDir}/manifest.json`;
    const built: Record<string, unknown> = JSON.parse(readFileSync(path, "utf8"));
    delete built.web_accessible_resources;
    writeFileSync(path, JSON.stringify(built, null, 2));
  },
};

export default defineConfig({
  plugins: [crx({manifest: manifest as Parameters<typeof crx>[0]["manifest"]}), nothingWebAccessible],
  build: {outDir, emptyOutDir: true, target: "chrome125", modulePreload: false},
});
