// The connection to the bridge: in the footer always, and in full words while there is nothing else to show.
import type {PopupState} from "./state.ts";

const inWords: Record<PopupState["connection"], string> = {
  connected: "Connected",
  connecting: "Looking for the bridge",
  unpaired: "Not connected",
};

export function ConnectionLine({state}: {state: PopupState}) {
  const bridge = state.bridge_version !== null && state.bridge_version !== state.version;
  return (
    <footer class="foot">
      <span class={`dot ${state.connection}`} aria-hidden="true" />
      <span role="status">{inWords[state.connection]}</span>
      <span class="version">
        {state.version}
        {bridge && `, bridge ${state.bridge_version}`}
      </span>
    </footer>
  );
}

/** What to do first, when no tab is lent. */
export function NothingLent({connection}: {connection: PopupState["connection"]}) {
  return (
    <section class="empty" aria-labelledby="nothing">
      <h2 id="nothing">No tab is lent</h2>
      {firstStep[connection]}
    </section>
  );
}

const firstStep = {
  connected: (
    <>
      <p>Ask your agent for something in a tab that you have open. It claims that one tab, and you see it here.</p>
      <p class="quote">“In my open booking tab, fill in the form for Friday.”</p>
      <p class="hint">
        No agent yet? Add <code>sublet mcp</code> to its MCP servers.
      </p>
    </>
  ),
  connecting: (
    <>
      <p>The bridge on this computer is not running. It starts by itself when an agent needs it.</p>
      <p class="hint">
        Should it be there already? <code>sublet doctor</code> says what is wrong.
      </p>
    </>
  ),
  unpaired: (
    <>
      <p>This browser profile is not connected to Sublet’s bridge, so no agent can reach its tabs.</p>
      <p class="hint">
        For now, Sublet works in browsers that it starts itself: run <code>sublet launch</code>.
      </p>
    </>
  ),
} satisfies Record<PopupState["connection"], unknown>;
