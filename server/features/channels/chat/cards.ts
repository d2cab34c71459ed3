/**
 * Approvals in the chats: what is asked, whole, with buttons that answer it once. The log of the session decides which cards are
 * open, so that no kill loses one.
 */
import type { ApprovalId, SessionId } from "@/lib/events/id";
import type { CallPreview } from "@/lib/events/tool-kind";
import { approvalText } from "@/lib/view/approval-text";
import { iterateBackward } from "@/lib/view/chunks";
import { type ApprovalView, type CallView, pendingApprovals, type SessionView } from "@/lib/view/view";
import type { Redactor } from "@/server/security/redaction/redact";
import { redactHunkLines } from "@/server/session/share/share-redactor";
import type { ApprovalCard, StoredDelivery, StoredPerson } from "@/server/store/channels";
import { addedChars, type ChannelContext } from "../channel-context";
import type { ChannelTexts } from "./texts";

/** A diff with more lines is for a screen. */
const diffMaxLines = 60;

interface Pending {
  readonly sessionId: SessionId;
  readonly title: string;
  readonly call: CallView;
  readonly approval: ApprovalView;
}

/** A delivery with an approval. */
export type ApprovalDelivery = StoredDelivery & { readonly card: ApprovalCard };
const isApproval = (delivery: StoredDelivery): delivery is ApprovalDelivery => delivery.card?.kind === "approval";

/** The open approvals in a person's chat, oldest first. */
export const openCards = ({ rows }: Pick<ChannelContext, "rows">, personId: string): readonly ApprovalDelivery[] =>
  rows.cards(personId).filter(isApproval);

/** Stores a card for each approval that waits and has none, and ends the cards of those that do not wait any more. */
export function updateCards(context: ChannelContext, person: StoredPerson): void {
  const { rows, host } = context;
  if (person.isPaused) return;
  const cards = openCards(context, person.id);
  const pending = person.sessionId === null ? [] : waitingApprovals(context, person.sessionId);
  if (cards.length === 0 && pending.length === 0) return;
  const isAllowed = person.sessionId !== null && context.sessionsOf(person).get(person.sessionId).ok;
  rows.atomically(() => {
    for (const card of cards) {
      const session = host.sessions.get(card.card.sessionId);
      const view = session.ok ? session.value.view : null;
      if (view === null || !isPending(view, card.card.approvalId)) endCard(context, card, view);
    }
    for (const one of isAllowed ? pending : [])
      if (!cards.some(({ card }) => card.approvalId === one.approval.approvalId)) addCard(context, person, one);
  });
  context.wake(person.id);
}

/** Changes the message of a card, whose buttons have no effect any more. `card` absent = it is answered. */
export function changeCard(
  { rows }: ChannelContext,
  delivery: StoredDelivery,
  line: string,
  card?: ApprovalCard,
): void {
  rows.changeDelivery(delivery.id, { card: card ?? null, nonce: null });
  rows.addDelivery({ personId: delivery.personId, text: `${delivery.text}\n\n${line}`, replaces: delivery.id });
}

const isPending = (view: SessionView, id: ApprovalId): boolean =>
  pendingApprovals(view).some(({ approval }) => approval.approvalId === id);

/** The approvals of a session and of its subagents, at any depth. */
function waitingApprovals({ host }: Pick<ChannelContext, "host">, sessionId: SessionId): readonly Pending[] {
  // A row waits as soon as one of its subagents does.
  if (host.store.sessions.get(sessionId)?.status !== "waiting") return [];
  const session = host.sessions.get(sessionId);
  const own = session.ok ? pendingApprovals(session.value.view) : [];
  const title = session.ok ? session.value.view.title : "";
  const { rows } = host.sessions.list({ parentId: sessionId });
  return [
    ...own.map(({ call, approval }) => ({ sessionId, title, call, approval })),
    ...rows.flatMap(({ id }) => waitingApprovals({ host }, id)),
  ];
}

function addCard(context: ChannelContext, person: StoredPerson, pending: Pending): void {
  const { rows, channel } = context;
  const texts = context.texts();
  const mask = context.mask();
  const { sessionId, approval, call } = pending;
  const shown = cardText(pending, texts, mask);
  const maxChars = channel.capabilities.cardMaxChars - addedChars;
  const isLong = shown.lines > diffMaxLines || shown.text.length > maxChars;
  const heading = mask.text(`${texts.asks(oneLine(pending.title))}\n\n${call.name}`);
  rows.addDelivery({
    personId: person.id,
    text: isLong ? `${heading.slice(0, maxChars / 2)}\n\n${texts.openOnScreen}` : shown.text,
    card: {
      kind: "approval",
      sessionId,
      approvalId: approval.approvalId,
      hasButtons: !isLong && person.right === "answer",
      awaitsReason: false,
    },
  });
}

/** `lines` = length of its diff. */
function cardText(
  { title, call, approval }: Pending,
  texts: ChannelTexts,
  mask: Redactor,
): { readonly text: string; readonly lines: number } {
  const { head, body } = approvalText(call, maskPreview(approval.preview, mask), texts.approval);
  const gate =
    approval.gate === undefined
      ? ""
      : texts.gate(approval.gate.gate, approval.gate.reason || (approval.gate.failure ?? ""));
  const parts = [oneLine(texts.asks(title)), toFence(head), body === "" ? "" : toFence(body), toFence(gate)];
  const text = mask.text(parts.filter((part) => part !== "").join("\n\n"));
  return { text, lines: approval.preview?.kind === "diff" ? body.split("\n").length : 0 };
}

/** Masks what has another form in the text than secrets have. */
function maskPreview(preview: CallPreview | undefined, mask: Redactor): CallPreview | undefined {
  if (preview?.kind === "external") return { ...preview, input: mask.json(preview.input) };
  if (preview?.kind !== "diff") return preview;
  return { ...preview, hunks: preview.hunks.map((hunk) => ({ ...hunk, lines: redactHunkLines(hunk.lines, mask) })) };
}

/** As a code block, in which nothing of the text has another meaning. */
function toFence(text: string): string {
  if (text === "") return "";
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

function endCard(context: ChannelContext, delivery: ApprovalDelivery, view: SessionView | null): void {
  const texts = context.texts();
  const response = view === null ? undefined : findResponse(view, delivery.card.approvalId);
  if (response === undefined) return changeCard(context, delivery, texts.noLongerAsks);
  const { origin, option } = response;
  const name =
    origin === undefined
      ? texts.onPage
      : origin.kind === "cli"
        ? texts.inTerminal
        : "name" in origin
          ? origin.name
          : origin.kind;
  changeCard(context, delivery, texts.answeredBy(option === "deny" ? "denied" : "allowed", context.mask().text(name)));
}

function findResponse(view: SessionView, id: ApprovalId): ApprovalView["response"] {
  for (const entry of iterateBackward(view.entries)) {
    const calls = entry.kind === "message" ? entry.calls : [];
    const found = calls.flatMap(({ approvals }) => approvals).find(({ approvalId }) => approvalId === id);
    if (found !== undefined) return found.response;
  }
  return undefined;
}
