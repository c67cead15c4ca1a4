#!/usr/bin/env node
// The bin. Nothing heavy is imported here: each command loads what it needs.
import {runCli} from "./cli/main.ts";

// Whoever reads our output may have read enough (`sublet observe | head`).
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

// Not process.exit: a long output still on its way into a pipe would be cut.
process.exitCode = await runCli(process.argv.slice(2));
