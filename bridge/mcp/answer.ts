// An ActionResult as an MCP tool's answer: the whole of it as structured content, and a short text for the model.
import {readFile} from "node:fs/promises";
import type {CallToolResult} from "@modelcontextprotocol/sdk/types.js";
import {LIMITS} from "../../shared/limits.ts";
import {type ActionResult, type EvidenceFile, happenedAnyway} from "../../shared/result.ts";
import {textOf} from "../text.ts";

export async function toAnswer(result: ActionResult): Promise<CallToolResult> {
  const images = await Promise.all((result.evidence ?? []).filter(isPicture).map(toImage));
  return {
    content: [{type: "text", text: textOf(result)}, ...images.filter((image) => image !== null)],
    structuredContent: {...result},
    isError: result.error !== undefined && !happenedAnyway(result.error),
  };
}

type ImageContent = Extract<CallToolResult["content"][number], {type: "image"}>;

const isPicture = (file: EvidenceFile): boolean =>
  file.kind === "screenshot" && file.bytes <= LIMITS.inlineImageBytes;

/** The picture itself; null when its file is gone, which the text beside it survives. */
async function toImage({path, mime}: EvidenceFile): Promise<ImageContent | null> {
  const bytes = await readFile(path).catch(() => null);
  return bytes === null ? null : {type: "image", data: bytes.toString("base64"), mimeType: mime};
}
