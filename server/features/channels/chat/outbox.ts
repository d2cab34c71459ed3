/**
 * Sends what is stored, in order for each person. A delivery is marked before the messenger is asked: one that a kill interrupted
 * may have arrived, and is sent again with a mark.
 */
import { computeHash, randomSecret } from "@/server/base/id";
import { oneAtATime } from "@/server/base/concurrency";
import type { BlobStore } from "@/server/store/files/blobs";
import type { ChannelCard, ChannelRows, StoredDelivery, StoredPerson } from "@/server/store/channels";
import type { Channel, ChannelMessage } from "../channel";
import type { ChannelTexts } from "./texts";

interface OutboxOptions {
  readonly rows: ChannelRows;
  readonly channel: Pick<Channel, "send">;
  readonly blobs: Pick<BlobStore, "get">;
  texts(): ChannelTexts;
  /** A message was sent, or is given up. */
  changed(): void;
  log(line: string): void;
  reportBug(error: unknown): void;
  readonly signal: AbortSignal;
}

export interface Outbox {
  /** Sends what waits for a person, and what is stored meanwhile. */
  wake(personId: string): void;
  /** The same; resolves when nothing waits for the person any more, or nothing can be sent. Never rejects. */
  sent(personId: string): Promise<void>;
  /** Returns the number of messages to a person that were refused for good. */
  refusals(personId: string): number;
  /** Ends what is being sent to a person. */
  stop(personId: string): void;
}

export function makeOutbox(options: OutboxOptions): Outbox {
  const { rows, signal } = options;
  const people = new Map<string, { readonly drain: () => Promise<void>; stop: AbortController; refusals: number }>();
  const drain = async (personId: string): Promise<void> => {
    const current = people.get(personId);
    if (current === undefined) return;
    if (current.stop.signal.aborted) current.stop = new AbortController();
    const ended = AbortSignal.any([signal, current.stop.signal]);
    while (!ended.aborted) {
      const person = rows.person(personId);
      const next = person === undefined || person.isPaused ? undefined : rows.nextDelivery(personId);
      if (person === undefined || next === undefined) return;
      if ((await send(options, person, next, ended)) === "refused") current.refusals += 1;
    }
  };
  const sent = async (personId: string): Promise<void> => {
    if (signal.aborted) return;
    let one = people.get(personId);
    if (one === undefined) {
      one = { drain: oneAtATime(() => drain(personId)), stop: new AbortController(), refusals: 0 };
      people.set(personId, one);
    }
    await one.drain().catch(options.reportBug);
  };
  return {
    sent,
    wake: (personId) => void sent(personId),
    refusals: (personId) => people.get(personId)?.refusals ?? 0,
    stop: (personId) => people.get(personId)?.stop.abort(),
  };
}

/** refused = the messenger never takes it. */
async function send(
  { rows, channel, blobs, texts, changed, log }: OutboxOptions,
  { chatId }: StoredPerson,
  delivery: StoredDelivery,
  signal: AbortSignal,
): Promise<"handled" | "refused"> {
  const replaced = delivery.replaces === undefined ? undefined : rows.delivery(delivery.replaces);
  if (delivery.replaces !== undefined && replaced?.messageId === undefined) {
    endDelivery(rows, delivery, replaced);
    return "handled";
  }
  const nonce = hasButtons(delivery.card) ? randomSecret() : null;
  rows.changeDelivery(delivery.id, { state: "sending", nonce: nonce === null ? null : computeHash(nonce) });
  const isAgain = delivery.state === "sending" && replaced === undefined;
  const message: ChannelMessage = {
    chatId,
    text: isAgain ? `${texts().sentAgain}\n${delivery.text}` : delivery.text,
    ...(nonce === null ? {} : { buttons: buttonsOf(delivery.card, nonce, texts()) }),
    ...(replaced?.messageId === undefined ? {} : { replaces: replaced.messageId }),
    ...fileOf(delivery, blobs),
  };
  const sent = await channel.send(message, signal);
  if (!sent.ok && sent.error.code === "aborted") return "handled";
  if (!sent.ok) log(`A message of a channel was not sent: ${sent.error.code} ${sent.error.detail ?? ""}`);
  // The row of a card stays, also of one that cannot be sent; it may have been answered meanwhile.
  if (delivery.card !== undefined)
    rows.changeDelivery(delivery.id, { state: "sent", ...(sent.ok ? { messageId: sent.value.messageId } : {}) });
  else endDelivery(rows, delivery, replaced);
  changed();
  return sent.ok ? "handled" : "refused";
}

/** A file that is not stored any more is left out. */
function fileOf({ file }: StoredDelivery, blobs: OutboxOptions["blobs"]): Pick<ChannelMessage, "file"> {
  const bytes = file === undefined ? undefined : blobs.get(file.blob);
  return file === undefined || bytes === undefined ? {} : { file: { name: file.name, bytes } };
}

function endDelivery(rows: ChannelRows, { id }: StoredDelivery, replaced: StoredDelivery | undefined): void {
  rows.removeDelivery(id);
  if (replaced !== undefined && replaced.card === undefined) rows.removeDelivery(replaced.id);
}

const hasButtons = (card: ChannelCard | undefined): boolean =>
  card !== undefined && (card.kind === "old_updates" || (card.hasButtons && !card.awaitsReason));

/** Actions of buttons, each with the last letter of the button's value. */
const letters = { allow: "a", deny: "d", reason: "r", run: "x", discard: "n" } as const;
export type ButtonAction = keyof typeof letters;

function buttonsOf(card: ChannelCard | undefined, nonce: string, texts: ChannelTexts): ChannelMessage["buttons"] {
  const rowsOf: readonly (readonly ButtonAction[])[] =
    card?.kind === "approval" ? [["allow", "deny"], ["reason"]] : [["run", "discard"]];
  return rowsOf.map((row) => row.map((action) => ({ label: texts.buttons[action], value: nonce + letters[action] })));
}

/** Finds the card of a button in the chat of a person, and what the button does; null = it has no effect. */
export function findPressed(
  rows: Pick<ChannelRows, "findCard">,
  personId: string,
  value: string,
): { readonly delivery: StoredDelivery; readonly card: ChannelCard; readonly action: ButtonAction } | null {
  const delivery = rows.findCard(computeHash(value.slice(0, -1)));
  if (delivery?.card === undefined || delivery.personId !== personId) return null;
  const { card } = delivery;
  const actions: readonly ButtonAction[] = card.kind === "approval" ? ["allow", "deny", "reason"] : ["run", "discard"];
  const action = actions.find((one) => letters[one] === value.at(-1));
  return action === undefined ? null : { delivery, card, action };
}
