/** Handles a person's messages and buttons: commands, prompts, answers to cards. Each is handled once, also across kills. */
import type { AgentError } from "@/lib/events/error";
import { asId, type CommandId, type SessionId } from "@/lib/events/id";
import type { ChannelCard, StoredDelivery, StoredPerson, StoredUpdate, UpdateBody } from "@/server/store/channels";
import { type ApprovalDelivery, changeCard, openCards } from "./cards";
import type { ChannelContext } from "../channel-context";
import { isChatCommand, performChatCommand } from "./chat-commands";
import { type ButtonAction, findPressed } from "./outbox";
import { storeFiles } from "./received-files";

/** Changes to a person's row. */
type PersonChange = Partial<Pick<StoredPerson, "projectId" | "sessionId" | "seenSeq" | "mode">>;

/** Result of an update, stored with the fact that it was handled. */
export interface Handled {
  /** Answers, Markdown. */
  readonly answers?: readonly string[];
  readonly change?: PersonChange;
  /** Shown at the button for a moment. */
  readonly acknowledge?: string;
  /** Further changes of the rows. */
  readonly also?: () => void;
  /** It cannot be done before the session has read some of its messages. */
  readonly waits?: true;
}

type Message = Extract<UpdateBody, { readonly kind: "message" }>;

/** Reasons for denials and texts are cut at this length, characters. */
const reasonMaxChars = 2_000;

/** Whether the update does not wait for messages before it that the session cannot take yet. */
export const isUrgent = (body: UpdateBody): boolean => body.kind === "press" || isChatCommand(body.text);

export async function handleUpdate(
  context: ChannelContext,
  person: StoredPerson,
  { updateId, body }: StoredUpdate,
  signal: AbortSignal,
): Promise<Handled> {
  const commandId = asId<CommandId>(`${context.kind}-${updateId}`);
  if (body.kind === "press") return handlePress(context, person, body.value);
  const command = performChatCommand(context, person, body.text, commandId);
  if (command !== null) return command;
  const denied = openCards(context, person.id).findLast(({ card }) => card.awaitsReason);
  if (denied !== undefined && body.text.trim() !== "") return denyWithReason(context, person, denied, body.text);
  return sendMessage(context, person, { updateId, body }, commandId, signal);
}

async function handlePress(context: ChannelContext, person: StoredPerson, value: string): Promise<Handled> {
  const texts = context.texts();
  const pressed = findPressed(context.rows, person.id, value);
  if (pressed === null) return { acknowledge: texts.noEffect };
  const { delivery, card, action } = pressed;
  if (card.kind === "old_updates") return decideOldUpdates(context, person, delivery, card.count, action === "run");
  if (person.right !== "answer") return { acknowledge: texts.mayNotAnswer };
  if (action !== "reason") return answerCard(context, person, { ...delivery, card }, action);
  const also = (): void => changeCard(context, delivery, texts.askReason, { ...card, awaitsReason: true });
  return { acknowledge: texts.askReason, also };
}

async function answerCard(
  context: ChannelContext,
  person: StoredPerson,
  { card }: { readonly card: Extract<ChannelCard, { kind: "approval" }> },
  action: ButtonAction,
  reason?: string,
): Promise<Handled> {
  const texts = context.texts();
  const { sessionId, approvalId } = card;
  const option = action === "allow" ? "once" : "deny";
  const answered = await context
    .sessionsOf(person)
    .answer({ sessionId, approvalId, option, ...(reason === undefined ? {} : { reason }) });
  if (!answered.ok)
    return {
      acknowledge: answered.error.code === "not_allowed" ? texts.mayNotAnswer : texts.failed(answered.error.code),
    };
  return {
    acknowledge: answered.value.won ? texts.answer(action === "allow" ? "allowed" : "denied") : texts.alreadyAnswered,
  };
}

async function denyWithReason(
  context: ChannelContext,
  person: StoredPerson,
  delivery: ApprovalDelivery,
  text: string,
): Promise<Handled> {
  const { acknowledge = "" } = await answerCard(
    context,
    person,
    delivery,
    "deny",
    text.trim().slice(0, reasonMaxChars),
  );
  // A card that could not be answered does not take the next message too.
  const also = (): void => {
    if (context.rows.delivery(delivery.id)?.card !== undefined)
      context.rows.changeDelivery(delivery.id, { card: { ...delivery.card, awaitsReason: false, hasButtons: false } });
  };
  return { answers: [acknowledge], also };
}

function decideOldUpdates(
  context: ChannelContext,
  person: StoredPerson,
  delivery: StoredDelivery,
  count: number,
  areRun: boolean,
): Handled {
  const { rows } = context;
  const texts = context.texts();
  const line = areRun ? texts.oldRun : texts.oldDiscarded;
  const also = (): void => {
    const old = rows.updates(person.id, rows.countUpdates(person.id)).filter(({ state }) => state === "old");
    for (const { updateId } of old.slice(0, count)) rows.setUpdate(updateId, areRun ? "waiting" : "done");
    changeCard(context, delivery, line);
  };
  return { acknowledge: line, also };
}

async function sendMessage(
  context: ChannelContext,
  person: StoredPerson,
  { updateId, body: { text, files } }: { readonly updateId: string; readonly body: Message },
  commandId: CommandId,
  signal: AbortSignal,
): Promise<Handled> {
  const { rows } = context;
  const texts = context.texts();
  if (person.right === "look") return { answers: [texts.mayNotTalk] };
  const loaded = await storeFiles(context, files, signal);
  if (!loaded.ok) return { answers: [fileErrorText(context, loaded.error)] };
  // Loading takes time, in which the owner may have changed what the person may do.
  const now = rows.person(person.id);
  const waiting = rows.updates(person.id, rows.countUpdates(person.id));
  if (now === undefined || !waiting.some((update) => update.updateId === updateId)) return {};
  if (now.right === "look") return { answers: [texts.mayNotTalk] };
  let sessionId = usableSession(context, now);
  if (sessionId === null) {
    const created = await context
      .sessionsOf(now)
      .create({ projectId: context.projectOf(now), commandId, mode: now.mode });
    if (!created.ok) return { answers: [errorText(context, created.error)] };
    sessionId = created.value.row.id;
    // Before the message: the chat follows the run from its first event on.
    const current = rows.person(person.id);
    if (current === undefined || current.isPaused) return {};
    rows.savePerson({ ...current, sessionId, seenSeq: 0 });
  }
  const isPhoto = files.some((file) => file.isPhoto);
  const sent = await context.sessionsOf(rows.person(person.id) ?? now).send({
    sessionId,
    commandId,
    text: text.trim() === "" ? (isPhoto ? texts.photo : texts.file) : text,
    intent: "steer",
    ...loaded.value,
  });
  if (sent.ok) return {};
  return sent.error.code === "too_many" ? { waits: true } : { answers: [errorText(context, sent.error)] };
}

/** The session of the chat; null = there is none, it was deleted, or its project is not the person's any more. */
function usableSession(context: ChannelContext, person: StoredPerson): SessionId | null {
  const { sessionId } = person;
  if (sessionId === null || !context.sessionsOf(person).get(sessionId).ok) return null;
  return context.host.store.sessions.get(sessionId)?.deletedAt === undefined ? sessionId : null;
}

function fileErrorText(context: ChannelContext, error: AgentError): string {
  const texts = context.texts();
  if (error.code !== "too_large") return texts.notLoaded;
  const bytes = error.facts?.limit ?? context.channel.capabilities.receivedFileMaxBytes;
  return texts.tooLarge(Math.floor(bytes / 1_000_000));
}

function errorText(context: ChannelContext, { code }: AgentError): string {
  const texts = context.texts();
  switch (code) {
    case "not_allowed":
      return texts.moreRights;
    case "no_vision":
      return texts.noVision;
    case "no_model":
    case "model_missing":
    case "server_unreachable":
      return texts.noModel;
    default:
      return texts.failed(code);
  }
}
