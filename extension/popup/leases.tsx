// The leases, grouped by the agent that holds them, each with the way to end it.
import type {PopupAgent, PopupLease} from "./state.ts";
import {ago, clock, hostOf, tabsInWords} from "./words.ts";

export interface LeaseActions {
  takeBack(lease: PopupLease): void;
  show(lease: PopupLease): void;
  /** The tab that is being taken back right now. */
  isBusy(lease: PopupLease): boolean;
}

interface LeasesProps {
  agents: PopupAgent[];
  nowMs: number;
  actions: LeaseActions;
}

export function Leases({agents, nowMs, actions}: LeasesProps) {
  return (
    <>
      {agents.map((agent) => (
        <section key={agent.session} class="agent" aria-labelledby={`agent-${agent.session}`}>
          <header class="agent-head">
            <h2 id={`agent-${agent.session}`} class="agent-name" title={agent.name}>
              <bdi>{agent.name}</bdi>
            </h2>
            <span class="count">{tabsInWords(agent.leases.length)}</span>
          </header>
          <ul class="leases">
            {agent.leases.map((lease) => (
              <Lease key={lease.tab_id} lease={lease} nowMs={nowMs} actions={actions} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

export const titleOf = (lease: PopupLease): string =>
  lease.title.trim() || hostOf(lease.url) || "A page without a title";

interface LeaseProps {
  lease: PopupLease;
  nowMs: number;
  actions: LeaseActions;
}

function Lease({lease, nowMs, actions}: LeaseProps) {
  const host = hostOf(lease.url);
  const title = titleOf(lease);
  const verb = lease.origin === "user" ? "lent" : "opened";
  const busy = actions.isBusy(lease);
  return (
    <li class="lease">
      <Icon icon={lease.icon} host={host} />
      <div class="what">
        <p class="title" dir="auto" title={title}>
          {title}
        </p>
        <p class="where" title={lease.url}>
          {host}
        </p>
        <LastAction lease={lease} nowMs={nowMs} />
      </div>
      <div class="actions">
        <span class="since">
          {verb} {clock(lease.since_ms, nowMs)}
        </span>
        <button type="button" class="quiet" aria-label={`Show ${title}`} onClick={() => actions.show(lease)}>
          Show
        </button>
        <button
          type="button"
          class="outlined"
          aria-label={`Take back ${title}`}
          aria-disabled={busy}
          onClick={() => busy || actions.takeBack(lease)}
        >
          Take back
        </button>
      </div>
    </li>
  );
}

function LastAction({lease, nowMs}: {lease: PopupLease; nowMs: number}) {
  if (lease.last_action === null || lease.last_action_ms === null)
    return <p class="last nothing">Nothing done yet</p>;
  const when = ago(lease.last_action_ms, nowMs);
  return (
    <p class="last" title={lease.last_action}>
      <span class="when">{when}:</span> <bdi>{lease.last_action}</bdi>
    </p>
  );
}

/** The page's icon when it is at hand, since nothing is fetched; else the first letter of its host. */
function Icon({icon, host}: {icon: string | null; host: string}) {
  if (icon !== null) return <img class="icon" src={icon} alt="" width={16} height={16} />;
  const letter = /[\p{L}\p{N}]/u.exec(host.replace(/^www\./, ""))?.[0] ?? "·";
  return (
    <span class="icon letter" aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  );
}
