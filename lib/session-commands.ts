/** Commands about one session, and the list of them. Part of the table in command.ts. */
import * as z from "zod/mini";
import type { ContextReport } from "./answers";
import type { ChangeSet, RestoreFailure, RestorePlan } from "./changes";
import {
  command,
  commandId,
  connectionId,
  hash,
  id,
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
import type { Block } from "./content";
import type { Hit } from "./find";
import { exportFormats } from "./history";
import type { ApprovalId, CallId, QueuedId } from "./id";
import { messageImages } from "./image-commands";
import { modes } from "./policy";
import type { SessionRow } from "./session-row";
import { limits } from "./settings";
import type { SessionPage, SessionSnapshot } from "./snapshot";
import { thinkLevels } from "./thinking";
import type { SessionTree } from "./tree";

export const sessionCommands = {
  "session.list": command<{ rows: readonly SessionRow[]; more: boolean }>()(
    z.object({
      projectId: z.optional(projectId),
      title: z.optional(z.string().check(z.maxLength(200))),
      ...listFilters,
      before: z.optional(z.object({ updatedAt: z.number(), id: sessionId })),
    }),
  ),
  "session.create": command<{ row: SessionRow }>()(
    z.object({
      projectId,
      commandId,
      mode: z.optional(z.enum(modes)),
      model: z.optional(z.string().check(z.maxLength(200))),
      /** A connection's id; absent = Ollama. */
      connection: z.optional(connectionId),
    }),
  ),
  "session.open": command<{ snapshot: SessionSnapshot; row: SessionRow }>()(z.object({ sessionId }), "viewer"),
  "session.close": command<null>()(z.object({ sessionId }), "viewer"),
  "session.page": command<SessionPage>()(z.object({ sessionId, before: seq }), "viewer"),
  "session.send": command<{ seq: number }>()(
    z.object({
      sessionId,
      commandId,
      text: z.string().check(z.minLength(1), z.maxLength(limits.promptMaxChars)),
      intent: z.enum(["prompt", "steer", "followUp"]),
      /** Stored by images.add. no_vision when the model cannot see them. */
      images: z.optional(messageImages),
      /** Go back to this border first, in the same commit: edit and send again, try again. Only while idle. */
      rewindTo: z.optional(seq),
      /** With this model from now on; a connection's id, absent = Ollama. Only with `rewindTo`. */
      model: z.optional(modelName),
      connection: z.optional(connectionId),
      /** The waiting message this is: it leaves the queue in the same commit. Only while idle; gone when it does not wait any more. */
      queuedId: z.optional(id<QueuedId>()),
    }),
  ),
  /** Nothing is lost: what came after is hidden, and a rewind to where the session stood is the redo. not_idle, not_border. */
  "session.rewind": command<{ seq: number }>()(z.object({ sessionId, commandId, toSeq: seq })),
  /** A new session that begins as this one was at a border; also while a run goes on. */
  "session.fork": command<{ row: SessionRow }>()(z.object({ sessionId, commandId, atSeq: seq })),
  "session.tree": command<SessionTree>()(z.object({ sessionId })),
  "session.label": command<{ seq: number }>()(
    z.object({ sessionId, commandId, seq, text: z.string().check(z.maxLength(limits.labelMaxChars)) }),
  ),
  /** Files the session changed between two places of its log; `to` absent = up to now. */
  "session.changes": command<ChangeSet>()(z.object({ sessionId, from: seq, to: z.optional(seq) })),
  /** What putting the files back as they were at `toSeq` would do. */
  "session.restore_preview": command<RestorePlan>()(z.object({ sessionId, toSeq: seq })),
  /**
   * Puts files back, and with `conversation` goes back to that border as well. A file that is not as the session left it is
   * skipped with changed_meanwhile unless `overwrite` names it with its hash of now (null = it is not there). not_idle.
   */
  "session.restore_files": command<{ seq: number; failed: readonly RestoreFailure[] }>()(
    z.object({
      sessionId,
      commandId,
      toSeq: seq,
      conversation: z.boolean(),
      /** Only these; absent = all of the plan. */
      paths: z.optional(z.array(path).check(z.maxLength(limits.restoreFiles))),
      overwrite: z.optional(
        z.array(z.object({ path, hash: z.nullable(hash) })).check(z.maxLength(limits.restoreFiles)),
      ),
    }),
  ),
  "session.export": command<{ name: string; mime: string; text: string }>()(
    /** `mask`: secrets and the home folder are masked, in Markdown and HTML unless said otherwise. JSONL is the session as it is. */
    z.object({ sessionId, format: z.enum(exportFormats), mask: z.optional(z.boolean()) }),
  ),
  /** Sessions from a file of ours or of pi (JSONL). Too large for a packet: by HTTP. bad_import. */
  "session.import": command<{ rows: readonly SessionRow[] }>()(
    z.object({
      projectId,
      commandId,
      name: z.string().check(z.maxLength(300)),
      text: z.string().check(z.minLength(1), z.maxLength(limits.importMaxChars)),
    }),
  ),
  /** Keeps on top, puts away, or takes back from there. */
  "session.mark": command<{ rows: readonly SessionRow[] }>()(
    z.object({
      sessionIds: z.array(sessionId).check(z.minLength(1), z.maxLength(limits.historyPageEntries)),
      pinned: z.optional(z.boolean()),
      archived: z.optional(z.boolean()),
    }),
  ),
  /** Deletes what is in the bin for good; without an id all of it. */
  "session.purge": command<{ sessions: number }>()(z.object({ sessionId: z.optional(sessionId) })),
  "session.resume": command<{ seq: number }>()(z.object({ sessionId, commandId })),
  "session.unqueue": command<{ removed: boolean }>()(z.object({ sessionId, commandId, queuedId: id<QueuedId>() })),
  "session.requeue": command<{ changed: boolean }>()(
    z.object({
      sessionId,
      commandId,
      queuedId: id<QueuedId>(),
      text: z.string().check(z.minLength(1), z.maxLength(limits.promptMaxChars)),
    }),
  ),
  "session.answer": command<{ won: boolean }>()(
    z.object({
      sessionId,
      approvalId: id<ApprovalId>(),
      option: z.enum(["once", "always", "edits", "deny"]),
      reason: z.optional(z.string().check(z.maxLength(2000))),
      /** The words of the rule as the user left them, for `always`. */
      rule: z.optional(
        z.object({
          words,
          rest: z.boolean(),
        }),
      ),
    }),
  ),
  "session.abort": command<null>()(z.object({ sessionId })),
  /** Ends the running command of one call; the run goes on. */
  "session.end_command": command<{ ended: boolean }>()(z.object({ sessionId, callId: id<CallId>() })),
  /** The next command starts in the session's folder without kept variables; what runs is ended. */
  "session.restart_shell": command<null>()(z.object({ sessionId })),
  "session.update": command<{ seq: number }>()(
    z.object({ sessionId, commandId, title: z.optional(title), mode: z.optional(z.enum(modes)) }),
  ),
  "session.model": command<{ seq: number }>()(
    z.object({
      sessionId,
      commandId,
      /** Empty = the connection's own, or the first of its list. */
      model: z.string().check(z.maxLength(200)),
      /** A connection's id; absent = Ollama. */
      connection: z.optional(connectionId),
      think: z.optional(z.union([z.boolean(), z.enum(thinkLevels)])),
      /** auto = what the program would choose. These are remembered for the model. */
      toolMode: z.optional(z.enum(["auto", "native", "react", "xml"])),
      profile: z.optional(z.enum(["auto", "small", "default", "full"])),
      /** tokens; 0 = what fits */
      numCtx: z.optional(windowTokens),
    }),
  ),
  /** Summarises what is old now; focus = what to keep in mind. Fails with not_idle while a run goes on. */
  "session.compact": command<{ seq: number }>()(
    z.object({ sessionId, commandId, focus: z.optional(z.string().check(z.maxLength(limits.focusMaxChars))) }),
  ),
  /** The user's own words for the summary of the compaction at `of`. */
  "session.edit_summary": command<{ seq: number }>()(
    z.object({
      sessionId,
      commandId,
      of: seq,
      summary: z.string().check(z.minLength(1), z.maxLength(limits.summaryMaxChars)),
    }),
  ),
  /** Ends the thinking that goes on and asks again without. */
  "session.answer_now": command<{ accepted: boolean }>()(z.object({ sessionId })),
  /** The session's request goes before the others that wait at its model server. */
  "session.run_first": command<{ moved: boolean }>()(z.object({ sessionId })),
  /** Somebody is about to write: the session's model is loaded with its window, unless it is or the server is busy. */
  "session.warm": command<null>()(z.object({ sessionId })),
  "session.context": command<ContextReport>()(z.object({ sessionId })),
  "session.output": command<{ output: readonly Block[] }>()(z.object({ sessionId, callId: id<CallId>() }), "viewer"),
  /** The whole output behind a cut one, as text. */
  "session.full_output": command<{ text: string; bytes: number }>()(z.object({ sessionId, callId: id<CallId>() })),
  "session.find": command<{ hits: readonly Hit[]; more: boolean }>()(
    z.object({ sessionId, query: z.string().check(z.minLength(1), z.maxLength(200)) }),
    "viewer",
  ),
  "session.remove": command<null>()(z.object({ sessionId })),
  "session.restore": command<{ row: SessionRow }>()(z.object({ sessionId })),
} as const;
