// Builds the bridge into dist/bridge: the bin `sublet` (main.js) and the client library (client.js), each with what
// it needs bundled in, since one file loads several times faster than a tree of packages.
import {defineConfig} from "vite";

export default defineConfig({
  build: {
    outDir: "dist/bridge",
    emptyOutDir: true,
    target: "node20",
    ssr: true,
    minify: false,
    rolldownOptions: {
      input: {main: "bridge/main.ts", client: "bridge/client/index.ts"},
      output: {format: "es", entryFileNames: "[name].js", chunkFileNames: "[name].js"},
    },
  },
  ssr: {noExternal: true},
});
