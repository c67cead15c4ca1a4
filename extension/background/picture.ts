// Pictures of a tab, in the background too: what `screenshot` answers with, and what a failed interaction attaches.
import type {EvidenceFile} from "../../shared/result.ts";
import type {Box} from "../page/contract.ts";
import type {Workplace} from "./context.ts";
import {send, untilInterrupted} from "./debuggee.ts";

export interface PictureOptions {
  format: "png" | "jpeg";
  /** For jpeg, 1 to 100. */
  quality: number;
  /** Also what lies outside the viewport. */
  beyondViewport: boolean;
  /** In CSS pixels of the page; the viewport when left out. */
  clip?: Box & {scale: number};
}

export interface Picture {
  file: EvidenceFile;
  /** In the picture's own pixels. */
  width: number;
  height: number;
}

export async function takePicture(work: Workplace, options: PictureOptions): Promise<Picture> {
  const {format, quality, beyondViewport, clip} = options;
  const capture = send<{data: string}>(work.tabId, "Page.captureScreenshot", {
    format,
    ...(format === "jpeg" && {quality}),
    captureBeyondViewport: beyondViewport,
    ...(clip !== undefined && {clip}),
  });
  const {data} = await untilInterrupted(work.tabId, capture, work.signal);
  const bytes = Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
  return {
    file: {kind: "screenshot", path: "", mime: `image/${format}`, bytes, base64: data},
    ...sizeOf(data, format),
  };
}

/** Width and height as the picture's own header has them: the device's pixel ratio is in them. */
function sizeOf(base64: string, format: "png" | "jpeg"): {width: number; height: number} {
  if (format === "png") {
    const header = bytesOf(base64.slice(0, 32));
    return {width: header.getUint32(16), height: header.getUint32(20)};
  }
  const bytes = bytesOf(base64.slice(0, 87_380));
  let at = 2;
  while (at + 9 < bytes.byteLength) {
    const marker = bytes.getUint8(at + 1);
    // The start-of-frame segment holds the size; the others are passed over by their length.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return {width: bytes.getUint16(at + 7), height: bytes.getUint16(at + 5)};
    at += 2 + bytes.getUint16(at + 2);
  }
  return {width: 0, height: 0};
}

function bytesOf(base64: string): DataView {
  const binary = atob(base64.slice(0, base64.length - (base64.length % 4)));
  return new DataView(Uint8Array.from(binary, (character) => character.charCodeAt(0)).buffer);
}
