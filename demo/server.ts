// Serves the demo's pages on 127.0.0.1, takes bookings, and remembers what it was sent.
import {readFile} from "node:fs/promises";
import {createServer, type IncomingMessage, type Server, type ServerResponse} from "node:http";
import {extname} from "node:path";
import {z} from "zod";

const bookingSchema = z.object({
  passenger: z.string(),
  email: z.string(),
  date: z.string(),
  route: z.string(),
  car: z.boolean(),
  message: z.string(),
});
export type Booking = z.infer<typeof bookingSchema>;

export interface DemoServer extends AsyncDisposable {
  /** http://127.0.0.1:port, without a slash at the end. */
  readonly origin: string;
  /** Every booking that arrived, in order: twice the same would show. */
  readonly bookings: readonly Booking[];
  /** How many mails were sent. */
  readonly sent: () => number;
}

const firstNumber = 1042;

export async function serveDemo(): Promise<DemoServer> {
  const bookings: Booking[] = [];
  let sent = 0;
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => respond(response, 500, "text/plain", String(error)));
  });
  const port = await listen(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    bookings,
    sent: () => sent,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const {pathname} = new URL(request.url ?? "/", "http://127.0.0.1");
    if (request.method === "POST" && pathname === "/bookings") {
      const booking = bookingSchema.parse(JSON.parse(await bodyOf(request)));
      const number = `NF-${firstNumber + bookings.length}`;
      bookings.push(booking);
      return respond(response, 200, "application/json", JSON.stringify({...booking, number}));
    }
    if (request.method === "POST" && pathname === "/messages") {
      sent += 1;
      return respond(response, 200, "application/json", "{}");
    }
    await sendFile(pathname, response);
  }
}

const kinds: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

async function sendFile(pathname: string, response: ServerResponse): Promise<void> {
  const kind = kinds[extname(pathname)];
  const isPage = /^\/[a-z]+\.[a-z]+$/.test(pathname);
  const file = isPage ? await readFile(new URL(`./pages${pathname}`, import.meta.url)).catch(() => null) : null;
  if (file === null || kind === undefined) return respond(response, 404, "text/plain", "no such page");
  respond(response, 200, kind, file);
}

function respond(response: ServerResponse, status: number, kind: string, body: string | Buffer): void {
  response.writeHead(status, {"content-type": kind, "cache-control": "no-store"}).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  request.setEncoding("utf8");
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address.port);
    });
  });
}
