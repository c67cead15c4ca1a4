// What the agent does in the demo, step by step: the product's main job, through MCP and nothing else.
import {copyFile} from "node:fs/promises";
import {join} from "node:path";
import type {OperationName, RawInput} from "../shared/operations/index.ts";
import type {Agent, Reply} from "./agent.ts";
import type {Eyes} from "./eyes.ts";

export interface Story {
  agent: Agent;
  eyes: Eyes;
  origin: string;
  /** Prints one step; `failing` steps are meant to be refused. */
  tell(step: {op: string; input: object; reply: Reply; meant: "ok" | "refused"}): void;
  /** After each step: is the person's tab still in front? */
  afterStep(op: string): Promise<void>;
  /** The person opens the popup while tabs are lent. */
  openPopup(): Promise<void>;
  files: string;
}

/** What the person asked for. */
export const asked = {
  passenger: "Ingrid Aasen",
  email: "ingrid@aasen.example",
  date: "2027-05-14",
  route: "Måløy to Florø",
  car: true,
  message: "",
};

/** What became of it, as the agent was told. */
export interface Outcome {
  number: string;
  /** Handles of the three tabs. */
  booking: string;
  receipt: string;
  timetable: string;
  screenshot: string;
}

/** @throws Error when a step does not go as it should. */
export async function playStory(story: Story): Promise<Outcome> {
  const step = async <Name extends OperationName>(op: Name, input: RawInput<Name>): Promise<Reply["result"]> => {
    const {result} = await take(story, op, input, "ok");
    if (!result.ok) throw new Error(`${op} failed: ${result.error?.message}`);
    return result;
  };

  await step("tab_list", {});
  // Named wrongly on purpose: a claim that does not fit the tab is refused, and nothing is touched.
  const wrong = await take(story, "tab_claim", {url: "booking.html", expected_title: "Online banking"}, "refused");
  if (wrong.result.error?.code !== "claim_identity_mismatch") throw new Error("a claim of the wrong tab was not refused");
  const claimed = await step("tab_claim", {url: "booking.html", expected_title: "Nordfjord Ferries"});
  const booking = claimed.tab_id ?? "";

  const seen = await step("observe", {});
  const book = refOf(seen.data, 'button "Book the crossing"');
  await step("fill", {target: "Passenger", value: asked.passenger});
  await step("fill", {target: "Email", value: asked.email});
  await step("fill", {target: "Date", value: asked.date});
  await step("select", {target: "Route", labels: [asked.route]});
  await step("check", {target: "With a car"});
  const crossings = {role: "listitem", within: {role: "list", name: "Your crossings"}};
  const booked = await step("click", {
    target: book,
    approved: true,
    expect: [
      {type: "text_visible", text: "Booked: NF-"},
      {type: "count", target: crossings, equals: 2},
    ],
  });
  if (booked.verification?.status !== "passed") throw new Error("the click's expectation was not shown to hold");

  const found = await step("find", {query: "Booked"});
  const number = /NF-\d+/.exec(JSON.stringify(found.data))?.[0] ?? "";
  const picture = await step("screenshot", {tab: booking});
  const screenshot = join(story.files, "booking.png");
  await copyFile(picture.evidence?.[0]?.path ?? "", screenshot);

  const receipt = (await step("tab_open", {url: `${story.origin}/receipt.html?number=${number}`})).tab_id ?? "";
  await step("tab_mark", {tab: receipt, mark: "deliverable"});
  const timetable = (await step("tab_open", {url: `${story.origin}/timetable.html`})).tab_id ?? "";
  await story.openPopup();
  await step("session_finalize", {});
  return {number, booking, receipt, timetable, screenshot};
}

async function take<Name extends OperationName>(story: Story, op: Name, input: RawInput<Name>, meant: "ok" | "refused"): Promise<Reply> {
  const reply = await story.agent.call(op, input);
  story.tell({op, input, reply, meant});
  await story.afterStep(op);
  return reply;
}

/** The ref that an outline gives for a line, as a model would pick it. */
function refOf(data: unknown, line: string): string {
  const outline = typeof data === "object" && data !== null && "outline" in data ? String(data.outline) : "";
  const ref = outline.split("\n").find((text) => text.includes(line))?.match(/\[ref=(\w+)\]/)?.[1];
  if (ref === undefined) throw new Error(`the outline has no ${line}`);
  return ref;
}
