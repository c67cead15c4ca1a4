// How the demo looks in a terminal. Without one there are no colours.
import pc from "picocolors";
import type {Check} from "./checks.ts";
import type {Story} from "./story.ts";

const linesShown = 14;
const widthShown = 110;

export const heading = (text: string): void => console.log(`\n${pc.bold(text)}`);

export const line = (text: string): void => console.log(text);

/** Prints steps with their numbers. */
export function stepPrinter(): Story["tell"] {
  let count = 0;
  return ({op, input, reply, meant}) => {
    count += 1;
    const refused = meant === "refused" ? pc.yellow(" (meant to be refused)") : "";
    console.log(`\n${pc.bold(String(count).padStart(2))}  ${pc.cyan(op)} ${pc.dim(inputInWords(input))}${refused}`);
    const lines = reply.text.split("\n");
    const paint = reply.result.ok || meant === "refused" ? (text: string) => text : pc.red;
    for (const text of lines.slice(0, linesShown)) console.log(`    ${paint(cut(text))}`);
    if (lines.length > linesShown) console.log(pc.dim(`    … and ${lines.length - linesShown} more lines`));
  };
}

export function printChecks(checks: Check[]): void {
  for (const {says, wrong} of checks) {
    console.log(wrong === null ? `  ${pc.green("✓")} ${says}` : `  ${pc.red(`✗ ${says}: ${wrong}`)}`);
  }
}

const inputInWords = (input: object): string =>
  cut(Object.entries(input).map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`).join(" "));

const cut = (text: string): string => (text.length > widthShown ? `${text.slice(0, widthShown - 1)}…` : text);
