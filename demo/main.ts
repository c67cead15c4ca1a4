// `npm run demo`: a throw-away browser with a person's tabs in it, and an agent that is lent one of them. Prints what
// was asked and answered, then what the browser itself says about it. `-- --headed` shows it on a screen.
import {mkdir, mkdtemp, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join, relative} from "node:path";
import {createInterface} from "node:readline/promises";
import {setTimeout as pause} from "node:timers/promises";
import {fileURLToPath} from "node:url";
import {parseArgs} from "node:util";
import pc from "picocolors";
import {connect} from "../bridge/client/connect.ts";
import {launchBrowser} from "../bridge/launch/launch.ts";
import {startAgent} from "./agent.ts";
import {type Check, lookAfter, lookBefore} from "./checks.ts";
import {openEyes} from "./eyes.ts";
import {heading, line, printChecks, stepPrinter} from "./print.ts";
import {serveDemo} from "./server.ts";
import {playStory} from "./story.ts";

const files = fileURLToPath(new URL("../artifacts/demo/", import.meta.url));
/** On a screen, a person wants to see each step. */
const headedStepMs = 1_200;

async function main(): Promise<void> {
  const {values} = parseArgs({options: {headed: {type: "boolean", default: false}}});
  if (values.headed && process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    throw new Error("there is no display to show it on; leave --headed away, or run it under xvfb-run");
  }
  await mkdir(files, {recursive: true});
  const home = await mkdtemp(join(tmpdir(), "sublet-demo-"));
  process.env.SUBLET_HOME = home;
  try {
    const checks = await play(home, values.headed);
    conclude(checks);
  } finally {
    await stopBridge();
    await rm(home, {recursive: true, force: true, maxRetries: 10, retryDelay: 100});
  }
}

async function play(home: string, headed: boolean): Promise<Check[]> {
  await using server = await serveDemo();
  const agent = await startAgent("Demo agent", home);
  // Whoever needs the bridge first starts it; here it is the agent.
  await agent.call("capabilities", {});
  const pages = ["notes", "mail", "booking"].map((page) => `${server.origin}/${page}.html`);
  const browser = await launchBrowser({headless: !headed, urls: pages, args: ["--remote-debugging-port=0"]});
  try {
    const eyes = await openEyes(browser.profile);
    await untilLoaded(eyes.tabs, pages.length);
    const before = await lookBefore(eyes);
    heading("The person's browser");
    line(`  ${eyes.product}, a throw-away profile, the extension in it. Three tabs are open:`);
    for (const tab of await eyes.tabs()) line(`  ${tab.active ? "▸" : " "} ${tab.title} ${pc.dim(tab.url)}`);
    if (headed) line("  Watch, but leave the tabs alone: the checks at the end would count your clicks.");

    heading("The agent's job, through MCP: book a crossing in the tab that is open already");
    await eyes.watch();
    const strayed: string[] = [];
    const outcome = await playStory({
      agent,
      eyes,
      origin: server.origin,
      files,
      tell: stepPrinter(),
      async afterStep(op) {
        const now = (await eyes.tabs()).find(({id}) => id === before.front.id);
        if (now?.active !== true) strayed.push(op);
        if (headed) await pause(headedStepMs);
      },
      async openPopup() {
        await writeFile(join(files, "popup.png"), await eyes.pictureOfPopup());
        line(`\n    ${pc.dim("Meanwhile the person opens the popup, and sees what is lent:")} ${named("popup.png")}`);
      },
    });

    heading("What the browser says, looked at from its own side");
    const checks = await lookAfter(eyes, before, server, strayed);
    printChecks(checks);
    heading("Pictures");
    line(`  ${named("booking.png")}  the page of booking ${outcome.number}, taken in the background`);
    line(`  ${named("popup.png")}    the person's popup while three tabs were lent`);
    if (headed && process.stdin.isTTY) await untilEnter();
    eyes.close();
    return checks;
  } finally {
    await agent.close();
    await browser.stop();
  }
}

function conclude(checks: Check[]): void {
  const wrong = checks.filter((check) => check.wrong !== null);
  if (wrong.length > 0) {
    line(`\n${pc.red(`${wrong.length} of ${checks.length} checks do not hold. This is a bug in Sublet: what it promises is above.`)}`);
    process.exitCode = 1;
    return;
  }
  heading("What to do next");
  line(`  See it on a screen       ${pc.cyan("npm run demo -- --headed")}`);
  line(`  Try it by hand           ${pc.cyan("npm run sublet -- launch https://example.com")}, and in another shell`);
  line(`                           ${pc.cyan("npm run sublet -- tab-list")}`);
  line(`  Give it to your agent    add this MCP server to it: ${pc.cyan("node dist/bridge/main.js mcp")}`);
  line(`  Read on                  README.md`);
}

/** The tabs are opening when launch resolves; a tab has its title once its document is there. */
async function untilLoaded(tabs: () => Promise<{title: string; url: string}[]>, count: number): Promise<void> {
  for (;;) {
    const loaded = (await tabs()).filter(({title, url}) => url.startsWith("http") && title !== "" && !url.includes(title));
    if (loaded.length >= count) return;
    await pause(20);
  }
}

async function untilEnter(): Promise<void> {
  const terminal = createInterface({input: process.stdin, output: process.stdout});
  await terminal.question("\nPress Enter to close the browser. ");
  terminal.close();
}

async function stopBridge(): Promise<void> {
  const bridge = await connect({session: "none", start: false}).catch(() => null);
  await bridge?.shutdown().catch(() => undefined);
  await bridge?.close();
}

const named = (file: string): string => pc.bold(relative(process.cwd(), join(files, file)));

main().catch((error: unknown) => {
  console.error(`\n${pc.red(`The demo did not run through: ${error instanceof Error ? error.message : String(error)}`)}`);
  process.exitCode = 1;
});
