// The agent: the official MCP client, talking to the built server over stdio, as any agent's program does it.
import {fileURLToPath} from "node:url";
import {Client} from "@modelcontextprotocol/sdk/client/index.js";
import {StdioClientTransport} from "@modelcontextprotocol/sdk/client/stdio.js";
import {CallToolResultSchema} from "@modelcontextprotocol/sdk/types.js";
import type {OperationName, RawInput} from "../shared/operations/index.ts";
import {type ActionResult, actionResultSchema} from "../shared/result.ts";

export interface Reply {
  result: ActionResult;
  /** What a model reads of it. */
  text: string;
}

export interface Agent {
  call<Name extends OperationName>(op: Name, input: RawInput<Name>): Promise<Reply>;
  /** A clean end, as when the agent's program exits. */
  close(): Promise<void>;
}

const bin = fileURLToPath(new URL("../dist/bridge/main.js", import.meta.url));

/** @param home Where the bridge keeps everything; no other bridge of this user is met or disturbed. */
export async function startAgent(name: string, home: string): Promise<Agent> {
  const client = new Client({name, version: "1.0.0"});
  const env = Object.entries({...process.env, SUBLET_HOME: home}).filter((entry): entry is [string, string] => entry[1] !== undefined);
  await client.connect(new StdioClientTransport({command: process.execPath, args: [bin, "mcp"], env: Object.fromEntries(env), stderr: "inherit"}));
  return {
    async call(op, input) {
      const {content, structuredContent} = CallToolResultSchema.parse(await client.callTool({name: op, arguments: {...input}}));
      const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n").trim();
      return {result: actionResultSchema.parse(structuredContent), text};
    },
    close: () => client.close(),
  };
}
