/** One session: commands in, events out. A repeated commandId returns the earlier result and does nothing. */
import { type Attachments, type Block, optionalAttachments } from "@/lib/events/content";
import { fail, ok, type Result } from "@/lib/events/error";
import {
  type DurableEvent,
  type Envelope,
  type Intent,
  isBorder,
  optionalOrigin,
  type Origin,
  type QueuedMessage,
  type RunEnd,
} from "@/lib/events/event";
import type { ApprovalId, ClientId, CommandId, MessageId, QueuedId, RunId, SessionId } from "@/lib/events/id";
import type { PinReport } from "@/lib/protocol/answers";
import { canContinue, type SessionView } from "@/lib/view/view";
import { activeCompaction } from "@/lib/view/snapshot";
import {
  canShorten,
  finishCompaction,
  editCompactionHead,
  planCompaction,
  compactionStart,
} from "@/server/agent/compaction/compaction";
import { continueText } from "@/server/agent/compaction/compaction-facts";
import { type ContextParts, measureContextParts } from "@/server/agent/context/context-parts";
import type { ContextBlock } from "@/server/agent/context/context-source";
import { requestBeside } from "@/server/agent/side/request-beside";
import { guardNotice } from "@/server/agent/guards/guard-notice";
import { randomId } from "@/server/base/id";
import { makeAgentHost } from "./agent-host";
import { contextForMessage } from "../context/message-context";
import { type Driver, makeDriver } from "./driver";
import { appendToView } from "../loading/load";
import { endsInText } from "./ends-in-text";
import { makeReceipt, makeSessionLog, readReceipt, type SessionLog } from "./session-log";
import { makeSessionPins, type SessionPins } from "../context/pinned-files";
import { checkImagesAllowed } from "../context/message-images";
import { answerApproval } from "../decisions/answered-approval";
import { type CallDecision, decisionEvents } from "../decisions/decided-call";
import { type StepCall, stepCallEvents } from "../decisions/step-call";
import type { WorkflowEvent } from "@/lib/workflows/workflow-events";
import { modelChange } from "./model-change";
import { editQueued, enqueue, removeQueued, takeQueued, userMessageEvents } from "./queue";
import { makeSessionFiles, type SessionFiles } from "../restore/session-files";
import type { SendOptions, SessionServices } from "./services";
import type { WantedModel } from "@/server/models/access/session-models";
import type { ApprovalReply, Committed, Session, SessionChange, StartedRun } from "./session-types";
import { promptEvents } from "./prompt-events";
import { titleEvents } from "./prompt-title";
import { checkUserCommand, takeQueuedCommand, userCommandEvents } from "../user-commands/run-user-command";
import { findHeldAnswer } from "@/server/agent/loop/close-run";
import { makeApprovalWaiters } from "./approval-waiters";

export class LiveSession implements Session {
  readonly id: SessionId;
  readonly #log: SessionLog;
  readonly #waiters = makeApprovalWaiters();
  readonly #pins: SessionPins;
  readonly #agent: ReturnType<typeof makeAgentHost>;
  readonly #driver: Driver;
  readonly files: SessionFiles;
  readonly controls: Session["controls"];
  readonly review: Session["review"];
  readonly requestBeside: Session["requestBeside"] = (side, signal) => requestBeside(this.#agent.host, side, signal);

  /** `start` is the recovered view of the stored log. */
  constructor(
    start: SessionView,
    private readonly services: SessionServices,
  ) {
    this.id = start.sessionId;
    this.#log = makeSessionLog(start, services);
    this.#pins = makeSessionPins(services);
    this.#agent = makeAgentHost({ log: this.#log, services, waiters: this.#waiters, pins: this.#pins });
    this.controls = this.#agent.commands;
    this.review = this.#agent.review;
    this.#driver = makeDriver(this.#log, this.#agent.host, this.#takeQueued);
    this.files = makeSessionFiles({
      log: this.#log,
      services,
      rewindEvent: (toSeq) => this.#back(toSeq),
      isFree: () => this.#isFree,
      onEnded: (rewound) => {
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
    { images = [], references = ok([]), origin, start, ...options }: SendOptions = {},
  ): Result<StartedRun> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(this.#joined(before.seq));
    if (!references.ok) return references;
    const shown = checkImagesAllowed(this.services, this.view, images, options.model);
    if (!shown.ok) return shown;
    const attachments = optionalAttachments({ images, references: references.value });
    if (this.#isFree) {
      const first = promptEvents(options, this.view, this.services, (toSeq) => this.#back(toSeq));
      if (!first.ok) return first;
      return this.#begin(commandId, first.value, (view) => [
        ...titleEvents(view, text),
        ...userMessageEvents(freshMessageId(), commandId, this.#blocks(text, view, attachments, start), origin),
      ]);
    }
    if (Object.keys(options).length > 0) return fail("not_idle");
    return this.#enqueue({
      commandId,
      intent: intent === "followUp" && this.view.run !== null ? "followUp" : "steer",
      text,
      ...attachments,
      ...optionalOrigin(origin),
    });
  }

  receiveHeldAnswer(): void {
    if (findHeldAnswer(this.view) !== undefined && this.idle) void this.#drive();
  }

  runCommand(text: string, commandId: CommandId, queuedId?: QueuedId): Result<StartedRun> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(this.#joined(before.seq));
    const command = checkUserCommand(text);
    if (!command.ok) return command;
    if (this.#isFree) {
      const unqueued = promptEvents({ queuedId }, this.view, this.services, (toSeq) => this.#back(toSeq));
      if (!unqueued.ok) return unqueued;
      const titled = titleEvents(this.view, command.value.command);
      const events = [...titled, ...unqueued.value, ...userCommandEvents(command.value, commandId)];
      return ok({ seq: this.#log.commit(events, makeReceipt(commandId)), done: this.#drive() });
    }
    if (this.view.run === null || queuedId !== undefined) return fail("not_idle");
    return this.#enqueue({ commandId, intent: "followUp", text, isCommand: true });
  }

  isBorder(seq: number): boolean {
    return seq === 0 || isBorder(this.services.store.events.typeAt(this.id, seq) ?? "");
  }

  rewind(toSeq: number, commandId: CommandId): Result<Committed> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(before);
    const back = this.#back(toSeq);
    if (!back.ok) return back;
    const seq = this.#log.commit([back.value], makeReceipt(commandId));
    // The next shell starts in the folder where the last command of the path ended.
    this.#agent.rest();
    return ok({ seq });
  }

  label(seq: number, text: string, commandId: CommandId): Result<Committed> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(before);
    if (seq < 1 || seq > this.view.seq) return fail("not_found");
    const label = { seq, text: text.trim() };
    return ok({ seq: this.#log.commit([{ type: "session_update", label }], makeReceipt(commandId)) });
  }

  resume(commandId: CommandId, origin?: Origin): Result<StartedRun> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(this.#joined(before.seq));
    if (!this.#isFree || !canContinue(this.view)) return fail("not_idle");
    const guard = guardNotice(this.view);
    return this.#begin(commandId, [], () => {
      if (guard === null && !endsInText(this.view)) return [];
      const blocks = [...(guard === null ? [] : [guard]), ...this.#blocks(continueText)];
      return userMessageEvents(freshMessageId(), commandId, blocks, origin);
    });
  }

  decideCall(decided: CallDecision, commandId: CommandId): Result<StartedRun> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(this.#joined(before.seq));
    const events = this.#isFree ? decisionEvents(this.view, decided) : fail("not_idle");
    if (!events.ok) return events;
    if (decided.run) return this.#begin(commandId, [events.value.decision], () => events.value.answer);
    return ok(this.#joined(this.#log.commit([events.value.decision], makeReceipt(commandId))));
  }

  runStepCall(call: StepCall, commandId: CommandId): Result<StartedRun> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(this.#joined(before.seq));
    return this.#isFree ? this.#begin(commandId, [], () => stepCallEvents(call, commandId)) : fail("not_idle");
  }

  recordWorkflow(events: readonly WorkflowEvent[], commandId: CommandId): Committed {
    return this.#repeated(commandId) ?? { seq: this.#log.commit(events, makeReceipt(commandId)) };
  }
  hasDone(commandId: CommandId): boolean {
    return this.#repeated(commandId) !== null;
  }

  unqueue(id: QueuedId, commandId: CommandId): boolean {
    return this.#changeQueue(commandId, () => removeQueued(this.view, id));
  }

  requeue(id: QueuedId, text: string, commandId: CommandId): boolean {
    return this.#changeQueue(commandId, () => editQueued(this.view, id, text));
  }

  answer(approvalId: ApprovalId, answer: ApprovalReply, clientId: ClientId): boolean {
    const answered = answerApproval(this.view, this.services, approvalId, answer, clientId);
    if (answered === null) return false;
    this.#log.commit(answered.events);
    this.services.store.decisions.add(answered.decision);
    try {
      if (answered.rule !== null) this.services.addRule(answered.rule);
    } finally {
      // The answer is in the log even if the rule could not be stored.
      if (this.#driver.running() === null) void this.#drive();
      else this.#waiters.answered(approvalId);
    }
    return true;
  }

  readPins(signal: AbortSignal): Promise<void> {
    return this.#pins.read(this.view, signal);
  }

  pins(): PinReport {
    const { states, maxTokens } = this.#pins.plan(this.view);
    return { files: states, maxTokens };
  }

  update(change: SessionChange, commandId: CommandId): Committed {
    const event: DurableEvent = { type: "session_update", ...change };
    return this.#repeated(commandId) ?? { seq: this.#log.commit([event], makeReceipt(commandId)) };
  }

  changeModel(wanted: WantedModel, commandId: CommandId): Result<Committed> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(before);
    if (!this.#isFree) return fail("not_idle");
    const current = this.view.model ?? undefined;
    const change = modelChange(this.services, { ...wanted, current }, this.view.projectId);
    return change.ok ? ok({ seq: this.#log.commit([change.value], makeReceipt(commandId)) }) : change;
  }

  compact(focus: string | undefined, commandId: CommandId): Result<StartedRun> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(this.#joined(before.seq));
    if (!this.#isFree) return fail("not_idle");
    if (this.view.model === null || planCompaction(this.#agent.host) === null) return fail("no_summary");
    if (!canShorten(this.#agent.host)) return fail("no_gain");
    const order = { why: "user" as const, ...(focus?.trim() ? { focus: focus.trim() } : {}) };
    const seq = this.#log.commit([compactionStart(this.#agent.host, order)], makeReceipt(commandId));
    const done = this.#driver
      .runExclusive((signal) => finishCompaction(this.#agent.host, order, signal))
      .then((end) => {
        if (end === "done" && this.#isFree) this.#beginQueued();
        return end;
      });
    return ok({ seq, done });
  }

  editSummary(compactionSeq: number, summary: string, commandId: CommandId): Result<Committed> {
    const before = this.#repeated(commandId);
    if (before !== null) return ok(before);
    if (!this.#isFree) return fail("not_idle");
    const inForce = activeCompaction(this.view);
    // Without a head nothing was summarized.
    if (!inForce?.head?.length || compactionSeq !== (inForce.kind === "compaction" ? inForce.seq : inForce.of))
      return fail("gone");
    const head = editCompactionHead(this.#agent.host, inForce.head, summary);
    return ok({
      seq: this.#log.commit([{ type: "compaction_update", of: compactionSeq, summary, head }], makeReceipt(commandId)),
    });
  }

  async context(signal: AbortSignal): Promise<Result<ContextParts>> {
    return this.view.model === null ? fail("no_model") : ok(await measureContextParts(this.#agent.host, signal));
  }

  abort(): Promise<void> {
    return this.#driver.abort();
  }

  subscribe(listener: (envelope: Envelope) => void): () => void {
    return this.#log.subscribe(listener);
  }

  suspend(): void {
    this.#log.suspend();
    this.#agent.rest();
  }

  async shutdown(): Promise<void> {
    await this.#driver.shutdown();
    this.suspend();
  }

  /** Commits the run, the events before it and its first message at once; chooses a model first if there is none. */
  #begin(
    commandId: CommandId,
    before: readonly DurableEvent[],
    first: (view: SessionView) => readonly DurableEvent[],
  ): Result<StartedRun> {
    const chosen = this.#chooseModel(before);
    if (!chosen.ok) return chosen;
    const view = appendToView(this.view, this.services.now(), before);
    const start: DurableEvent = { type: "agent_start", runId: randomId<RunId>("r") };
    const seq = this.#log.commit([...before, start, ...first(view)], makeReceipt(commandId));
    if (before.some(({ type }) => type === "rewind")) this.#agent.rest();
    return ok({ seq, done: this.#drive() });
  }

  #chooseModel(before: readonly DurableEvent[] = []): Result<void> {
    if (this.view.model !== null || before.some(({ type }) => type === "model_change")) return ok(undefined);
    const change = modelChange(this.services, { name: "" }, this.view.projectId);
    return change.ok ? ok(void this.#log.commit([change.value])) : change;
  }

  #enqueue(message: Omit<QueuedMessage, "id" | "at">): Result<StartedRun> {
    const queue = enqueue(this.view, message, this.services.now());
    return queue.ok ? ok(this.#joined(this.#log.commit([queue.value], makeReceipt(message.commandId)))) : queue;
  }

  /** Starts the open run of the log; what is still queued at its end follows. */
  #drive(): Promise<RunEnd> {
    const done = this.#driver.drive();
    const begin = (end: RunEnd): void => {
      if (end === "done" && this.#isFree && !this.#beginQueued()) this.#beginFollowUp();
    };
    done.then(begin).catch(() => {}); // A log that cannot be written reports it itself.
    return done;
  }

  #back(toSeq: number): Result<DurableEvent> {
    if (!this.#isFree) return fail("not_idle");
    return this.isBorder(toSeq) ? ok({ type: "rewind", toSeq }) : fail("not_border");
  }

  /** True when no run is open, no summary is being written and no files are being restored. */
  get #isFree(): boolean {
    return this.view.run === null && this.view.openCompaction === null && !this.files.busy;
  }

  /** Starts a run for messages sent while a summary was written, or a command ran. False = there are none. */
  #beginQueued(intent: "steer" | "followUp" = "steer"): boolean {
    const first = this.#takeQueued(this.view, intent);
    if (first.length === 0 || this.#isDeleted || !this.#chooseModel().ok) return false;
    this.#log.commit([{ type: "agent_start", runId: randomId<RunId>("r") }, ...first]);
    void this.#drive();
    return true;
  }

  readonly #takeQueued = (view: SessionView, intent: "steer" | "followUp"): readonly DurableEvent[] =>
    takeQueued(view, intent, freshMessageId, (text, attachments) => this.#blocks(text, view, attachments));

  /** Starts the oldest queued command, or a run for the oldest follow-up. */
  #beginFollowUp(): void {
    const command = takeQueuedCommand(this.view);
    if (command.length === 0) return void this.#beginQueued("followUp");
    if (this.#isDeleted) return;
    this.#log.commit(command);
    void this.#drive();
  }

  get #isDeleted(): boolean {
    return this.services.store.sessions.get(this.id)?.deletedAt !== undefined;
  }

  /** A repeated command returns its earlier result: only a change of the queue has a receipt. */
  #changeQueue(commandId: CommandId, change: () => DurableEvent | null): boolean {
    if (this.#repeated(commandId) !== null) return true;
    const event = change();
    if (event !== null) this.#log.commit([event], makeReceipt(commandId));
    return event !== null;
  }

  /** Blocks of a message, without notices the view already contains. */
  #blocks(
    text: string,
    view: SessionView = this.view,
    attachments: Attachments = {},
    start: readonly ContextBlock[] = [],
  ): readonly Block[] {
    return contextForMessage(view, text, this.services, this.#pins.plan(view), attachments, start);
  }

  #joined(seq: number): StartedRun {
    return { seq, done: this.#driver.running() ?? Promise.resolve(null) };
  }

  readonly #repeated = (commandId: CommandId): Committed | null => readReceipt(this.services, this.id, commandId);
}

const freshMessageId = (): MessageId => randomId<MessageId>("m");
