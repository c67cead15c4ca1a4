// Files that operations bring: moved out of the result onto the agent's own machine, one folder a session. The bridge
// picks every name; nothing a page or an agent says becomes part of a path.
import {mkdirSync} from "node:fs";
import {join} from "node:path";
import type {ActionResult, EvidenceFile} from "../../shared/result.ts";
import {createPrivate} from "./state-file.ts";

/** Writes the pictures and documents in a result's evidence, 0600, and fills in where they are. */
export async function storeEvidence(result: ActionResult, folder: string): Promise<ActionResult> {
  if (result.evidence === undefined || result.evidence.every((file) => file.base64 === undefined))
    return result;
  const own = join(folder, safe(result.session_id));
  mkdirSync(own, {recursive: true, mode: 0o700});
  const evidence = await Promise.all(
    result.evidence.map((file, index) =>
      stored(file, join(own, `${safe(result.action_id)}-${index + 1}.${extensionOf(file.mime)}`)),
    ),
  );
  return {...result, evidence};
}

async function stored(file: EvidenceFile, path: string): Promise<EvidenceFile> {
  const {base64, ...facts} = file;
  if (base64 === undefined) return facts;
  const content = Buffer.from(base64, "base64");
  await createPrivate(path, content);
  return {...facts, path, bytes: content.length};
}

const extensions: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "application/pdf": "pdf",
  "application/json": "json",
  "text/html": "html",
  "text/plain": "txt",
};

const extensionOf = (mime: string): string => extensions[mime] ?? "bin";

/** Ids are ours, and still no path is made of them unchecked. */
const safe = (id: string): string => id.replaceAll(/[^\w-]/g, "_");
