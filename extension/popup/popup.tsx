// The popup: the person's control room. It holds no state of its own but what is being asked right now.
import {render} from "preact";
import {useEffect, useLayoutEffect, useRef, useState} from "preact/hooks";
import {SubletError} from "../../shared/errors.ts";
import mark from "../icons/sublet.svg";
import {ConnectionLine, NothingLent} from "./connection.tsx";
import {Leases, titleOf} from "./leases.tsx";
import type {PopupLease, PopupState} from "./state.ts";
import {followWorker, type Worker} from "./worker.ts";
import {tabsInWords} from "./words.ts";

/** How often "2 min ago" is counted anew. */
const tickMs = 5_000;

function Popup() {
  const {state, worker, silent} = useWorker();
  const nowMs = useClock();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [said, setSaid] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const body = useKeptFocus();

  if (state === null) return silent ? <Silent /> : null;
  const lent = state.agents.reduce((count, agent) => count + agent.leases.length, 0);

  return (
    <div class="popup" ref={body}>
      <header class="head">
        <img class="mark" src={mark} alt="" width={24} height={24} />
        <h1>Sublet</h1>
        <span class="count">{lent > 0 && `${tabsInWords(lent)} lent`}</span>
        {!state.stopped && (
          <button type="button" class="stop" onClick={stopEverything}>
            Stop everything
          </button>
        )}
      </header>
      {state.stopped && <Stopped onAllow={allowAgain} />}
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <main>
        {lent > 0 && <Leases agents={state.agents} nowMs={nowMs} actions={{takeBack, show, isBusy}} />}
        {lent === 0 && !state.stopped && <NothingLent connection={state.connection} />}
      </main>
      <ConnectionLine state={state} />
      <p class="unseen" role="status">
        {said}
      </p>
    </div>
  );

  function takeBack(lease: PopupLease): void {
    setBusy(new Set([...busy, lease.tab_id]));
    void ask(`${titleOf(lease)} is yours again`, "take_back", {tab_id: lease.tab_id}).finally(() =>
      setBusy((before) => new Set([...before].filter((tab) => tab !== lease.tab_id))),
    );
  }

  function show(lease: PopupLease): void {
    // A popup closes by itself when another tab comes to the front.
    void ask(`${titleOf(lease)} is in front`, "show", {tab_id: lease.tab_id});
  }

  function stopEverything(): void {
    void ask("Everything is stopped", "stop_all");
  }

  function allowAgain(): void {
    void ask("Agents are allowed again", "allow_again");
  }

  async function ask(done: string, ...request: Parameters<Worker["ask"]>): Promise<void> {
    try {
      setProblem(null);
      await worker.ask(...request);
      setSaid(done);
    } catch (thrown) {
      setProblem(`That did not work: ${SubletError.from(thrown).message}.`);
    }
  }

  function isBusy(lease: PopupLease): boolean {
    return busy.has(lease.tab_id);
  }
}

function Stopped({onAllow}: {onAllow: () => void}) {
  const banner = useRef<HTMLElement>(null);
  // The button that was pressed is gone. The banner takes its place for the keyboard, and not the opposite button:
  // pressing the same key twice must not undo the stop.
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement === null) banner.current?.focus();
  }, []);
  return (
    <section class="stopped" aria-labelledby="stopped" tabIndex={-1} ref={banner}>
      <h2 id="stopped">Everything is stopped</h2>
      <p>Every tab is yours again, and no agent can use one until you allow it.</p>
      <button type="button" class="allow" onClick={onAllow}>
        Allow agents again
      </button>
    </section>
  );
}

/** The extension's own worker does not answer: nothing here can be true, so nothing is shown as if it were. */
function Silent() {
  return (
    <main class="silent">
      <h1>Sublet does not answer</h1>
      <p>Turn the extension off and on again at chrome://extensions. That also ends every lease.</p>
    </main>
  );
}

function useWorker() {
  const [state, setState] = useState<PopupState | null>(null);
  const [silent, setSilent] = useState(false);
  const [worker, setWorker] = useState<Worker>({ask: () => Promise.reject(new Error("not connected yet"))});
  useEffect(() => {
    setWorker(
      followWorker((next) => {
        setSilent(next === null);
        if (next !== null) setState(next);
      }),
    );
  }, []);
  return {state, worker, silent};
}

function useClock(): number {
  const [nowMs, setNowMs] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  // A state that has just come may be younger than the last tick.
  return Math.max(nowMs, Date.now());
}

/** Keeps the keyboard where it was when the button it was on has gone, and a held key from pressing the next one. */
function useKeptFocus() {
  const body = useRef<HTMLDivElement>(null);
  const last = useRef<{button: HTMLElement; index: number} | null>(null);
  useEffect(() => {
    const remember = ({target}: FocusEvent) => {
      if (target instanceof HTMLElement) last.current = {button: target, index: buttonsIn(body.current).indexOf(target)};
    };
    const ignoreRepeats = (event: KeyboardEvent) => {
      if (event.repeat && event.key !== "Tab" && !event.key.startsWith("Arrow")) event.preventDefault();
    };
    document.addEventListener("focusin", remember);
    document.addEventListener("keydown", ignoreRepeats);
    return () => {
      document.removeEventListener("focusin", remember);
      document.removeEventListener("keydown", ignoreRepeats);
    };
  }, []);
  useLayoutEffect(() => {
    const before = last.current;
    if (before === null || before.button.isConnected || body.current?.querySelector(".stopped")) return;
    last.current = null;
    const buttons = buttonsIn(body.current);
    buttons[Math.min(before.index, buttons.length - 1)]?.focus();
  });
  return body;
}

const buttonsIn = (body: HTMLElement | null): HTMLElement[] => [...(body?.querySelectorAll("button") ?? [])];

render(<Popup />, document.body);
