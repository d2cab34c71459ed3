/** Follows one session over one connection: its view, its output, its approval requests, the end of its run. */
import { iterateBackward } from "@/lib/view/chunks";
import type { Envelope, RunEnd } from "@/lib/events/event";
import { fold } from "@/lib/view/fold";
import type { SessionId } from "@/lib/events/id";
import type { Push } from "@/lib/protocol/push";
import { viewFromSnapshot } from "@/lib/view/view-from-snapshot";
import type { SessionView } from "@/lib/view/view";
import { escapeInvisible } from "@/lib/text/escape-invisible";
import { abortable } from "@/server/base/abort";
import type { ApproveMode } from "../arguments/parse-arguments";
import {
  type ApprovalPrompter,
  makeApprovalPrompter,
  type PrompterOptions,
  type PromptOrder,
} from "./approval-prompter";
import { formatUnansweredCall } from "./call-line";
import { makeSubagentFollower, type SubagentFollower } from "./subagent-follower";
import type { RunOutput } from "./run-printer";
import { RunFailure, cliErrorText } from "../cli-error-text";
import type { LinkListeners, SessionLink } from "../session-link";

/** The followed session; both fields are set once the session exists and the prompt was sent. */
export interface FollowedRun {
  readonly sessionId: SessionId | null;
  /** seq of the newest message sent; the entries after it are shown. */
  readonly sentSeq: number | null;
}

/** Follows a session over one connection. */
export class RunFollower implements LinkListeners {
  readonly #cards: ApprovalPrompter;
  readonly #subagents: SubagentFollower;
  #link: SessionLink | null = null;
  #view: SessionView | null = null;
  /** Envelopes received while the session was being opened. */
  #early: Envelope[] = [];
  #check = (_view: SessionView): void => {};
  #failed = (_error: unknown): void => {};

  constructor(
    private readonly followed: FollowedRun,
    private readonly output: RunOutput,
    approve: ApproveMode,
    onDenied: PrompterOptions["onDenied"],
  ) {
    const order: PromptOrder = { last: Promise.resolve() };
    const options = { approve, ask: output.ask, order, onDenied };
    this.#cards = makeApprovalPrompter({
      ...options,
      onUnanswered: (_call, { approvalId }) => output.markUnanswered(approvalId),
    });
    // The calls of subagents have no lines of their own.
    const onUnanswered: PrompterOptions["onUnanswered"] = (call, approval) =>
      output.note(formatUnansweredCall(call, approval));
    this.#subagents = makeSubagentFollower(
      () => makeApprovalPrompter({ ...options, onUnanswered }),
      (title) => output.note(`· subagent: ${escapeInvisible(title)}`),
    );
  }

  /** Opens the session on this connection. Rejects with LinkLost or RunFailure. */
  async follow(link: SessionLink, sessionId: SessionId): Promise<SessionView> {
    this.#link = link;
    const view = await this.#open(link, sessionId);
    await this.#subagents.begin(link, sessionId);
    return view;
  }

  /** Resolves with the end reason of the last run, once no queued message is left to follow it. Rejects with the signal's reason. */
  end(signal: AbortSignal): Promise<RunEnd> {
    return this.until((view) => findRunEnd(view, this.followed.sentSeq), signal);
  }

  /** Resolves with what `find` returns of the view, once that is not null. Rejects with the signal's reason. */
  until<T>(find: (view: SessionView) => T | null, signal: AbortSignal): Promise<T> {
    const found = new Promise<T>((resolve, reject) => {
      this.#check = (view) => {
        const value = find(view);
        if (value !== null) resolve(value);
      };
      this.#failed = reject;
    });
    this.#update();
    return abortable(found, signal);
  }

  /** Cancels the open prompt. */
  leave(): void {
    this.#link = null;
    this.#cards.close();
    this.#subagents.close();
  }

  onPush = (push: Push): void => this.#subagents.push(push);

  onEvents = (envelopes: readonly Envelope[]): void => {
    this.#subagents.events(envelopes);
    this.#receive(envelopes.filter(({ sessionId }) => sessionId === this.followed.sessionId));
  };

  #receive(envelopes: readonly Envelope[]): void {
    if (this.#view === null) return void this.#early.push(...envelopes);
    this.output.events(envelopes);
    this.#view = envelopes.reduce(fold, this.#view);
    if (this.#view.stale) void this.#reopen();
    else this.#update();
  }

  onResync = (sessionId: SessionId): void => {
    if (sessionId === this.followed.sessionId) void this.#reopen();
    else this.#subagents.resync(sessionId);
  };

  async #open(link: SessionLink, sessionId: SessionId): Promise<SessionView> {
    this.#view = null;
    const opened = await link.open(sessionId);
    if (!opened.ok) throw new RunFailure(`session ${sessionId}: ${cliErrorText(opened.error)}`);
    const view = viewFromSnapshot(opened.value.snapshot);
    this.#view = view;
    const early = this.#early;
    this.#early = [];
    this.#receive(early);
    return view;
  }

  async #reopen(): Promise<void> {
    if (this.#link === null || this.followed.sessionId === null) return;
    try {
      await this.#open(this.#link, this.followed.sessionId);
    } catch (error) {
      this.#failed(error);
    }
  }

  #update(): void {
    const { sentSeq } = this.followed;
    if (this.#view === null || this.#link === null || sentSeq === null) return;
    this.output.show(this.#view, sentSeq);
    this.#cards.update(this.#view, this.#link);
    this.#check(this.#view);
  }
}

/** End reason of the last run after `seq`; null = it is running, has not begun, or a queued message begins another one. */
function findRunEnd(view: SessionView, seq: number | null): RunEnd | null {
  if (view.run !== null || seq === null) return null;
  for (const entry of iterateBackward(view.entries)) {
    if (entry.seq <= seq) return null;
    if (entry.kind === "run_end") return entry.reason === "done" && view.queue.length > 0 ? null : entry.reason;
  }
  return null;
}
