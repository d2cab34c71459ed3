/** Every command a client can send: its input (parsed by zod at the door), its answer, and who may send it. */
import * as z from "zod/mini";
import type { Block } from "./content";
import type { Hit } from "./find";
import type { Folder, OpenFile } from "./files";
import {
  type ApprovalId,
  asId,
  type CallId,
  type CommandId,
  type Hash,
  type ProjectId,
  type QueuedId,
  type RuleId,
  type SessionId,
  type TrashId,
} from "./id";
import type {
  Connection,
  ConnectionPreset,
  ConnectionStep,
  DoctorRun,
  ModelDetails,
  ModelInfo,
  ModelServerState,
  PullState,
  WindowPlan,
} from "./models";
import { modes, type Rule } from "./policy";
import type { Project } from "./project";
import type { SessionRow } from "./session-row";
import { limits, type Settings } from "./settings";
import { settingsSchema } from "./settings-schema";
import type { SessionPage, SessionSnapshot } from "./snapshot";

/** owner = a signed-in device or the bearer token; viewer = also a share link (none yet). */
export type CommandAccess = "owner" | "viewer";

const idText = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,80}$/));
const id = <T extends Parameters<typeof asId>[0] & ReturnType<typeof asId>>() =>
  z.pipe(
    idText,
    z.transform((text: string): T => asId<T>(text)),
  );
const sessionId = id<SessionId>();
const projectId = id<ProjectId>();
const commandId = id<CommandId>();
const path = z.string().check(z.maxLength(4096));
const seq = z.int().check(z.gte(0));
const none = z.object({});
const modelName = z.string().check(z.minLength(1), z.maxLength(200));
const connectionId = idText;
const windowTokens = z.int().check(z.gte(0), z.lte(limits.windowMaxTokens));
const title = z.string().check(z.minLength(1), z.maxLength(limits.titleMaxChars));

interface Command<I extends z.ZodMiniType, O> {
  readonly access: CommandAccess;
  readonly input: I;
  /** Type of the answer only; never read. */
  readonly output?: O;
}
const command =
  <O>() =>
  <I extends z.ZodMiniType>(input: I, access: CommandAccess = "owner"): Command<I, O> => ({ access, input });

/** What a client needs for its first screen. */
export interface Welcome {
  readonly version: string;
  readonly home: string;
  readonly projects: readonly Project[];
  readonly settings: Settings;
  readonly models: ModelServerState;
  readonly pulls: readonly PullState[];
  readonly connections: readonly Connection[];
  /** The store's database was unreadable and set aside here. */
  readonly movedAside: string | null;
}

/** What the next request of a session is made of. Tokens are our estimate, corrected by what the model's server counted before. */
export interface ContextReport {
  readonly parts: readonly {
    readonly part: "system" | "tools" | "snapshot" | "summary" | "messages" | "results";
    readonly tokens: number;
  }[];
  readonly total: number;
  /** tokens at which the conversation is compacted */
  readonly compactAt: number;
  /** The window in force and what it is the least of; tokens. */
  readonly window: {
    readonly inForce: number;
    readonly asked: number;
    readonly allocated?: number;
    readonly own?: number;
  };
  /** The exact words. */
  readonly system: string;
  readonly tools: readonly { readonly name: string; readonly tokens: number; readonly text: string }[];
}

export interface ProjectView {
  readonly project: Project;
  readonly branch: string | null;
  readonly gone: boolean;
  /** Three starter tasks made from what the project has: a README, tests, a first look. */
  readonly starters: readonly ("explain" | "tests" | "types" | "readme" | "review")[];
}

export const commands = {
  "app.welcome": command<Welcome>()(none),
  "project.list": command<{ projects: readonly Project[] }>()(none),
  "project.open": command<ProjectView>()(z.object({ projectId: z.optional(projectId), path: z.optional(path) })),
  "session.list": command<{ rows: readonly SessionRow[]; more: boolean }>()(
    z.object({
      projectId: z.optional(projectId),
      title: z.optional(z.string().check(z.maxLength(200))),
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
    }),
  ),
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
          words: z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.minLength(1), z.maxLength(20)),
          rest: z.boolean(),
        }),
      ),
    }),
  ),
  "session.abort": command<null>()(z.object({ sessionId })),
  "session.update": command<{ seq: number }>()(
    z.object({ sessionId, commandId, title: z.optional(title), mode: z.optional(z.enum(modes)) }),
  ),
  "session.model": command<{ seq: number }>()(
    z.object({
      sessionId,
      commandId,
      model: modelName,
      /** A connection's id; absent = Ollama. */
      connection: z.optional(connectionId),
      think: z.optional(z.boolean()),
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
  "trash.restore": command<{ path: string }>()(z.object({ sessionId, trashId: id<TrashId>() })),
  "files.list": command<Folder>()(z.object({ projectId, path })),
  /** The folders this client shows; the server watches just these. */
  "files.watch": command<null>()(
    z.object({ projectId, folders: z.array(path).check(z.maxLength(limits.watchedFolders)) }),
  ),
  "files.read": command<OpenFile>()(z.object({ projectId, path })),
  "files.write": command<{ hash: Hash }>()(
    z.object({
      projectId,
      path,
      text: z.string().check(z.maxLength(limits.editorMaxBytes)),
      expect: z.nullable(
        z.pipe(
          z.string().check(z.regex(/^[0-9a-f]{64}$/)),
          z.transform((text: string): Hash => asId<Hash>(text)),
        ),
      ),
    }),
  ),
  "files.make_folder": command<null>()(z.object({ projectId, path })),
  "files.rename": command<null>()(z.object({ projectId, path, to: path })),
  "models.refresh": command<ModelServerState>()(none),
  /** This client shows model state: the server is asked every few seconds while any client does. */
  "models.watch": command<null>()(z.object({ on: z.boolean() })),
  "models.start": command<ModelServerState>()(none),
  "models.pull": command<PullState>()(
    z.object({ name: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,198}$/)) }),
  ),
  "models.cancel_pull": command<null>()(z.object({ name: z.string() })),
  "models.show": command<ModelDetails>()(z.object({ model: modelName })),
  "models.window": command<WindowPlan>()(z.object({ model: modelName })),
  /** What the user wants of an Ollama model in every session that takes it from now on; remembered by digest. */
  "models.choose": command<null>()(
    z.object({
      model: modelName,
      /** auto = what the program would choose. */
      toolMode: z.optional(z.enum(["auto", "native", "react", "xml"])),
      profile: z.optional(z.enum(["auto", "small", "default", "full"])),
      /** tokens; 0 = what fits */
      numCtx: z.optional(windowTokens),
    }),
  ),
  /** Somebody is about to begin a session: what it would take (`model`, or the best) is loaded, unless it is or the server is busy. */
  "models.warm": command<null>()(z.object({ model: z.optional(modelName) })),
  "models.unload": command<null>()(z.object({ model: modelName })),
  /** Deletes it from the model server. */
  "models.remove": command<null>()(z.object({ model: modelName })),
  /** Starts the test, or joins the one that goes on; progress and its end are pushed. Fails with busy while another model is tested. */
  "models.doctor": command<DoctorRun>()(z.object({ model: modelName, connection: z.optional(connectionId) })),
  "models.cancel_doctor": command<null>()(none),
  "connections.list": command<{ connections: readonly Connection[]; presets: readonly ConnectionPreset[] }>()(none),
  /** A new one without id. `key`: absent = as it is, empty = forget it. */
  "connections.save": command<Connection>()(
    z.object({
      id: z.optional(connectionId),
      name: z.string().check(z.minLength(1), z.maxLength(80)),
      preset: z.string().check(z.maxLength(40)),
      baseUrl: z.string().check(z.maxLength(500)),
      model: z.string().check(z.maxLength(200)),
      temperature: z.optional(z.number().check(z.gte(0), z.lte(2))),
      numCtx: windowTokens,
      key: z.optional(z.string().check(z.maxLength(2000))),
    }),
  ),
  "connections.remove": command<null>()(z.object({ id: connectionId })),
  "connections.models": command<{ models: readonly ModelInfo[] }>()(z.object({ id: connectionId })),
  "connections.test": command<{ steps: readonly ConnectionStep[] }>()(z.object({ id: connectionId })),
  "settings.read": command<Settings>()(none),
  "settings.write": command<Settings>()(z.object({ patch: z.partial(settingsSchema) })),
  "rules.list": command<{ rules: readonly Rule[] }>()(z.object({ projectId: z.optional(projectId) })),
  "rules.remove": command<null>()(z.object({ ruleId: id<RuleId>() })),
} as const;

export type CommandName = keyof typeof commands;
export type CommandInput<N extends CommandName> = z.infer<(typeof commands)[N]["input"]>;
/** What a caller writes: ids as they are. */
export type CommandRequest<N extends CommandName> = CommandInput<N>;
export type CommandOutput<N extends CommandName> = Exclude<(typeof commands)[N]["output"], undefined>;

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name);
