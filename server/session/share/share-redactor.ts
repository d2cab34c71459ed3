/**
 * Redacts the events of a session for the viewers of one share: order and seqs are kept, every text is
 * masked; blobs, approvals, the queue and the typed input of calls are removed (invariant I7).
 */
import type { Block, Json } from "@/lib/events/content";
import { type AgentError, makeError } from "@/lib/events/error";
import { type DurableEvent, type Envelope, isDurable, type LiveEvent } from "@/lib/events/event";
import { asId, type BlobId, type CallId, type Hash } from "@/lib/events/id";
import type { HunkLine } from "@/lib/text/diff";
import type { CallFileChange, CallFacts } from "@/lib/events/tool-kind";
import { isMemoryCall } from "@/lib/tools/memory";
import type { Redactor } from "@/server/security/redaction/redact";
import { redactionMark } from "@/server/security/redaction/redact-stream";
import { type ShareStreams, makeShareStreams } from "./share-streams";
import { sharedOutput } from "./share-output";
import { inputNamesProtected, namesProtected } from "./share-protected";

/** Source of a redactor; read for every event, since keys come and go. */
export interface RedactorSource {
  redactor(): Redactor;
  /** The user's own protected names. */
  protectedNames(): readonly string[];
}

export interface ShareRedactor {
  /** Redacted envelopes in order; a durable envelope gives exactly one with the same seq. */
  redact(envelope: Envelope): readonly Envelope[];
  /** The known output of this call starts in its middle. */
  markTruncated(callId: CallId): void;
}

/** `outputs` false = calls are listed without output, input and file changes. */
export function makeShareRedactor(source: RedactorSource, outputs: boolean): ShareRedactor {
  const live = makeShareStreams();
  const state: RedactState = { source, outputs, memoryCalls: new Set(), calls: new Map(), live };
  return {
    redact(envelope) {
      if (isDurable(envelope)) return [{ ...envelope, event: redactDurable(envelope.event, state) }];
      return redactLive(envelope.event, state).map((event) => ({ ...envelope, event }));
    },
    markTruncated: live.markTruncated,
  };
}

interface RedactState {
  readonly source: RedactorSource;
  readonly outputs: boolean;
  /** Calls of the memory: their input, target and output are not shared. */
  readonly memoryCalls: Set<CallId>;
  /** Running calls; `isHidden` = they touch a protected file or the memory, so their output is not shared. */
  readonly calls: Map<CallId, { readonly kind: string; readonly isHidden: boolean }>;
  readonly live: ShareStreams;
}

const noBlob = asId<BlobId>("");
const noHash = asId<Hash>("");
const hiddenEvent: DurableEvent = { type: "hidden" };

function redactDurable(event: DurableEvent, state: RedactState): DurableEvent {
  const mask = state.source.redactor();
  switch (event.type) {
    case "session_start": {
      const { parent: _parent, ...start } = event;
      return { ...start, cwd: mask.text(event.cwd) };
    }
    case "session_update":
      return {
        ...event,
        ...(event.title === undefined ? {} : { title: mask.text(event.title) }),
        ...(event.pins === undefined ? {} : { pins: event.pins.map(({ path }) => ({ path: mask.text(path) })) }),
        ...(event.label === undefined ? {} : { label: { seq: event.label.seq, text: mask.text(event.label.text) } }),
      };
    case "model_change":
      return { ...event, prompt: noBlob };
    case "message_start": {
      const { commandId: _commandId, origin: _origin, held: _held, ...start } = event;
      return start;
    }
    case "message_end":
      state.live.messageEnded(event.messageId);
      return {
        ...event,
        ...(event.usage === undefined ? {} : { usage: { ...event.usage, servedBy: undefined } }),
        blocks: redactBlocks(event.blocks, mask, event.stop !== "done", state),
        // The call is in the text.
        ...(event.unrun === undefined
          ? {}
          : { unrun: event.unrun.map((call) => ({ ...call, name: mask.text(call.name), input: {} })) }),
      };
    case "restore":
      return {
        ...event,
        files: event.files.map((file) => ({ ...file, path: mask.text(file.path), before: noBlob, after: noBlob })),
      };
    case "retry":
    case "error":
      return { ...event, error: redactError(event.error, mask) };
    case "compaction_start":
      return event.focus === undefined ? event : { ...event, focus: mask.text(event.focus) };
    case "compaction_end":
    case "compaction_update":
      return { ...event, summary: mask.text(event.summary), head: redactBlocks(event.head, mask, false, state) };
    case "tool_call_start":
    case "tool_call_end":
      return redactCall(event, mask, state);
    case "session_fork":
    case "rewind":
    case "call_decision":
    case "agent_start":
    case "turn_start":
    case "turn_end":
    case "agent_end":
      return event;
    // Approvals, the queue, files about to change, and unknown events of a newer program.
    default:
      return hiddenEvent;
  }
}

function redactCall(
  event: Extract<DurableEvent, { type: "tool_call_start" | "tool_call_end" }>,
  mask: Redactor,
  state: RedactState,
): DurableEvent {
  if (event.type === "tool_call_start") {
    const isMemory =
      state.memoryCalls.delete(event.callId) || isMemoryCall({ name: event.name ?? "", input: event.target });
    const isHidden = isMemory || namesProtected(event.target, state.source.protectedNames());
    state.calls.set(event.callId, { kind: event.kind, isHidden });
    const name = event.name === undefined ? {} : { name: mask.text(event.name) };
    const target = isMemory ? "" : mask.text(event.target);
    return { ...event, ...name, target, facts: redactFacts(event.facts, mask) };
  }
  const call = state.calls.get(event.callId);
  // The text of a refusal by a gate is a script's, for the owner.
  const isHidden = !state.outputs || call?.isHidden === true || event.facts.rule === "gate";
  state.calls.delete(event.callId);
  state.live.callEnded(event.callId);
  const { cut, cutPositions: _positions, changes, ...end } = event;
  const total = Buffer.byteLength(event.output.map((block) => (block.type === "text" ? block.text : "")).join(""));
  return {
    ...end,
    facts: redactFacts(event.facts, mask),
    output: isHidden ? [] : sharedOutput(event, call?.kind ?? "other", mask),
    changes: changes?.map((change) => redactChange(change, mask, state, isHidden)),
    ...(isHidden
      ? { cut: { shown: 0, total } }
      : cut === undefined
        ? {}
        : { cut: { shown: cut.shown, total: cut.total } }),
  };
}

function redactBlocks(
  blocks: readonly Block[],
  mask: Redactor,
  isBroken: boolean,
  state: RedactState,
): readonly Block[] {
  const last = blocks.length - 1;
  return blocks.map((block, index): Block => {
    switch (block.type) {
      case "thinking": {
        // Viewers need neither the field nor the server's id of it.
        const { from: _from, ...thinking } = block;
        return { ...thinking, text: mask.text(block.text, { end: isBroken && index === last }) };
      }
      case "text":
        return { ...block, text: mask.text(block.text, { end: isBroken && index === last }) };
      // Context for the model beside the user's text: the project's tree, notices.
      case "context":
        return { ...block, text: "" };
      case "image":
        return { ...block, blob: noBlob };
      case "reference": {
        // The note is for the model alone, like a context block.
        const { note: _note, ...shown } = block;
        // The output of a command is shared with the command itself.
        const isHidden =
          !state.outputs ||
          block.command === true ||
          (block.kind !== "text" && namesProtected(block.label, state.source.protectedNames()));
        return { ...shown, label: mask.text(block.label), text: isHidden ? "" : mask.text(block.text) };
      }
      case "call": {
        const { raw: _raw, from: _from, ...call } = block;
        const isMemory = isMemoryCall(block);
        if (isMemory) state.memoryCalls.add(block.callId);
        const isHidden =
          !state.outputs ||
          isMemory ||
          typeof block.input === "string" ||
          inputNamesProtected(block.input, state.source.protectedNames());
        const input: Json = isHidden ? {} : mask.json(block.input);
        return { ...call, name: mask.text(block.name), input };
      }
    }
  });
}

const redactFacts = (
  {
    memoryFile: _file,
    memoryLine: _line,
    memoryReplaced: _replaced,
    memoryReplacedAt: _replacedAt,
    subagent: _subagent,
    files: _files,
    receiver: _receiver,
    refusedWords: _words,
    startFolder: _folder,
    skippedFolders: _skipped,
    ...rest
  }: CallFacts,
  mask: Redactor,
): CallFacts => {
  const { refusedBy, refusedPart, ...facts } = rest;
  return {
    ...facts,
    ...(refusedBy === undefined || facts.rule === "gate" ? {} : { refusedBy: mask.text(refusedBy) }),
    ...(refusedPart === undefined ? {} : { refusedPart: mask.text(refusedPart) }),
    ...(facts.cwd === undefined ? {} : { cwd: mask.text(facts.cwd) }),
    ...(facts.rule === undefined ? {} : { rule: mask.text(facts.rule) }),
  };
};

function redactChange(change: CallFileChange, mask: Redactor, state: RedactState, isHidden: boolean): CallFileChange {
  const { hunks, trash: _trash, ...facts } = change;
  const isShown = hunks !== undefined && !isHidden && !namesProtected(change.path, state.source.protectedNames());
  return {
    ...facts,
    path: mask.text(change.path),
    before: change.before === null ? null : noBlob,
    after: change.after === null ? null : noHash,
    ...(isShown ? { hunks: hunks.map((hunk) => ({ ...hunk, lines: redactHunkLines(hunk.lines, mask) })) } : {}),
  };
}

/** Keys may span lines, so the lines are masked as one text; masked lines lose their word marks. */
export function redactHunkLines(lines: readonly HunkLine[], mask: Redactor): readonly HunkLine[] {
  const texts = mask.text(lines.map(({ text }) => text).join("\n")).split("\n");
  if (texts.length === lines.length)
    return lines.map((line, index) =>
      texts[index] === line.text ? line : { ...withoutMarks(line), text: texts[index] ?? "" },
    );
  return lines.map((line) => ({ ...withoutMarks(line), text: redactionMark }));
}

function withoutMarks(line: HunkLine): HunkLine {
  const { marks: _marks, ...plain } = line;
  return plain;
}

const redactError = ({ code, detail, facts }: AgentError, mask: Redactor): AgentError =>
  makeError(code, {
    ...(detail === undefined ? {} : { detail: mask.text(detail) }),
    ...(facts === undefined
      ? {}
      : { facts: Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, mask.json(value)])) }),
  });

function redactLive(event: LiveEvent, state: RedactState): readonly LiveEvent[] {
  const mask = state.source.redactor();
  switch (event.type) {
    case "phase":
      return [event.name === undefined ? event : { ...event, name: mask.text(event.name) }];
    case "tool_call_delta": {
      if (!state.outputs || state.calls.get(event.callId)?.isHidden === true) return [];
      const piece = state.live.call(event.callId, mask, event.offset, event.text);
      return piece === null ? [] : [{ ...event, ...piece }];
    }
    case "message_delta": {
      const { messageId, block, kind } = event;
      if (kind === "input") {
        // Announces only that a call is being written, so that later blocks keep their index.
        const before = state.live.endBlock(messageId, block);
        if (!state.live.isNew(messageId, block)) return before;
        const name = event.name === undefined ? {} : { name: mask.text(event.name) };
        return [...before, { type: "message_delta", messageId, block, kind, ...name, offset: 0, text: "" }];
      }
      const before = state.live.endBlock(messageId, block);
      const piece = state.live.block(messageId, block, kind, mask, event.offset, event.text);
      return piece === null ? before : [...before, { ...event, ...piece }];
    }
  }
}
