/** State of model servers: models, downloads, tests and connections. JSON-serialisable. */
import type { AgentError } from "../events/error";
import type { HistoryUse, Profile, Think, ToolMode } from "../events/event";
import type { ProjectId } from "../events/id";
import type { KeyUse } from "./key-use";
import type { Script } from "../text/estimate-tokens";

/** State of a model at a server that loads models on demand, as the server lists it. */
export interface ModelLoad {
  readonly state: (typeof modelLoadStates)[number];
  /** Exit code of the process that failed to load it. */
  readonly exitCode?: number;
  /** The part that is being loaded, as the server names it, and the share of it that is done, 0 to 1. */
  readonly stage?: string;
  readonly share?: number;
  /** Progress of a download. */
  readonly receivedBytes?: number;
  readonly totalBytes?: number;
  /** Conversations it works on at once, and those it is working on. */
  readonly slots?: number;
  readonly busySlots?: number;
  /** Whether its server deletes it on request; absent = its server neither downloads nor deletes models. */
  readonly canRemove?: boolean;
}
export const modelLoadStates = ["unloaded", "loading", "loaded", "sleeping", "downloading", "failed"] as const;

export interface ModelInfo {
  readonly name: string;
  readonly digest?: string;
  /** bytes on disk */
  readonly size?: number;
  readonly family?: string;
  readonly parameters?: string;
  readonly quantization?: string;
  /** tokens the model was trained for; at a connection, the window that its server has allocated */
  readonly contextLength?: number;
  /** tokens that a window cannot exceed, if that is not `contextLength`: what is allocated may be much less */
  readonly possibleContext?: number;
  /** Absent = its server does not list states. */
  readonly load?: ModelLoad;
  /** completion, tools, vision, thinking, embedding …; empty = not reported. */
  readonly capabilities: readonly string[];
  /** The model runs in the cloud: prompts leave the machine. */
  readonly cloud: boolean;
  /** KV cache bytes per token at full precision, from the model's architecture; absent = not reported. */
  readonly kvBytesPerToken?: number;
  /** tokens; window of new sessions, absent while neither the user's choice nor the model's own limit is available */
  readonly window?: number;
  /** User settings and measurements of this program. */
  readonly note?: ModelNote;
}

/**
 * User settings of a model (from `models.yaml`) and measurements. Measurements are stored by digest, or by name if
 * there is no digest.
 */
export interface ModelNote {
  /**
   * Tool calling format. `server` = the server rejected native tools; `user` = chosen by the user, never changed by the
   * program.
   */
  readonly toolMode?: { readonly mode: ToolMode; readonly by: "server" | "user" };
  /** Window chosen by the user, tokens. */
  readonly numCtx?: number;
  readonly profile?: Profile;
  /** Thinking in new sessions, set by the user. */
  readonly think?: Think;
  /** Whether the chat template is asked to keep the thinking of all turns, set by the user. */
  readonly keepThinking?: boolean;
  /** 0 to 2, set by the user. */
  readonly temperature?: number;
  /** Maximum tokens of one answer, set by the user. */
  readonly maxOutputTokens?: number;
  /** Minutes the model stays loaded, -1 = indefinitely; set by the user. */
  readonly keepAliveMinutes?: number;
  /** Moving averages: prompt and output tokens per second, load time in ms. */
  readonly readPerSecond?: number;
  readonly writePerSecond?: number;
  readonly loadMs?: number;
  /** Ratio of the server's token count to the estimate. */
  readonly tokenRatio?: number;
  /** The same ratio per script. */
  readonly tokenScale?: ScriptRatios;
  /** Learned from what the server refused. */
  readonly history?: HistoryUse;
  /** Learned from an answer. */
  readonly lateSplit?: LateSplit;
  readonly doctor?: DoctorReport;
}

/** Part of a model's thinking that its server sends as text, with a closer behind it: the part after its field, or all. */
export type LateSplit = "rest" | "all";

/** Ratio of the model's token count to the estimate, for text of one script. */
export interface ScriptRatio {
  readonly ratio: number;
  /** Standard deviation of `ratio`. */
  readonly spread: number;
}
export type ScriptRatios = { readonly [script in Script]?: ScriptRatio };

/** A model currently in memory. */
export interface LoadedModel {
  readonly name: string;
  /** bytes in memory */
  readonly size: number;
  /** Share of the model in GPU memory, 0 to 1; below 1 is slow. */
  readonly vramShare: number;
  /** tokens; window it was loaded with; not reported by servers before 0.10 */
  readonly contextLength?: number;
  /** ms epoch; absent = never */
  readonly expiresAt?: number;
}

export interface ModelServerState {
  /** unknown = not queried yet */
  readonly status: "unknown" | "unreachable" | "ready";
  /** Address without credentials. */
  readonly host: string;
  readonly version?: string;
  /** Last known list while the server is unreachable. */
  readonly models: readonly ModelInfo[];
  readonly loaded: readonly LoadedModel[];
  /** Ollama is installed and the address is local, so the server can be started. */
  readonly canStart: boolean;
  /** Base URL for a connection if an OpenAI-compatible server answers at the address instead of Ollama. */
  readonly openAi?: string;
  readonly error?: AgentError;
}

/** One download. Bytes are summed over the layers seen so far. */
export interface PullState {
  readonly name: string;
  /** Id of the connection whose server downloads it; absent = the Ollama of the settings. */
  readonly connection?: string;
  readonly status: "starting" | "downloading" | "verifying" | "done" | "failed" | "cancelled";
  readonly completedBytes: number;
  readonly totalBytes: number;
  /** Over the last seconds; bytes present before the download do not count. */
  readonly bytesPerSecond: number;
  readonly secondsLeft?: number;
  readonly error?: AgentError;
}

/** Possible context windows of a model on this machine. Bytes include the model and its KV cache. */
export interface WindowPlan {
  readonly model: string;
  /** tokens; window of new sessions, and how it was determined */
  readonly chosen: number;
  readonly by: "user" | "memory" | "model" | "default";
  readonly steps: readonly { readonly tokens: number; readonly bytes?: number; readonly fits: boolean | null }[];
  /** Memory of the server's machine; absent = unknown, because it is another machine. */
  readonly memoryBytes?: number;
  /** tokens currently allocated by the server */
  readonly allocated?: number;
  /** tokens the model was trained for */
  readonly own?: number;
}

/** Details of one model that are not part of the list. */
export interface ModelDetails {
  readonly name: string;
  readonly parameters: string;
  readonly template: string;
  /** Names of the server's code that reads its answers and writes its prompts; empty = the template does. */
  readonly parser: string;
  readonly renderer: string;
  readonly license: string;
  readonly window: WindowPlan;
}

/**
 * Steps of the model test, in order. nested = a call through the toolbox; conversations = the server keeps two of them;
 * template = the chat template keeps the list of tools in its place. Older reports lack some.
 */
export const doctorSteps = [
  "load",
  "answer",
  "tools",
  "edit",
  "nested",
  "window",
  "conversations",
  "template",
] as const;
/** The steps that decide the verdict. */
export const ratedDoctorSteps = ["load", "answer", "tools", "edit", "window"] as const;
export type DoctorStepName = (typeof doctorSteps)[number];

export interface DoctorStep {
  readonly step: DoctorStepName;
  readonly state: "waiting" | "running" | "ok" | "weak" | "failed" | "skipped";
  readonly ms?: number;
  /** Measured: tokens, tokensPerSecond, sent, read, mode, tries, keeps, moves … */
  readonly facts?: { readonly [name: string]: number | string | boolean };
  readonly error?: AgentError;
}

/** agent = can edit and test on its own; helper = small tasks under supervision; chat = questions only. */
export type DoctorVerdict = "agent" | "helper" | "chat" | "unusable";

export interface DoctorReport {
  readonly model: string;
  /** ms epoch */
  readonly at: number;
  readonly tookMs: number;
  readonly steps: readonly DoctorStep[];
  readonly verdict: DoctorVerdict;
  readonly toolMode: ToolMode;
  /** tokens per second, 0 = not measured */
  readonly readPerSecond: number;
  readonly writePerSecond: number;
  readonly numCtx: number;
}

/** Progress or result of a model test. */
export interface DoctorRun {
  readonly model: string;
  readonly steps: readonly DoctorStep[];
  readonly report?: DoctorReport;
  readonly cancelled?: boolean;
}

/** A model server configured by the user in addition to Ollama. The API key itself is never sent to clients. */
export interface Connection {
  readonly id: string;
  readonly name: string;
  /** A preset of server/providers/presets.ts, custom, or ollama. */
  readonly preset: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly temperature?: number;
  /** tokens; 0 = as reported by the server, or the default */
  readonly numCtx: number;
  /** Form in which the key is sent; absent = as a bearer token. */
  readonly keyUse?: KeyUse;
  /** Header that carries the session's id; absent = by the address (`sentSessionHeader`), empty = none. */
  readonly sessionHeader?: string;
  /** Answers that it works on at once, 1 to 32; absent = as the server reports, or by the address. */
  readonly atOnce?: number;
  /** Source of the API key; `name` = the environment variable. */
  readonly key: { readonly from: "none" | "file" | "environment"; readonly name?: string };
  /** Prompts stay on this machine or network. */
  readonly local: boolean;
  /** New sessions of this project use it, and no others; absent = it belongs to no project. */
  readonly projectId?: ProjectId;
  /** It listed models when it was asked last. */
  readonly answers?: true;
  /** Its server downloads models on request. */
  readonly downloads?: true;
  /** Its server runs commands for everyone who reaches it, and other machines do. */
  readonly runsCommands?: true;
  /** Last known server state, for connections with Ollama's native API. */
  readonly server?: ModelServerState;
}

/** One step of a connection test; the first failing step carries the error. */
export interface ConnectionStep {
  readonly step: "reach" | "key" | "model" | "answer" | "tools";
  readonly ok: boolean;
  readonly ms: number;
  readonly detail?: string;
  readonly error?: AgentError;
  /** Models of the server if none was chosen; may be empty. */
  readonly choices?: readonly string[];
}

/** Result of a connection test. */
export interface ConnectionCheck {
  readonly steps: readonly ConnectionStep[];
  /** Base URL for a native Ollama connection, if the address supports Ollama's API too. */
  readonly ollama?: string;
}

export interface ConnectionPreset {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  /** Addresses at which other versions of the server listen, tried after `baseUrl`. */
  readonly otherBaseUrls?: readonly string[];
  readonly needsKey: boolean;
  readonly local: boolean;
  /** Environment variables checked for an API key. */
  readonly keyEnvironment: readonly string[];
}
