// result_get: a long result, in parts.
import type {Input, Output} from "../../shared/operations/index.ts";
import type {BridgeContext} from "./index.ts";

export const evidenceHandlers = {
  async result_get(
    input: Input<"result_get">,
    {session, results}: BridgeContext,
  ): Promise<Output<"result_get">> {
    return results.read(session.record.id, input.result_id, input.start, input.max_chars);
  },
};
