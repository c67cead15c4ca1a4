// `sublet mcp`: the MCP server over stdio. It lists its tools without a bridge; the first call connects. Standard
// output carries JSON-RPC and nothing else.
import {Server} from "@modelcontextprotocol/sdk/server/index.js";
import {StdioServerTransport} from "@modelcontextprotocol/sdk/server/stdio.js";
import {CallToolRequestSchema, ListToolsRequestSchema} from "@modelcontextprotocol/sdk/types.js";
import {endsSession, runOperation} from "../run.ts";
import {VERSION} from "../version.ts";
import {toAnswer} from "./answer.ts";
import {instructions} from "./instructions.ts";
import {createLink, parseSession} from "./link.ts";
import {type ToolSet, toolsOf} from "./tool.ts";

/** Serves until the client closes standard input or the process is asked to end; then finalizes the session. */
export async function serveMcp(tools: ToolSet): Promise<void> {
  // A stray console.log of some library would end the conversation.
  console.log = console.error;
  const server = new Server({name: "sublet", version: VERSION}, {capabilities: {tools: {}}, instructions});
  const link = createLink(() => clientOf(server), parseSession(process.env.SUBLET_SESSION));

  server.setRequestHandler(ListToolsRequestSchema, () => ({tools: toolsOf(tools)}));
  server.setRequestHandler(CallToolRequestSchema, async ({params}, {signal}) => {
    const result = await runOperation(link.connection, params.name, params.arguments ?? {}, signal);
    // A client lives longer than a task: after the end of one session, its next call begins another.
    if (endsSession(result)) await link.renew();
    return toAnswer(result);
  });
  await server.connect(new StdioServerTransport());

  await ended();
  await link.close();
  await server.close();
}

/** What the client calls itself, as far as the bridge takes it: a name of 1 to 100 characters. */
function clientOf(server: Server): {name: string; version: string} | undefined {
  const client = server.getClientVersion();
  if (client === undefined || client.name === "") return undefined;
  return {name: client.name.slice(0, 100), version: client.version.slice(0, 40)};
}

/** Resolves when the client is gone or the process is asked to end. */
function ended(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve();
    process.stdin.once("end", end);
    process.stdin.once("close", end);
    // Writing to a client that is gone is the same news as its end of input.
    process.stdout.once("error", end);
    process.once("SIGTERM", end);
    process.once("SIGINT", end);
    process.once("SIGHUP", end);
  });
}
