/** Commands for sessions and the session list. */
import * as z from "zod/mini";
import type { ContextReport, PinReport } from "./answers";
import type { ChangeSet, RestoreFailure, RestorePlan } from "../workspace/changes";
import {
  defineCommand,
  commandId,
  connectionId,
  hash,
  brandedId,
  listFilters,
  modelName,
  path,
  projectId,
  seq,
  sessionId,
  title,
  windowTokens,
  words,
} from "./command-input";
import type { Block } from "../events/content";
import type { FindHit } from "../view/find";
import { exportFormats } from "./history";
import type { ApprovalId, CallId, QueuedId } from "../events/id";
import { messageImages } from "./image-commands";
import { messageReferences } from "./reference-commands";
import { modes } from "../permissions/policy";
import type { SessionRow } from "./session-row";
import { limits } from "../settings/settings";
import type { SessionPage, SessionSnapshot } from "../view/snapshot";
import { thinkLevels } from "../models/thinking";
import type { SessionTree } from "../view/tree";

export const sessionCommands = {
  "session.list": defineCommand<{ rows: readonly SessionRow[]; more: boolean }>()(
    z.object({
      projectId: z.optional(projectId),
      title: z.optional(z.string().check(z.maxLength(200))),
      /** Only the subagents of this session; absent = the sessions that are not listed below another one. */
      parentId: z.optional(sessionId),
      /** Only sessions that run or wait for an approval. */
      active: z.optional(z.literal(true)),
      /** Only sessions whose last run failed or was interrupted. */
      failed: z.optional(z.literal(true)),
      ...listFilters,
      before: z.optional(z.object({ updatedAt: z.number(), id: sessionId })),
    }),
  ),
  "session.create": defineCommand<{ row: SessionRow }>()(
    z.object({
      projectId,
      commandId,
      mode: z.optional(z.enum(modes)),
      model: z.optional(z.string().check(z.maxLength(200))),
      /** A connection's id; absent = Ollama. */
      connection: z.optional(connectionId),
    }),
  ),
  "session.open": defineCommand<{ snapshot: SessionSnapshot; row: SessionRow }>()(z.object({ sessionId }), "viewer"),
  "session.close": defineCommand<null>()(z.object({ sessionId }), "viewer"),
  "session.page": defineCommand<SessionPage>()(z.object({ sessionId, before: seq }), "viewer"),
  "session.send": defineCommand<{ seq: number }>()(
    z.object({
      sessionId,
      commandId,
      text: z.string().check(z.minLength(1), z.maxLength(limits.promptMaxChars)),
      intent: z.enum(["prompt", "steer", "followUp"]),
      /** Stored by images.add. Error: no_vision if the model does not support images. */
      images: z.optional(messageImages),
      /**
       * Read when the message is accepted, and stored with it. Errors: those of reading a file, with `reference` in the
       * facts; too_large with `tokens` and `maxTokens` if it exceeds its share of the window.
       */
      references: z.optional(messageReferences),
      /** Rewinds to this border in the same commit, for editing and resending. Only while idle. */
      rewindTo: z.optional(seq),
      /** Switches to this model; `connection` absent = Ollama. Only with `rewindTo`. */
      model: z.optional(modelName),
      connection: z.optional(connectionId),
      /**
       * Removes this message from the queue in the same commit. Only while idle. Error: gone if it is no longer queued.
       */
      queuedId: z.optional(brandedId<QueuedId>()),
    }),
  ),
  /**
   * Runs a command of the user in the project folder, by the user's own right; `text` = the command after `!` or `!!`.
   * During a run it is queued until the run ends. Errors: bad_input, too_large, too_many, not_idle, gone.
   */
  "session.run_command": defineCommand<{ seq: number }>()(
    z.object({
      sessionId,
      commandId,
      text: z.string().check(z.minLength(2), z.maxLength(limits.promptMaxChars)),
      /** Removes this command from the queue in the same commit. Only while idle. */
      queuedId: z.optional(brandedId<QueuedId>()),
    }),
  ),
  /** Hides everything after `toSeq`; a rewind to the previous position is the redo. Errors: not_idle, not_border. */
  "session.rewind": defineCommand<{ seq: number }>()(z.object({ sessionId, commandId, toSeq: seq })),
  /** Creates a session with a copy of this one up to the border `atSeq`; also allowed during a run. */
  "session.fork": defineCommand<{ row: SessionRow }>()(z.object({ sessionId, commandId, atSeq: seq })),
  "session.tree": defineCommand<SessionTree>()(z.object({ sessionId })),
  "session.label": defineCommand<{ seq: number }>()(
    z.object({ sessionId, commandId, seq, text: z.string().check(z.maxLength(limits.labelMaxChars)) }),
  ),
  /** Files changed by the session between two seqs; `to` absent = up to the newest event. */
  "session.changes": defineCommand<ChangeSet>()(z.object({ sessionId, from: seq, to: z.optional(seq) })),
  /** Plan for restoring the files, or only `onlyPath`, to their state at `toSeq`. */
  "session.restore_preview": defineCommand<RestorePlan>()(
    z.object({ sessionId, toSeq: seq, onlyPath: z.optional(path) }),
  ),
  /**
   * Restores files, and with `conversation` also rewinds to `toSeq`. A file modified outside the session is skipped
   * with changed_meanwhile unless `overwrite` names it with its current hash (null = it does not exist). Error:
   * not_idle.
   */
  "session.restore_files": defineCommand<{ seq: number; failed: readonly RestoreFailure[] }>()(
    z.object({
      sessionId,
      commandId,
      toSeq: seq,
      conversation: z.boolean(),
      /** Restricts the restore to these files; absent = all files of the plan. */
      paths: z.optional(z.array(path).check(z.maxLength(limits.restoreFiles))),
      overwrite: z.optional(
        z.array(z.object({ path, hash: z.nullable(hash) })).check(z.maxLength(limits.restoreFiles)),
      ),
    }),
  ),
  "session.export": defineCommand<{ name: string; mime: string; text: string }>()(
    /** `mask` = mask secrets and the home folder; default true for Markdown and HTML. JSONL is never masked. */
    z.object({ sessionId, format: z.enum(exportFormats), mask: z.optional(z.boolean()) }),
  ),
  /**
   * Imports sessions from a JSONL file of gopi-web, pi or another agent. Sent by HTTP if too large for a socket packet. Error:
   * bad_import.
   */
  "session.import": defineCommand<{ rows: readonly SessionRow[]; droppedPins: number }>()(
    z.object({
      projectId,
      commandId,
      name: z.string().check(z.maxLength(300)),
      text: z.string().check(z.minLength(1), z.maxLength(limits.importMaxChars)),
    }),
  ),
  /** Pins, unpins, archives or unarchives sessions, or switches their notices off or on. */
  "session.mark": defineCommand<{ rows: readonly SessionRow[] }>()(
    z.object({
      sessionIds: z.array(sessionId).check(z.minLength(1), z.maxLength(limits.historyPageEntries)),
      pinned: z.optional(z.boolean()),
      archived: z.optional(z.boolean()),
      muted: z.optional(z.boolean()),
    }),
  ),
  /** Permanently deletes one deleted session; without an id all of them. */
  "session.purge": defineCommand<{ sessions: number }>()(z.object({ sessionId: z.optional(sessionId) })),
  "session.resume": defineCommand<{ seq: number }>()(z.object({ sessionId, commandId })),
  /**
   * Decides about call `index` that the newest answer, the message at seq `of`, contains as text and that was not run.
   * Errors: not_idle; gone if it is decided, or another message follows.
   */
  "session.decide_call": defineCommand<{ seq: number }>()(
    z.object({ sessionId, commandId, of: seq, index: seq, run: z.boolean() }),
  ),
  "session.unqueue": defineCommand<{ removed: boolean }>()(
    z.object({ sessionId, commandId, queuedId: brandedId<QueuedId>() }),
  ),
  "session.requeue": defineCommand<{ changed: boolean }>()(
    z.object({
      sessionId,
      commandId,
      queuedId: brandedId<QueuedId>(),
      text: z.string().check(z.minLength(1), z.maxLength(limits.promptMaxChars)),
    }),
  ),
  "session.answer": defineCommand<{ won: boolean }>()(
    z.object({
      sessionId,
      approvalId: brandedId<ApprovalId>(),
      option: z.enum(["once", "always", "edits", "network", "deny"]),
      reason: z.optional(z.string().check(z.maxLength(2000))),
      /** Words of the rule as edited by the user, for `always`. */
      rule: z.optional(
        z.object({
          words,
          rest: z.boolean(),
        }),
      ),
    }),
  ),
  "session.abort": defineCommand<null>()(z.object({ sessionId })),
  /** Terminates the running command of one call; the run continues. */
  "session.end_command": defineCommand<{ ended: boolean }>()(z.object({ sessionId, callId: brandedId<CallId>() })),
  /** Terminates running commands and resets the shell: working folder and exported variables. */
  "session.restart_shell": defineCommand<null>()(z.object({ sessionId })),
  "session.update": defineCommand<{ seq: number }>()(
    z.object({
      sessionId,
      commandId,
      title: z.optional(title),
      mode: z.optional(z.enum(modes)),
      /** Allows the network to the sandboxed commands of this session. */
      network: z.optional(z.literal(true)),
    }),
  ),
  /**
   * Pins a file to the context, or unpins it. Errors of pinning: those of reading the file for the model; too_large with
   * `tokens` and `maxTokens`; too_many.
   */
  "session.pin": defineCommand<{ seq: number }>()(
    z.object({ sessionId, commandId, path: path.check(z.minLength(1)), pinned: z.boolean() }),
  ),
  /** Reads the pinned files and compares them with what the model has. */
  "session.pins": defineCommand<PinReport>()(z.object({ sessionId })),
  /**
   * The same for files that are to be pinned to a session that does not exist yet; `model` is the one it gets. The paths
   * of the answer are resolved.
   */
  "session.preview_pins": defineCommand<PinReport>()(
    z.object({
      projectId,
      paths: z.readonly(z.array(path.check(z.minLength(1))).check(z.maxLength(limits.pinnedFiles))),
      model: z.optional(modelName),
      connection: z.optional(connectionId),
    }),
  ),
  "session.model": defineCommand<{ seq: number }>()(
    z.object({
      sessionId,
      commandId,
      /** Empty = the connection's model, or the first of its list. */
      model: z.string().check(z.maxLength(200)),
      /** A connection's id; absent = Ollama. */
      connection: z.optional(connectionId),
      think: z.optional(z.union([z.boolean(), z.enum(thinkLevels)])),
      /** auto = chosen by the program. These three settings are stored for the model. */
      toolMode: z.optional(z.enum(["auto", "native", "react", "xml"])),
      profile: z.optional(z.enum(["auto", "small", "default", "full"])),
      /** tokens; 0 = largest that fits */
      numCtx: z.optional(windowTokens),
    }),
  ),
  /** Compacts the conversation; focus = what the summary should preserve. Error: not_idle during a run. */
  "session.compact": defineCommand<{ seq: number }>()(
    z.object({ sessionId, commandId, focus: z.optional(z.string().check(z.maxLength(limits.focusMaxChars))) }),
  ),
  /** Replaces the summary of the compaction at seq `of`. */
  "session.edit_summary": defineCommand<{ seq: number }>()(
    z.object({
      sessionId,
      commandId,
      of: seq,
      summary: z.string().check(z.minLength(1), z.maxLength(limits.summaryMaxChars)),
    }),
  ),
  /** Aborts the current thinking and repeats the request without thinking. */
  "session.answer_now": defineCommand<{ accepted: boolean }>()(z.object({ sessionId })),
  /** Moves the session's request to the front of its model server's queue. */
  "session.run_first": defineCommand<{ moved: boolean }>()(z.object({ sessionId })),
  /** Preloads the session's model with its window, unless it is loaded or the server is busy. */
  "session.warm": defineCommand<null>()(z.object({ sessionId })),
  "session.context": defineCommand<ContextReport>()(z.object({ sessionId })),
  "session.output": defineCommand<{ output: readonly Block[] }>()(
    z.object({ sessionId, callId: brandedId<CallId>() }),
    "viewer",
  ),
  /** Returns the full text of a truncated output. */
  "session.full_output": defineCommand<{ text: string; bytes: number }>()(
    z.object({ sessionId, callId: brandedId<CallId>() }),
  ),
  /**
   * Returns a piece of a file in the result of a call, as base64, from byte `from` on: at most
   * `limits.resultFilePieceBytes`. Fails with not_found.
   */
  "session.result_file": defineCommand<{ data: string }>()(
    z.object({
      sessionId,
      callId: brandedId<CallId>(),
      index: z.int().check(z.minimum(0), z.maximum(100)),
      from: z.int().check(z.minimum(0)),
    }),
  ),
  "session.find": defineCommand<{ hits: readonly FindHit[]; more: boolean }>()(
    z.object({ sessionId, query: z.string().check(z.minLength(1), z.maxLength(200)) }),
    "viewer",
  ),
  "session.remove": defineCommand<null>()(z.object({ sessionId })),
  "session.restore": defineCommand<{ row: SessionRow }>()(z.object({ sessionId })),
} as const;
