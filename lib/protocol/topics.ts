/**
 * The topics of the server's messages: what each carries, who gets it, and what a client gets that reads too slowly.
 * `docs/protocol.md` describes the wire.
 */
import type { EvalRun } from "../evals/evals";
import type { Envelope } from "../events/event";
import type { CodeSearchId, ProjectId, SessionId, TerminalId } from "../events/id";
import { envelopeChars, isLive, joinEnvelopes } from "../events/join-envelopes";
import type { EngineState } from "../models/engine";
import type { Connection, DoctorRun, ModelServerState, PullState } from "../models/models";
import type { Notice } from "../notices/notice";
import type { Rule } from "../permissions/policy";
import type { ConfigProblem } from "../settings/config-keys";
import type { Settings } from "../settings/settings";
import type { ElicitationView } from "../tools/elicitation";
import { joinOutput, type TerminalInfo, type TerminalOutput, terminalRingChars } from "../terminal/terminal";
import { type CodeSearchResults, joinCodeSearch } from "../workspace/code-search";
import type { Project } from "../workspace/project";
import type { SessionRow } from "./session-row";
import type { NetworkState, Share } from "./share";

/**
 * Fields of the messages of each topic but `session`, whose envelopes are sent in batches. `docs/protocol.md` has the fields and the
 * comments. JSON; a field `bytes` may be a
 * `Uint8Array`, and the policy of such a topic has `chars`.
 */
interface PushFields {
  /** A session's line in the list changed. */
  readonly session_row: { readonly row: SessionRow };
  /** A session moved to the trash. */
  readonly session_removed: { readonly sessionId: SessionId };
  /** A project was opened. */
  readonly project: { readonly project: Project };
  /** The model server: reachable, its models, what is loaded. */
  readonly models: { readonly state: ModelServerState };
  /** A download's progress. */
  readonly pull: { readonly pull: PullState };
  /** The test of a model: its steps so far, its report at the end. */
  readonly doctor: { readonly run: DoctorRun };
  /** A run of evals: its results so far, what runs now. */
  readonly evals: { readonly run: EvalRun };
  /** The other model servers, after a change. */
  readonly connections: { readonly connections: readonly Connection[] };
  /** Program, models and process of the built-in engine, after a change. */
  readonly engine: { readonly state: EngineState };
  /** MCP servers or their tools changed: `mcp.state` returns them. */
  readonly mcp: { readonly projectId: ProjectId };
  /** All questions of MCP servers that wait for the user, as `mcp.questions` returns them. */
  readonly questions: { readonly questions: readonly ElicitationView[] };
  /** All settings, after a change. */
  readonly settings: { readonly settings: Settings };
  /** `config.yaml` was read or written; an empty list = no problems. */
  readonly config: { readonly problems: readonly ConfigProblem[] };
  /** `models.yaml` was read or written; settings of single models may have changed. */
  readonly models_file: { readonly problems: readonly ConfigProblem[] };
  /** The rules of a project, after a change. */
  readonly rules: { readonly projectId: ProjectId; readonly rules: readonly Rule[] };
  /**
   * Entries of these folders were added or removed, these paths changed; `gone` = the project's folder is missing, `isPolled` =
   * no more watches, so changes are looked for once a second.
   */
  readonly files: {
    readonly projectId: ProjectId;
    readonly folders: readonly string[];
    readonly paths: readonly string[];
    readonly gone: boolean;
    readonly branch: string | null;
    /** The system watches no more files: changes are looked for once a second. */
    readonly isPolled?: true;
  };
  /** All active share links, with their viewers. */
  readonly shares: { readonly shares: readonly Share[] };
  /** The addresses the server listens at. */
  readonly network: { readonly network: NetworkState };
  /** A device signed in, connected, disconnected or was revoked: query the list again. */
  readonly devices: Record<never, never>;
  /** An automation, or a run of one, changed: `automations.list` returns them. */
  readonly automations: Record<never, never>;
  /** A channel, its connection or one of its people changed: `channels.list` returns them. */
  readonly channels: Record<never, never>;
  /** All notices that are not seen yet, to which a tab answers with `notices.seen`. */
  readonly notices: { readonly notices: readonly Notice[] };
  /** The content of the trash changed: query it again. */
  readonly trash: { readonly projectId: ProjectId };
  /** The terminals of a project, their names and exits, in the order in which they were opened. */
  readonly terminals: { readonly projectId: ProjectId; readonly terminals: readonly TerminalInfo[] };
  /** Output of a terminal and its position in all its output; one that does not continue the output before replaces all of it. */
  readonly terminal: { readonly terminalId: TerminalId } & TerminalOutput;
  /**
   * Found lines by file, with lines of context, and the number of lines found before; one that does not continue them replaces
   * all. `end` = how it ended, null while it runs.
   */
  readonly code_search: { readonly searchId: CodeSearchId } & CodeSearchResults;
  /** Output of the hooks of a commit, as `terminal`. */
  readonly source_output: { readonly projectId: ProjectId } & TerminalOutput;
  /** The log cannot be written (a full disk, a lock); null = writing works again. */
  readonly store: { readonly error: { readonly code: string; readonly path: string } | null };
}

export type PushTopic = keyof PushFields;
/** The messages of a topic. */
export type PushOf<T extends PushTopic> = Extract<AnyPush, { readonly type: T }>;
type AnyPush = { readonly [T in PushTopic]: { readonly type: T } & PushFields[T] }[PushTopic];

/** Delivery of the messages of one topic. */
export interface TopicPolicy<M> {
  /** owner = every client of the owner gets all of it; subject = a client subscribes to single subjects. */
  readonly audience: "owner" | "subject";
  /** Subject of a message: the parameter of a subscription. Only messages about the same one are joined. */
  readonly subject?: (message: M) => string;
  /** Joins a message with the one that follows it; null = both are sent. Absent = the later one replaces it. */
  readonly join?: (first: M, second: M) => M | null;
  /** Whether a message may wait a few milliseconds to be joined with the next one; absent = never. */
  readonly waits?: (message: M) => boolean;
  /** Approximate size on the wire, characters; absent = that of its JSON. */
  readonly chars?: (message: M) => number;
  /**
   * Treatment of a client that reads too slowly. resync = it gets nothing until it reads again, then a `resync`. join = messages
   * that it has not been sent wait and are joined; over the limits, a `resync`. A topic with a `TopicSources` sends the state in
   * place of a `resync`.
   */
  readonly overflow: "resync" | "join";
  /**
   * Flow control for streams of any length: the number of characters of one subject that may be sent before the client
   * has confirmed the messages before. Absent = the limits apply to what the network has not taken.
   */
  readonly windowChars?: number;
}

/**
 * State of single subjects as one message, null = none. A subscriber gets it first and then every message published
 * later, so that it needs no query. A message has its position (the offset of its bytes, the index of its first hit): one
 * that does not follow what the client has replaces it. The publisher changes the state in the same tick.
 */
export type TopicSources = { readonly [T in PushTopic]?: TopicSource<PushOf<T>> };

interface TopicSource<M> {
  /** Returns the state as one message; null = none. */
  state(subject: string): M | null;
  /**
   * With flow control: no subscriber has confirmed enough to be sent more now, or one of them has again. The source may
   * stop producing meanwhile.
   */
  setBehind?(subject: string, isBehind: boolean): void;
}

/** A state: a client that reads too slowly gets the newest message about each subject. */
const stateOf = <M>(subject?: (message: M) => string): TopicPolicy<M> => ({
  audience: "owner",
  overflow: "join",
  subject,
});

/** Output of a program, of which a client that reads too slowly gets the newest. */
const outputOf = <M extends TerminalOutput>(subject: (message: M) => string): TopicPolicy<M> => ({
  audience: "subject",
  subject,
  join: (first, second) => ({ ...first, ...joinOutput(first, second, terminalRingChars) }),
  waits: () => true,
  chars: ({ text }) => text.length,
  overflow: "join",
  windowChars: 524_288,
});

export const pushTopics: { readonly [T in PushTopic]: TopicPolicy<PushOf<T>> } = {
  // A row that waits would arrive after the removal of its session.
  session_row: { audience: "owner", overflow: "resync" },
  session_removed: { audience: "owner", overflow: "resync" },
  project: stateOf(({ project }) => project.id),
  models: stateOf(),
  pull: stateOf(({ pull }) => pull.name),
  doctor: stateOf(),
  evals: stateOf(),
  connections: stateOf(),
  engine: stateOf(),
  mcp: stateOf(({ projectId }) => projectId),
  questions: stateOf(),
  settings: stateOf(),
  config: stateOf(),
  models_file: stateOf(),
  rules: stateOf(({ projectId }) => projectId),
  files: { audience: "subject", subject: ({ projectId }) => projectId, overflow: "resync" },
  shares: stateOf(),
  network: stateOf(),
  devices: stateOf(),
  automations: stateOf(),
  channels: stateOf(),
  notices: stateOf(),
  trash: stateOf(({ projectId }) => projectId),
  terminals: stateOf(({ projectId }) => projectId),
  terminal: outputOf(({ terminalId }) => terminalId),
  code_search: {
    audience: "subject",
    subject: ({ searchId }) => searchId,
    join: (first, second) => ({ ...first, ...joinCodeSearch(first, second) }),
    overflow: "join",
    windowChars: 524_288,
  },
  source_output: outputOf(({ projectId }) => projectId),
  store: stateOf(),
};

/** Envelopes of a session, sent to those who opened it. */
export const sessionTopic: TopicPolicy<Envelope> = {
  audience: "subject",
  subject: ({ sessionId }) => sessionId,
  join: joinEnvelopes,
  waits: isLive,
  chars: envelopeChars,
  overflow: "resync",
};

export type TopicName = PushTopic | "session";

const isPushTopic = (name: unknown): name is PushTopic => typeof name === "string" && Object.hasOwn(pushTopics, name);

/** A topic that a client subscribes to by `topic.subscribe`, with a subject. */
export const isSubjectTopic = (name: unknown): name is PushTopic =>
  isPushTopic(name) && pushTopics[name].audience === "subject";

export const pushTopicNames: readonly PushTopic[] = Object.keys(pushTopics).filter(isPushTopic);
