// An expected failure is a value here; the worker makes an error of it (spec 3.5).
import type {ErrorCode, ErrorData} from "../../shared/errors.ts";
import type {Failure} from "./contract.ts";

export const fail = (failed: ErrorCode, message: string, data?: ErrorData): Failure => ({
  failed,
  message,
  ...(data && {data}),
});
