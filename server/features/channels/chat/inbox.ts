/** Accepts updates of a messenger: checks the sender, stores each update once, and handles those of one person in order. */
import { oneAtATime } from "@/server/base/concurrency";
import type { StoredPerson, UpdateBody } from "@/server/store/channels";
import type { ReceivedMessage, ReceivedPress, ReceivedUpdate } from "../channel";
import { updateCards } from "./cards";
import { type ChannelContext, storeText } from "../channel-context";
import { type Handled, handleUpdate, isUrgent } from "./dialog";
import type { Pairing } from "../pairing";

/** Messages of one person that are not done. */
const waitingMax = 100;
/** A message that arrives later than this after it was sent is only run when the person wants it, ms. */
const oldMs = 10 * 60_000;
/** Old messages that follow each other within this time are one question, ms. */
const oldSilenceMs = 300;
/** The messenger repeats an update for at most a day; rows of done updates are deleted after this, ms. */
export const updateAgeMs = 7 * 24 * 3_600_000;

const nameMaxChars = 60;

interface InboxOptions {
  readonly context: ChannelContext;
  readonly pairing: Pairing;
  /** People or their messages changed. */
  changed(): void;
  reportBug(error: unknown): void;
  readonly signal: AbortSignal;
}

interface Inbox {
  /** See `ChannelReceiver.received`. */
  received(update: ReceivedUpdate): Promise<void>;
  /** Does what waits for its turn. */
  wake(personId: string): void;
  /** Requests a decision about the old messages of a person, unless it is open. */
  askAboutOld(personId: string): void;
}

export function makeInbox(options: InboxOptions): Inbox {
  const { context, pairing, changed, reportBug, signal } = options;
  const { rows, host } = context;
  /** People who have the message about their full queue. */
  const warned = new Set<string>();
  /** Presses whose buttons show a sign of waiting, by update. */
  const presses = new Map<string, ReceivedPress>();
  const workers = new Map<string, () => Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  signal.addEventListener("abort", () => {
    for (const timer of timers.values()) clearTimeout(timer);
  });
  const askAboutOld = (personId: string): void => requestDecision(context, personId, signal);
  const wake = (personId: string): void => {
    if (signal.aborted) return;
    let worker = workers.get(personId);
    if (worker === undefined) {
      worker = oneAtATime(() => work(options, presses, personId, askAboutOld));
      workers.set(personId, worker);
    }
    worker()
      .then(() => rows.countUpdates(personId) === 0 && warned.delete(personId))
      .catch(reportBug);
  };
  return {
    wake,
    askAboutOld,
    async received(update) {
      if (!update.isPrivate) return;
      const person = rows.person(update.sender.id);
      if (person === undefined) {
        if (update.kind === "message" && pair(context, pairing, update)) changed();
        return;
      }
      if (person.isPaused || person.chatId !== update.chatId) return;
      const isOld = update.kind === "message" && update.sentAt < host.now() - oldMs;
      const isStored = storeUpdate(context, person, update, isOld, warned);
      if (!isStored) return;
      if (update.kind === "press") presses.set(update.updateId, update);
      changed();
      wake(person.id);
      if (!isOld) return;
      clearTimeout(timers.get(person.id));
      const ask = (): void => {
        try {
          askAboutOld(person.id);
        } catch (error) {
          reportBug(error);
        }
      };
      timers.set(person.id, setTimeout(ask, oldSilenceMs).unref());
    },
  };
}

function requestDecision(context: ChannelContext, personId: string, signal: AbortSignal): void {
  const { rows } = context;
  if (signal.aborted || rows.cards(personId).some(({ card }) => card?.kind === "old_updates")) return;
  const count = rows.updates(personId, waitingMax).filter(({ state }) => state === "old").length;
  if (count === 0) return;
  rows.addDelivery({ personId, text: context.texts().oldMessages(count), card: { kind: "old_updates", count } });
  context.wake(personId);
}

/** Returns whether a stranger's message has the code; nothing else of a stranger has any effect. */
function pair(context: ChannelContext, pairing: Pairing, { text, sender, chatId, updateId }: ReceivedMessage): boolean {
  const { rows, host } = context;
  const [, code] = /^\/start\s+(\S{1,100})\s*$/.exec(text) ?? [];
  if (code === undefined || !pairing.use(code)) return false;
  const name = sender.name
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, nameMaxChars);
  rows.atomically(() => {
    rows.addUpdate(sender.id, { updateId, state: "done" }, host.now());
    rows.savePerson({
      id: sender.id,
      name: name === "" ? sender.id : name,
      right: "talk",
      isPaused: false,
      pairedAt: host.now(),
      chatId,
      projectId: null,
      sessionId: null,
      seenSeq: 0,
      mode: "ask",
    });
    storeText(context, sender.id, context.texts().paired(name));
  });
  context.wake(sender.id);
  return true;
}

/** false = it is stored already, or there is no room for it. */
function storeUpdate(
  context: ChannelContext,
  { id }: StoredPerson,
  update: ReceivedUpdate,
  isOld: boolean,
  warned: Set<string>,
): boolean {
  const { rows, host } = context;
  const body: UpdateBody =
    update.kind === "press"
      ? { kind: "press", value: update.value, messageId: update.messageId }
      : { kind: "message", text: update.text, files: [...update.files] };
  const { updateId } = update;
  // An old command waits for the decision like a message.
  if ((isUrgent(body) && !isOld) || rows.countUpdates(id) < waitingMax)
    return rows.addUpdate(id, { updateId, state: isOld ? "old" : "waiting", body }, host.now());
  rows.atomically(() => {
    const isNew = rows.addUpdate(id, { updateId, state: "done" }, host.now());
    if (isNew && !warned.has(id)) storeText(context, id, context.texts().queueFull(waitingMax));
  });
  warned.add(id);
  context.wake(id);
  return false;
}

/** Does what waits for its turn, in order; messages that the session cannot take yet stay. */
async function work(
  { context, changed, reportBug, signal }: InboxOptions,
  presses: Map<string, ReceivedPress>,
  personId: string,
  askAboutOld: (personId: string) => void,
): Promise<void> {
  const { rows } = context;
  let isBlocked = false;
  for (;;) {
    const person = rows.person(personId);
    if (signal.aborted || person === undefined || person.isPaused) return;
    const next = rows
      .updates(personId, waitingMax * 2)
      .find(({ state, body }) => state === "waiting" && (!isBlocked || isUrgent(body)));
    if (next === undefined) return;
    const handled = await handleUpdate(context, person, next, signal).catch((error: unknown): Handled => {
      reportBug(error);
      return { answers: [context.texts().failed("internal")] };
    });
    if (signal.aborted) return;
    isBlocked ||= handled.waits === true;
    if (handled.waits === true) continue;
    rows.atomically(() => {
      const current = rows.person(personId);
      if (current === undefined || current.isPaused) return;
      if (handled.change !== undefined) rows.savePerson({ ...current, ...handled.change });
      for (const answer of handled.answers ?? []) storeText(context, personId, answer);
      handled.also?.();
      rows.setUpdate(next.updateId, "done");
    });
    void presses.get(next.updateId)?.acknowledge(handled.acknowledge);
    presses.delete(next.updateId);
    if (next.body.kind === "press") askAboutOld(personId);
    const changedPerson = typeof handled.change?.sessionId === "string" ? rows.person(personId) : undefined;
    if (changedPerson !== undefined) updateCards(context, changedPerson);
    context.wake(personId);
    changed();
  }
}
