// A web server on loopback for the pages of a test: whatever HTML the test sets at a path.
import {createServer} from "node:http";
import type {AddressInfo} from "node:net";

export interface Pages extends AsyncDisposable {
  /** The page's URL; the second host name makes it another site. */
  url(path: string, host?: "127.0.0.1" | "localhost"): string;
  set(path: string, html: string, options?: {status?: number; headers?: Record<string, string>}): void;
  readonly port: number;
}

/** Every page starts with a record of what reached it, kept before any other listener of the page. */
export const recorder = `<script>
window.__record = [];
for (const type of ["pointerdown", "mousedown", "mouseup", "click", "dblclick", "auxclick", "contextmenu", "keydown", "input", "change", "submit"])
  document.addEventListener(type, (event) => {
    const target = event.composedPath()[0];
    window.__record.push({type, id: target.id || target.localName || "document", trusted: event.isTrusted});
  }, true);
window.__count = (type, id) => window.__record.filter((event) => event.type === type && (id === undefined || event.id === id)).length;
</script>`;

export const html = (body: string, title = "Page"): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>${title}</title>${recorder}</head><body>${body}</body></html>`;

export async function servePages(): Promise<Pages> {
  const pages = new Map<string, {html: string; status: number; headers: Record<string, string>}>();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://host").pathname;
    // Never answered: the test's own deadline ends it.
    if (path === "/hang") return;
    const page = pages.get(path);
    response.writeHead(page?.status ?? 404, {"content-type": "text/html; charset=utf-8", ...page?.headers});
    response.end(page?.html ?? html("<h1>Not found</h1>", "Not found"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const {port} = server.address() as AddressInfo;
  return {
    port,
    url: (path, host = "127.0.0.1") => `http://${host}:${port}${path}`,
    set: (path, page, {status = 200, headers = {}} = {}) =>
      void pages.set(path, {html: page, status, headers}),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
