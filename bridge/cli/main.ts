// The command line: parse, do, print, and say by the exit code how it went.
import {CommanderError} from "commander";
import type {SubletError} from "../../shared/errors.ts";
import {operationNamed} from "../../shared/operations/index.ts";
import {fieldsOf, readableSchema} from "../help/schema.ts";
import {failedHere} from "../run.ts";
import {exitCodeOf} from "./exit.ts";
import {printResult} from "./output.ts";
import {type Actions, buildProgram} from "./program.ts";
import {kebab, usage} from "./words.ts";

/** Runs one command line, without the program's own name. Resolves with the exit code; never rejects. */
export async function runCli(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  const word = argv.find((each) => !each.startsWith("-"));
  try {
    const program = buildProgram(
      word,
      actions((code) => {
        exitCode = code;
      }),
    );
    await program.parseAsync(argv.length === 0 ? ["--help"] : [...argv], {from: "user"});
    return exitCode;
  } catch (thrown) {
    return explain(thrown, argv, word);
  }
}

function explain(thrown: unknown, argv: readonly string[], word: string | undefined): number {
  const json = argv.includes("--json");
  if (!(thrown instanceof CommanderError)) return printResult(failedHere(opNamed(word), thrown), {json});
  // Help and version are thrown too, once they are printed.
  if (thrown.exitCode === 0) return 0;
  const error = wrongWords(thrown, word);
  if (json) return printResult(failedHere(opNamed(word), error), {json});
  process.stderr.write(`sublet: ${error.message}\n`);
  return exitCodeOf(failedHere(opNamed(word), error));
}

/** Each part is loaded when it is asked for: `sublet tab-list` must not pay for the MCP SDK. */
const actions = (exit: (code: number) => void): Actions => ({
  async operation(operation, input, options) {
    const {runInSession} = await import("./run.ts");
    exit(printResult(await runInSession(operation.name, input, options.session), options));
  },
  async mcp({tools}) {
    const {serveMcp} = await import("../mcp/server.ts");
    await serveMcp(tools);
  },
  async launch(options) {
    const {launchCommand} = await import("../launch/command.ts");
    await launchCommand(options);
  },
  async daemon() {
    const {runDaemon} = await import("../daemon/main.ts");
    await runDaemon();
  },
  async status(options) {
    const {printStatus} = await import("./running.ts");
    await printStatus(options);
  },
  async stop(options) {
    const {stopBridge} = await import("./running.ts");
    await stopBridge(options);
  },
});

const opNamed = (word: string | undefined): string => word?.replaceAll("-", "_") ?? "sublet";

/** The parser's complaint, with what would have been right. */
function wrongWords(thrown: CommanderError, word: string | undefined): SubletError {
  const said = thrown.message
    .replace(/^error: /, "")
    .replaceAll("\n", " ")
    .replace(/\.$/, "");
  const operation = operationNamed(opNamed(word));
  if (operation === undefined) return usage(`${said}. See sublet --help.`);
  const flags = fieldsOf(readableSchema(operation.input, "input")).map(([name]) => `--${kebab(name)}`);
  return usage(`${said}. ${word} takes ${[...flags, "--json", "--session"].join(", ")}.`);
}
