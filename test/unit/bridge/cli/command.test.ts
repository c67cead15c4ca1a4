// The command line as an operation's input, and its help.
import {describe, expect, it} from "vitest";
import {type Actions, buildProgram} from "../../../../bridge/cli/program.ts";

const nothing = async (): Promise<void> => undefined;

/** What a command line comes to: the operation, its input and the options beside it. */
async function parsed(...argv: string[]): Promise<unknown> {
  const seen: unknown[] = [];
  const actions: Actions = {
    operation: async ({name}, input, {json, session}) => void seen.push({name, input, json, session}),
    mcp: async (options) => void seen.push(options),
    daemon: nothing,
    launch: async (options) => void seen.push(options),
    status: async (options) => void seen.push(options),
    stop: nothing,
  };
  await buildProgram(argv[0], actions).parseAsync(argv, {from: "user"});
  return seen[0];
}

const inputOf = async (...argv: string[]): Promise<unknown> => {
  const seen = await parsed(...argv);
  return typeof seen === "object" && seen !== null && "input" in seen ? seen.input : seen;
};

describe("an operation's fields", () => {
  it("come in position", async () => {
    expect(await inputOf("fill", "Email", "ada@example.com")).toEqual({
      target: "Email",
      value: "ada@example.com",
    });
  });

  it("come as flags, with - for _", async () => {
    expect(await inputOf("observe", "--max-chars", "500", "--mode", "interactive")).toEqual({
      max_chars: 500,
      mode: "interactive",
    });
  });

  it("are left out when they are not given: defaults are the schema's", async () => {
    expect(await inputOf("check", "I agree")).toEqual({target: "I agree"});
  });

  it("that are yes or no are flags, both ways", async () => {
    expect(await inputOf("screenshot", "--full-page")).toEqual({full_page: true});
    expect(await inputOf("screenshot", "--no-full-page")).toEqual({full_page: false});
    expect(await inputOf("check", "I agree", "--no-checked")).toEqual({target: "I agree", checked: false});
  });

  it("that are lists are given several times", async () => {
    const input = await inputOf("select", "Country", "--labels", "Norway", "--labels", "Chile");
    expect(input).toEqual({target: "Country", labels: ["Norway", "Chile"]});
    expect(await inputOf("select", "Country", "--indexes", "0", "--indexes", "2")).toEqual({
      target: "Country",
      indexes: [0, 2],
    });
  });

  it("that are lists of objects are JSON, one by one or all at once", async () => {
    const one = '{"tab":"t5","as":"deliverable"}';
    expect(await inputOf("session-finalize", "--keep", one)).toEqual({keep: [JSON.parse(one)]});
    expect(await inputOf("session-finalize", "--keep", one, "--keep", one)).toEqual({
      keep: [JSON.parse(one), JSON.parse(one)],
    });
    expect(await inputOf("session-finalize", "--keep", `[${one}]`)).toEqual({keep: [JSON.parse(one)]});
  });

  it("that may be null take the word", async () => {
    expect(await inputOf("tab-mark", "t5", "--mark", "null")).toEqual({tab: "t5", mark: null});
  });

  it("that are targets or conditions are JSON or plain", async () => {
    expect(await inputOf("click", '{"css": "#save"}')).toEqual({target: {css: "#save"}});
    expect(await inputOf("click", "e12")).toEqual({target: "e12"});
    expect(await inputOf("click", "[draft] Save")).toEqual({target: "[draft] Save"});
    expect(await inputOf("click", "e1", "--expect", '[{"type": "no_dialog"}]')).toEqual({
      target: "e1",
      expect: [{type: "no_dialog"}],
    });
  });

  it("that are text stay text, whatever they look like", async () => {
    expect(await inputOf("fill", "Code", '{"a": 1}')).toEqual({target: "Code", value: '{"a": 1}'});
    expect(await inputOf("fill", "Amount", "--", "-5")).toEqual({target: "Amount", value: "-5"});
    expect(await inputOf("fill", "Amount", "--value", "-5")).toEqual({target: "Amount", value: "-5"});
    expect(await inputOf("fill", "Note", "")).toEqual({target: "Note", value: ""});
    expect(await inputOf("fill", "Code", "007")).toEqual({target: "Code", value: "007"});
  });

  it("that are no numbers stay as they are, for the schema to say what it expected", async () => {
    expect(await inputOf("click", "e1", "--count", "two")).toEqual({target: "e1", count: "two"});
    expect(await inputOf("click", "e1", "--count", "")).toEqual({target: "e1", count: ""});
  });
});

it("--json and --session are beside the input, not in it", async () => {
  expect(await parsed("tab-list", "--json", "--session", "work")).toEqual({
    name: "tab_list",
    input: {},
    json: true,
    session: "work",
  });
});

describe("what is refused", () => {
  it.each<[string[], string]>([
    [["clik"], "unknown command 'clik'"],
    [["click", "--foo"], "unknown option '--foo'"],
    [["click", "a", "b"], "too many arguments"],
    [["click", "--target"], "argument missing"],
    [["click", "e1", "--target", "e2"], "target is given twice"],
    [["click", "{bad"], "--target is not JSON"],
    [["mcp", "--tools", "some"], "Allowed choices are default, all, read"],
    [["mcp", "extra"], "too many arguments"],
  ])("%j", async (argv, words) => {
    await expect(parsed(...argv)).rejects.toThrow(words);
  });
});

it("the commands of its own take their options", async () => {
  expect(await parsed("mcp")).toMatchObject({tools: "default"});
  expect(await parsed("mcp", "--tools", "read")).toMatchObject({tools: "read"});
  expect(await parsed("launch", "--headless", "http://a.test/", "http://b.test/")).toEqual({
    headless: true,
    urls: ["http://a.test/", "http://b.test/"],
  });
  expect(await parsed("launch", "--profile", "/tmp/p")).toEqual({
    headless: false,
    profile: "/tmp/p",
    urls: [],
  });
  expect(await parsed("status", "--json")).toMatchObject({json: true});
});

describe("help", () => {
  it("of the program groups its commands, and tells of examples, sessions and exit codes", () => {
    const help = helpOf(undefined);
    for (const part of [
      "Tabs and sessions:",
      "Looking:",
      "Acting:",
      "Running Sublet:",
      "Examples:",
      "SUBLET_SESSION",
      "Exit codes:",
    ]) {
      expect(help).toContain(part);
    }
  });

  it("of a command describes its flags, the common ones apart, with an example", () => {
    const help = helpOf("click");
    expect(help).toMatch(
      /Options:[\s\S]*--button <left\|right\|middle>[\s\S]*Common options:[\s\S]*--timeout-ms <number>/,
    );
    expect(help).toContain("sublet click 'Sign in' --expect");
  });
});

function helpOf(word: string | undefined): string {
  const program = buildProgram(word, {
    operation: nothing,
    mcp: nothing,
    daemon: nothing,
    launch: nothing,
    status: nothing,
    stop: nothing,
  });
  const command = word === undefined ? program : program.commands.find((one) => one.name() === word);
  let text = "";
  command?.configureOutput({writeOut: (part) => (text += part)}).outputHelp();
  return text;
}
