// Test projects: `fast` needs no browser; the others build on a real Chromium with the real extension.
import {defineConfig} from "vitest/config";

const real = {testTimeout: 60_000, hookTimeout: 60_000, fileParallelism: false, maxWorkers: 1};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "fast",
          include: ["test/unit/**/*.test.ts", "test/contract/**/*.test.ts", "test/property/**/*.test.ts"],
        },
      },
      {test: {name: "browser", include: ["test/browser/**/*.test.ts", "test/cases/**/*.test.ts"], ...real}},
      {test: {name: "surface", include: ["test/surface/**/*.test.ts"], ...real}},
      {test: {name: "faults", include: ["test/faults/**/*.test.ts"], ...real}},
    ],
  },
});
