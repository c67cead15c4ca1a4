// doctor: what is wrong, and what mends it. The CLI asks the same questions without a bridge (bridge/doctor).
import type {Input, Output} from "../../shared/operations/index.ts";
import {diagnose} from "../doctor/diagnose.ts";
import type {BridgeContext} from "./index.ts";

export const doctorHandlers = {
  async doctor(_: Input<"doctor">, {bridge}: BridgeContext): Promise<Output<"doctor">> {
    return diagnose({bridge: bridge()});
  },
};
