/** One session: commands in, events out. A repeated commandId returns the earlier result and does nothing. */
import { type Block, type ImageRef, withImages } from "@/lib/content";
import { fail, ok, type Result } from "@/lib/error";
import { type DurableEvent, type Envelope, type Intent, isBorder, type QueuedMessage, type RunEnd } from "@/lib/event";
import type { ApprovalId, ClientId, CommandId, MessageId, QueuedId, RuleId, RunId, SessionId } from "@/lib/id";
import type { ApprovalOption, Mode, Rule, RulePattern } from "@/lib/policy";
import { limits } from "@/lib/settings";
import { canContinue, pendingApprovals, type SessionView } from "@/lib/view";
import { headInForce } from "@/lib/snapshot";
import { canShorten, finishCompaction, headEdited, planCompaction, startOf } from "../agent/compact";
import { continueText } from "../agent/compact-facts";
import { type ContextParts, contextParts } from "../agent/context-parts";
import { guardNotice } from "../agent/guard-notice";
import { freshId } from "../base/id";
import { makeHost, type SessionCommands } from "./agent-host";
import { tellUser } from "./context-blocks";
import { type Driver, makeDriver } from "./driver";
import { viewWith } from "./load";
import { endsInText } from "./last-word";
import { type Log, makeLog } from "./log";
import { mayShow } from "./message-images";
import { modelChange } from "./model";
import { queueChanged, queueWith, queueWithout, takeQueued, userMessage } from "./queue";
import { makeSessionFiles, type SessionFiles } from "./session-files";
import type { SendOptions, SessionServices, WantedModel } from "./services";
import { titleOf } from "./title";
import { makeWaiters } from "./waiters";

export interface Answer {
  readonly option: ApprovalOption;
  readonly reason?: string;
  /** Words of an "always" rule as edited by the user. */
  readonly rule?: RulePattern;
}

export interface Started {
  readonly seq: number;
  /** Resolves at the end of the run this command started or joined; at once with null if there is none. */
  readonly done: Promise<RunEnd | null>;
}

export interface Session {
  readonly id: SessionId;
  readonly view: SessionView;
  /**
   * Sends a prompt; during a run it is queued as a steer, so typed text is never lost. Fails with no_model, and with
   * options also with not_idle, not_border, model_missing, and gone when the queued message no longer waits.
   */
  send(text: string, intent: Intent, commandId: CommandId, options?: SendOptions): Result<Started>;
  /** True when a rewind may go to this seq and a fork may start at it. */
  isBorder(seq: number): boolean;
  /** Hides what came after. Fails with not_idle, not_border. */
  rewind(toSeq: number, commandId: CommandId): Result<number>;
  /** Restoring files. A prompt sent during a restore starts a run after it. */
  readonly files: SessionFiles;
  /** Sets the user's name for a position; an empty one removes it. Fails with not_found. */
  label(seq: number, text: string, commandId: CommandId): Result<number>;
  /** Continues after interrupted or limit. Fails with not_idle when there is nothing to continue. */
  resume(commandId: CommandId): Result<Started>;
  unqueue(id: QueuedId, commandId: CommandId): boolean;
  requeue(id: QueuedId, text: string, commandId: CommandId): boolean;
  /** true = this answer won; a stale id gives false. */
  answer(approvalId: ApprovalId, answer: Answer, by: ClientId): boolean;
  update(change: { readonly title?: string; readonly mode?: Mode }, commandId: CommandId): number;
  /** Fails with not_idle during a run, model_missing, no_model. */
  changeModel(wanted: WantedModel, commandId: CommandId): Result<number>;
  /**
   * Summarizes the old part of the conversation, outside a run; Stop ends it, and a prompt sent meanwhile starts a run
   * after it. Fails with not_idle, with no_summary when nothing would be summarized, and with no_gain.
   */
  compact(focus: string | undefined, commandId: CommandId): Result<Started>;
  /** Replaces the effective summary by the user's text. Fails with not_idle, and with gone for another summary. */
  editSummary(of: number, summary: string, commandId: CommandId): Result<number>;
  /** Parts of the next request. Fails with no_model. */
  context(): Result<ContextParts>;
  readonly commands: SessionCommands;
  /** Resolves when idle and every open call has ended. */
  abort(): Promise<void>;
  subscribe(listener: (envelope: Envelope) => void): () => void;
  /** True when nothing runs: the session may be released. */
  readonly idle: boolean;
  /** Releases shell and timers; the next call recreates them. */
  close(): void;
  /** Shutdown: stops the work without writing its end; approvals stay pending, a run can continue after the start. */
  park(): Promise<void>;
}

export class LiveSession implements Session {
  readonly id: SessionId;
  readonly #log: Log;
  readonly #waiters = makeWaiters();
  readonly #agent: ReturnType<typeof makeHost>;
  readonly #driver: Driver;
  readonly files: SessionFiles;
  readonly commands: SessionCommands;

  /** `start` is the recovered view of the stored log. */
  constructor(
    start: SessionView,
    private readonly services: SessionServices,
  ) {
    this.id = start.sessionId;
    this.#log = makeLog(start, services);
    this.#agent = makeHost({ log: this.#log, services, waiters: this.#waiters });
    this.commands = this.#agent.commands;
    this.#driver = makeDriver(this.#log, this.#agent.host, (view, intent) =>
      takeQueued(view, intent, freshMessageId, (text, images) => this.#blocks(text, view, images)),
    );
    this.files = makeSessionFiles({
      log: this.#log,
      services,
      back: (toSeq) => this.#back(toSeq),
      isFree: () => this.#isFree,
      ended: (rewound) => {
        if (rewound) this.#agent.rest();
        if (this.#isFree) this.#beginQueued();
      },
    });
  }

  get view(): SessionView {
    return this.#log.view();
  }

  get idle(): boolean {
    return this.#driver.running() === null && !this.files.busy;
  }

  send(
    text: string,
    intent: Intent,
    commandId: CommandId,
    { images = [], ...options }: SendOptions = {},
  ): Result<Started> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(this.#joined(before));
    const shown = mayShow(this.services, this.view, images, options.model);
    if (!shown.ok) return shown;
    if (this.#isFree) {
      const first = this.#before(options);
      if (!first.ok) return first;
      return this.#begin(commandId, first.value, (view) => [
        ...(view.title === "" ? [{ type: "session_update" as const, title: titleOf(text) }] : []),
        ...userMessage(freshMessageId(), commandId, this.#blocks(text, view, images)),
      ]);
    }
    if (Object.keys(options).length > 0) return fail("not_idle");
    if (this.view.queue.length >= limits.queueMaxEntries)
      return fail("too_many", undefined, { limit: limits.queueMaxEntries });
    const queued: QueuedMessage = {
      id: freshId<QueuedId>("q"),
      commandId,
      intent: intent === "followUp" && this.view.run !== null ? "followUp" : "steer",
      text,
      ...withImages(images),
      at: this.services.now(),
    };
    return ok(this.#joined(this.#log.commit([queueWith(this.view, queued)], receipt(commandId))));
  }

  isBorder(seq: number): boolean {
    return seq === 0 || isBorder(this.services.store.events.typeAt(this.id, seq) ?? "");
  }

  rewind(toSeq: number, commandId: CommandId): Result<number> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(before);
    const back = this.#back(toSeq);
    if (!back.ok) return back;
    const seq = this.#log.commit([back.value], receipt(commandId));
    // The current shell belongs to the hidden part; the next one starts in the folder where the path's last command
    // ended.
    this.#agent.rest();
    return ok(seq);
  }

  label(seq: number, text: string, commandId: CommandId): Result<number> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(before);
    if (seq < 1 || seq > this.view.seq) return fail("not_found");
    const label = { seq, text: text.trim() };
    return ok(this.#log.commit([{ type: "session_update", label }], receipt(commandId)));
  }

  resume(commandId: CommandId): Result<Started> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(this.#joined(before));
    if (!this.#isFree || !canContinue(this.view)) return fail("not_idle");
    const guard = guardNotice(this.view);
    return this.#begin(commandId, [], () =>
      guard !== null || endsInText(this.view)
        ? userMessage(freshMessageId(), commandId, [...(guard === null ? [] : [guard]), ...this.#blocks(continueText)])
        : [],
    );
  }

  unqueue(id: QueuedId, commandId: CommandId): boolean {
    return this.#changeQueue(commandId, () => queueWithout(this.view, id));
  }

  requeue(id: QueuedId, text: string, commandId: CommandId): boolean {
    return this.#changeQueue(commandId, () => queueChanged(this.view, id, text));
  }

  answer(approvalId: ApprovalId, answer: Answer, by: ClientId): boolean {
    const pending = pendingApprovals(this.view).find(({ approval }) => approval.approvalId === approvalId);
    if (pending === undefined || !pending.approval.options.includes(answer.option)) return false;
    const rule = answer.option === "always" ? this.#rule(answer.rule ?? pending.approval.rule) : null;
    const reason = answer.reason?.trim();
    this.#log.commit([
      {
        type: "approval_response",
        approvalId,
        option: answer.option,
        by,
        ...(reason ? { reason } : {}),
        ...(rule === null ? {} : { rule }),
      },
      ...(answer.option === "edits" ? [{ type: "session_update" as const, mode: "edits" as const }] : []),
    ]);
    try {
      if (rule !== null) this.services.addRule(rule);
    } finally {
      // The answer is in the log even if the rule could not be stored.
      if (this.#driver.running() === null) void this.#driver.drive();
      else this.#waiters.answered(approvalId);
    }
    return true;
  }

  update(change: { readonly title?: string; readonly mode?: Mode }, commandId: CommandId): number {
    return this.#repeated(commandId) ?? this.#log.commit([{ type: "session_update", ...change }], receipt(commandId));
  }

  changeModel(wanted: WantedModel, commandId: CommandId): Result<number> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(before);
    if (!this.#isFree) return fail("not_idle");
    const current = this.view.model;
    const change = modelChange(this.services, current === null ? wanted : { ...wanted, current });
    return change.ok ? ok(this.#log.commit([change.value], receipt(commandId))) : change;
  }

  compact(focus: string | undefined, commandId: CommandId): Result<Started> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(this.#joined(before));
    if (!this.#isFree) return fail("not_idle");
    const { host } = this.#agent;
    if (this.view.model === null || planCompaction(host) === null) return fail("no_summary");
    if (!canShorten(host)) return fail("no_gain");
    const order = { why: "user" as const, ...(focus?.trim() ? { focus: focus.trim() } : {}) };
    const seq = this.#log.commit([startOf(host, order)], receipt(commandId));
    const done = this.#driver
      .occupy((signal) => finishCompaction(host, order, signal))
      .then((end) => {
        if (end === "done" && this.#isFree) this.#beginQueued();
        return end;
      });
    return ok({ seq, done });
  }

  editSummary(of: number, summary: string, commandId: CommandId): Result<number> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(before);
    if (!this.#isFree) return fail("not_idle");
    const inForce = headInForce(this.view);
    if (inForce?.head === undefined || of !== (inForce.kind === "compaction" ? inForce.seq : inForce.of))
      return fail("gone");
    const head = headEdited(this.#agent.host, inForce.head, summary);
    return ok(this.#log.commit([{ type: "compaction_update", of, summary, head }], receipt(commandId)));
  }

  context(): Result<ContextParts> {
    return this.view.model === null ? fail("no_model") : ok(contextParts(this.#agent.host));
  }

  abort(): Promise<void> {
    return this.#driver.abort();
  }

  subscribe(listener: (envelope: Envelope) => void): () => void {
    return this.#log.subscribe(listener);
  }

  close(): void {
    this.#log.rest();
    this.#agent.rest();
  }

  async park(): Promise<void> {
    await this.#driver.park();
    this.close();
  }

  /** Commits the run, the events before it and its first message at once; chooses a model first if there is none. */
  #begin(
    commandId: CommandId,
    before: readonly DurableEvent[],
    first: (view: SessionView) => readonly DurableEvent[],
  ): Result<Started> {
    if (this.view.model === null && !before.some(({ type }) => type === "model_change")) {
      const change = modelChange(this.services, { name: "" });
      if (!change.ok) return change;
      this.#log.commit([change.value]);
    }
    const view = viewWith(this.view, this.services.now(), before);
    const start: DurableEvent = { type: "agent_start", runId: freshId<RunId>("r") };
    const seq = this.#log.commit([...before, start, ...first(view)], receipt(commandId));
    if (before.some(({ type }) => type === "rewind")) this.#agent.rest();
    return ok({ seq, done: this.#driver.drive() });
  }

  /** Events of a prompt's options, before its run starts. */
  #before({ rewindTo, model, queuedId }: SendOptions): Result<readonly DurableEvent[]> {
    const events: DurableEvent[] = [];
    if (rewindTo !== undefined) {
      const back = this.#back(rewindTo);
      if (!back.ok) return back;
      events.push(back.value);
    }
    if (model !== undefined) {
      const current = this.view.model;
      const change = modelChange(this.services, current === null ? model : { ...model, current });
      if (!change.ok) return change;
      events.push(change.value);
    }
    if (queuedId !== undefined) {
      const queue = queueWithout(this.view, queuedId);
      if (queue === null) return fail("gone");
      events.push(queue);
    }
    return ok(events);
  }

  #back(toSeq: number): Result<DurableEvent> {
    if (!this.#isFree) return fail("not_idle");
    return this.isBorder(toSeq) ? ok({ type: "rewind", toSeq }) : fail("not_border");
  }

  /** True when no run is open, no summary is being written and no files are being restored. */
  get #isFree(): boolean {
    return this.view.run === null && this.view.openCompaction === null && !this.files.busy;
  }

  /** Starts a run for messages sent while a summary was written. */
  #beginQueued(): void {
    const first = takeQueued(this.view, "steer", freshMessageId, (text, images) =>
      this.#blocks(text, this.view, images),
    );
    if (first.length === 0 || this.services.store.sessions.get(this.id)?.deletedAt !== undefined) return;
    this.#log.commit([{ type: "agent_start", runId: freshId<RunId>("r") }, ...first]);
    void this.#driver.drive();
  }

  /** A repeated command returns its earlier result: only a change of the queue has a receipt. */
  #changeQueue(commandId: CommandId, change: () => DurableEvent | null): boolean {
    if (this.#repeated(commandId) !== null) return true;
    const event = change();
    if (event !== null) this.#log.commit([event], receipt(commandId));
    return event !== null;
  }

  /** Blocks of a message, without notices the view already contains. */
  #blocks(text: string, view: SessionView = this.view, images: readonly ImageRef[] = []): readonly Block[] {
    return tellUser(view, text, this.services, images);
  }

  #rule(pattern: RulePattern | undefined): Rule | null {
    if (pattern === undefined) return null;
    return {
      id: freshId<RuleId>("rule"),
      projectId: this.view.projectId,
      effect: "allow",
      tool: "bash",
      words: pattern.words,
      rest: pattern.rest,
      createdAt: this.services.now(),
    };
  }

  #joined(seq: number): Started {
    return { seq, done: this.#driver.running() ?? Promise.resolve(null) };
  }

  /** The seq a command returned before; null = it is new. */
  #repeated(commandId: CommandId): number | null {
    const result = this.services.store.events.receipt(this.id, commandId);
    return typeof result === "object" && result !== null && "seq" in result && typeof result.seq === "number"
      ? result.seq
      : null;
  }
}

const receipt = (commandId: CommandId) => (seq: number) => ({ commandId, result: { seq } });

const freshMessageId = (): MessageId => freshId<MessageId>("m");
