// The doctor for a command line: it also finds out why no bridge can be started, which the bridge itself cannot.
import {SubletError} from "../../shared/errors.ts";
import type {Output} from "../../shared/operations/index.ts";
import {connect} from "../client/connect.ts";
import {home} from "../home.ts";
import {diagnose} from "./diagnose.ts";

/** Starts the bridge if none runs, as any command would. Never rejects. */
export async function diagnoseHere(): Promise<Output<"doctor">> {
  try {
    const bridge = await connect({client: {name: "sublet doctor", version: "1"}, session: "none"});
    const status = await bridge.status();
    await bridge.close();
    return diagnose({bridge: {home: home(), status}});
  } catch (thrown) {
    return diagnose({bridge: null, trouble: SubletError.from(thrown).message});
  }
}
