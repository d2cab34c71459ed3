/** Answers the approval requests of a session one at a time: by the user at the terminal, or with a denial. */
import type { ApprovalId, SessionId } from "@/lib/events/id";
import { type ApprovalView, type CallView, pendingApprovals, type SessionView } from "@/lib/view/view";
import type { ApproveMode } from "../arguments/parse-arguments";
import type { SessionLink } from "../session-link";
import { type TerminalAnswer, unansweredDenial } from "./terminal-approval";

/** Returns the user's answer, or `unansweredDenial`. Rejects with the signal's reason. */
export type AskUser = (
  call: CallView,
  approval: ApprovalView,
  sessionId: SessionId,
  signal: AbortSignal,
) => Promise<TerminalAnswer>;

export interface ApprovalPrompter {
  /** Answers new requests, and cancels a prompt whose request was answered elsewhere. */
  update(view: SessionView, link: SessionLink): void;
  /** Cancels the open prompt. */
  close(): void;
}

/** The end of the newest prompt: prompters that share it ask one after another. */
export interface PromptOrder {
  last: Promise<void>;
}

export interface PrompterOptions {
  readonly approve: ApproveMode;
  /** null = no user to ask. */
  readonly ask: AskUser | null;
  readonly order: PromptOrder;
  /** Called before a request is denied because no user could answer it. */
  readonly onUnanswered: (call: CallView, approval: ApprovalView) => void;
  /** Called after a request was denied that no user has seen. */
  readonly onDenied: () => void;
}

const optionDenial: TerminalAnswer = { option: "deny", reason: "everything that asks is denied here" };

export function makeApprovalPrompter({
  approve,
  ask,
  order,
  onUnanswered,
  onDenied,
}: PrompterOptions): ApprovalPrompter {
  const questions = new Map<ApprovalId, AbortController>();

  const decide: AskUser = async (call, approval, sessionId, signal) => {
    if (approve === "all" && approval.preview?.kind === "command" && approval.preview.needsNetwork === true)
      return { option: "network" };
    if (approve === "none") return optionDenial;
    return ask === null ? unansweredDenial : ask(call, approval, sessionId, signal);
  };
  const answer = async (
    { sessionId }: SessionView,
    link: SessionLink,
    call: CallView,
    approval: ApprovalView,
  ): Promise<void> => {
    const question = questions.get(approval.approvalId);
    if (question === undefined || question.signal.aborted) return;
    try {
      const decided = await decide(call, approval, sessionId, question.signal);
      if (decided === unansweredDenial) onUnanswered(call, approval);
      const sent = await link.call("session.answer", { sessionId, approvalId: approval.approvalId, ...decided });
      const isUnseen = decided === unansweredDenial || decided === optionDenial;
      if (isUnseen && sent.ok && sent.value.won) onDenied();
    } catch {
      // Answered elsewhere, or the connection was lost: the next connection asks again.
    }
  };

  return {
    update(view, link) {
      const pending = pendingApprovals(view);
      for (const [id, question] of questions)
        if (!pending.some(({ approval }) => approval.approvalId === id)) question.abort();
      for (const { call, approval } of pending) {
        if (questions.has(approval.approvalId)) continue;
        questions.set(approval.approvalId, new AbortController());
        order.last = order.last.then(() => answer(view, link, call, approval));
      }
    },
    close: () => {
      for (const question of questions.values()) question.abort();
    },
  };
}
