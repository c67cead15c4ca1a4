// The whole command line as one commander program: the operations of the registry, and what runs beside them.
import {Command, Option} from "commander";
import type {Operation} from "../../shared/operation.ts";
import {operations} from "../../shared/operations/index.ts";
import {type ToolSet, toolSets} from "../mcp/tool.ts";
import {VERSION} from "../version.ts";
import {bareCommand, fullCommand} from "./command.ts";
import {exitCodeHelp} from "./exit.ts";
import {kebab} from "./words.ts";

export interface OutputOptions {
  json?: boolean;
  session?: string;
}

/** What the commands do, so that parsing can be tested without doing it. */
export interface Actions {
  operation(operation: Operation, input: Record<string, unknown>, options: OutputOptions): Promise<void>;
  mcp(options: {tools: ToolSet}): Promise<void>;
  daemon(): Promise<void>;
  launch(options: {headless: boolean; profile?: string; urls: string[]}): Promise<void>;
  status(options: OutputOptions): Promise<void>;
  stop(options: OutputOptions): Promise<void>;
}

/** @param word The first word of the command line: only that operation's flags are worked out, which keeps others cheap. */
export function buildProgram(word: string | undefined, actions: Actions): Command {
  const program = new Command("sublet")
    .description("Lends your own browser tabs to an agent, on a lease you can see and end.")
    .version(VERSION, "-v, --version", "Print the version.")
    .helpOption("-h, --help", "Print this help, or a command's.")
    .helpCommand(false)
    .usage("<command> [arguments] [options]")
    .configureHelp({
      sortSubcommands: false,
      showGlobalOptions: false,
      subcommandTerm: (command) => command.name(),
    })
    .addHelpText("after", () => `\n${examples}\n\n${sessionHelp}\n\n${exitCodeHelp}`)
    .showSuggestionAfterError();

  const every: readonly Operation[] = operations;
  for (const operation of every) {
    const command =
      kebab(operation.name) === word
        ? fullCommand(operation, (input, options) => actions.operation(operation, input, options))
        : bareCommand(operation);
    for (const option of outputOptions()) command.addOption(option);
    program.addCommand(command.helpGroup(groupOf(operation)));
  }
  for (const command of ownCommands(actions)) program.addCommand(command.helpGroup("Running Sublet:"));
  for (const command of [program, ...program.commands]) inherit(command);
  return program;
}

function ownCommands(actions: Actions): Command[] {
  return [
    new Command("mcp")
      .summary("Serve MCP over stdio")
      .description("Serves MCP over standard input and output: the command to give to an agent's client.")
      .addOption(
        new Option("--tools <set>", "Which tools: default, all, or read (only what looks).")
          .choices(toolSets)
          .default("default"),
      )
      .action(actions.mcp),
    new Command("launch")
      .summary("Start a browser with Sublet in it")
      .description(
        "Starts a browser with a throw-away profile and the extension in it, and opens pages as the person's own tabs.",
      )
      .argument("[urls...]", "Pages to open.")
      .option("--headless", "Without a window.")
      .option("--profile <folder>", "A profile folder that launch made before.")
      .action((urls: string[], options: {headless?: boolean; profile?: string}) =>
        actions.launch({...options, headless: options.headless ?? false, urls}),
      ),
    new Command("status")
      .summary("What is running and connected")
      .description(
        "Says whether the bridge runs, which browsers are connected, and which sessions there are.",
      )
      .option("--json", "Print it as JSON.")
      .action(actions.status),
    new Command("stop")
      .summary("End the bridge")
      .description("Ends the bridge. Sessions are kept for a while; the next command starts it again.")
      .option("--json", "Print the outcome as JSON.")
      .action(actions.stop),
    new Command("daemon")
      .summary("Run the bridge in the foreground")
      .description("Runs the bridge itself. It is started by whoever needs it; this is for looking at it.")
      .action(actions.daemon),
  ];
}

function outputOptions(): Option[] {
  return [
    new Option("--json", "Print the whole result as JSON.").helpGroup("Output and session:"),
    new Option("--session <name>", "Work in this session instead of the shell's own.").helpGroup(
      "Output and session:",
    ),
  ];
}

/** Errors are thrown for `runCli` to print in one place; nothing exits or prints from inside the parser. */
function inherit(command: Command): void {
  command
    .exitOverride()
    .configureOutput({writeErr: () => undefined})
    .helpOption("-h, --help", "Print this help, or a command's.")
    .allowExcessArguments(false);
}

function groupOf({name, where, effect}: Operation): string {
  if (where === "bridge") return "Help and long results:";
  if (name.startsWith("tab_") || name.startsWith("session_")) return "Tabs and sessions:";
  return effect === "read" ? "Looking:" : "Acting:";
}

const examples = `Examples:
  sublet tab-list --query mail
  sublet tab-claim t3
  sublet observe
  sublet fill "Search" "quarterly report"
  sublet press Enter --expect '{"type": "url_contains", "value": "q="}'
  sublet session-finalize`;

const sessionHelp = `Sessions:
  Commands from one shell work in one session. Give --session NAME, or set SUBLET_SESSION=NAME, to share a
  session between shells, as an agent does that starts a new shell for each command.`;
