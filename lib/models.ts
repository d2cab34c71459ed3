/** What is known of the model server, as screens show it: its state, its models, its downloads. Serialisable data only. */
import type { AgentError } from "./error";
import type { Profile, Think, ToolMode } from "./event";
import type { Script } from "./text/estimate-tokens";

export interface ModelInfo {
  readonly name: string;
  readonly digest?: string;
  /** bytes on disk */
  readonly size?: number;
  readonly family?: string;
  readonly parameters?: string;
  readonly quantization?: string;
  /** tokens the model was trained for */
  readonly contextLength?: number;
  /** completion, tools, vision, thinking, embedding …; empty = the server did not say. */
  readonly capabilities: readonly string[];
  /** Prompts leave the machine. */
  readonly cloud: boolean;
  /** Bytes of KV cache one token takes at full precision, from the model's shape; absent = the server did not say. */
  readonly kvBytesPerToken?: number;
  /** What this program learned about it. */
  readonly note?: ModelNote;
}

/**
 * What the user set for a model (its entries in `models.yaml`), and what was learned of it: what it did, how fast it is. What was
 * learned is kept by its digest, by its name where there is none.
 */
export interface ModelNote {
  /** How it calls tools. `server`: it refused native tools; `user`: chosen, never changed by the program. */
  readonly toolMode?: { readonly mode: ToolMode; readonly by: "server" | "user" };
  /** Window the user chose, tokens. */
  readonly numCtx?: number;
  readonly profile?: Profile;
  /** Thinking of new sessions, as the user set it. */
  readonly think?: Think;
  /** 0 to 2, as the user set it. */
  readonly temperature?: number;
  /** Most tokens of one answer, as the user set it. */
  readonly maxOutputTokens?: number;
  /** Minutes it stays loaded, -1 = for ever, as the user set it. */
  readonly keepAliveMinutes?: number;
  /** Smoothed over its answers: prompt and output tokens a second, time to load in ms. */
  readonly readPerSecond?: number;
  readonly writePerSecond?: number;
  readonly loadMs?: number;
  /** Tokens the server counts for one of our estimate. */
  readonly tokenRatio?: number;
  /** The same by script. */
  readonly tokenScale?: ScriptRatios;
  readonly doctor?: DoctorReport;
}

/** How many tokens a model has for one of our estimate, in text of one script. */
export interface ScriptRatio {
  readonly ratio: number;
  /** Standard deviation of `ratio`: how far it may be wrong. */
  readonly spread: number;
}
export type ScriptRatios = { readonly [script in Script]?: ScriptRatio };

/** A model that is in memory now. */
export interface LoadedModel {
  readonly name: string;
  /** bytes in memory */
  readonly size: number;
  /** 0 to 1: how much of it lies on the GPU; below 1 is slow. */
  readonly vramShare: number;
  /** tokens of the window it was loaded with; servers before 0.10 do not say */
  readonly contextLength?: number;
  /** ms epoch; absent = stays for ever */
  readonly expiresAt?: number;
}

export interface ModelServerState {
  /** unknown = not asked yet */
  readonly status: "unknown" | "unreachable" | "ready";
  /** Address without credentials. */
  readonly host: string;
  readonly version?: string;
  /** Stays as last seen while the server is unreachable. */
  readonly models: readonly ModelInfo[];
  readonly loaded: readonly LoadedModel[];
  /** The program is on this machine and so is the address: a button may start it. */
  readonly canStart: boolean;
  /** No Ollama, but a server that speaks OpenAI's wire answers there: its address as a connection has it. */
  readonly openAi?: string;
  readonly error?: AgentError;
}

/** One download. Bytes are summed over the layers seen so far. */
export interface PullState {
  readonly name: string;
  readonly status: "starting" | "downloading" | "verifying" | "done" | "failed" | "cancelled";
  readonly completedBytes: number;
  readonly totalBytes: number;
  /** Of the last seconds; what was there before the download began does not count. */
  readonly bytesPerSecond: number;
  readonly secondsLeft?: number;
  readonly error?: AgentError;
}

/** The windows a model may have on this machine. Bytes are the model and its cache together. */
export interface WindowPlan {
  readonly model: string;
  /** tokens that new sessions take, and why: what the user chose, what fits, or a careful default. */
  readonly chosen: number;
  readonly by: "user" | "memory" | "model" | "default";
  readonly steps: readonly { readonly tokens: number; readonly bytes?: number; readonly fits: boolean | null }[];
  /** Memory of the machine the server runs on; absent = another machine. */
  readonly memoryBytes?: number;
  /** tokens the server has allocated now */
  readonly allocated?: number;
  /** tokens the model was trained for */
  readonly own?: number;
}

/** More than the list tells, for one model's page. */
export interface ModelDetails {
  readonly name: string;
  readonly parameters: string;
  readonly template: string;
  readonly license: string;
  readonly window: WindowPlan;
}

/** What the doctor tries, in this order. */
export const doctorSteps = ["load", "answer", "tools", "edit", "window"] as const;
export type DoctorStepName = (typeof doctorSteps)[number];

export interface DoctorStep {
  readonly step: DoctorStepName;
  readonly state: "waiting" | "running" | "ok" | "weak" | "failed" | "skipped";
  readonly ms?: number;
  /** Measured: tokens, perSecond, sent, read, mode, tries … */
  readonly facts?: { readonly [name: string]: number | string | boolean };
  readonly error?: AgentError;
}

/** What a model is good for here: agent = edits and tests by itself; helper = small tasks with a look at each; chat = questions only. */
export type DoctorVerdict = "agent" | "helper" | "chat" | "unusable";

export interface DoctorReport {
  readonly model: string;
  /** ms epoch */
  readonly at: number;
  readonly tookMs: number;
  readonly steps: readonly DoctorStep[];
  readonly verdict: DoctorVerdict;
  readonly toolMode: ToolMode;
  /** tokens a second, 0 = not measured */
  readonly readPerSecond: number;
  readonly writePerSecond: number;
  readonly numCtx: number;
}

/** A test that goes on, or its end. */
export interface DoctorRun {
  readonly model: string;
  readonly steps: readonly DoctorStep[];
  readonly report?: DoctorReport;
  readonly cancelled?: boolean;
}

/** A further model server as the user set it up. The key itself never leaves our server. */
export interface Connection {
  readonly id: string;
  readonly name: string;
  /** A preset of server/providers/presets.ts, custom, or ollama. */
  readonly preset: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly temperature?: number;
  /** tokens; 0 = what the server says, else a careful default */
  readonly numCtx: number;
  /** Where the key comes from; the variable's name when from the environment. */
  readonly key: { readonly from: "none" | "file" | "environment"; readonly name?: string };
  /** Prompts stay on this machine or network. */
  readonly local: boolean;
  /** Of one that speaks Ollama's own API: its server as last seen. */
  readonly server?: ModelServerState;
}

/** One step of a connection's test; the first one that fails says what is wrong. */
export interface ConnectionStep {
  readonly step: "reach" | "key" | "model" | "answer" | "tools";
  readonly ok: boolean;
  readonly ms: number;
  readonly detail?: string;
  readonly error?: AgentError;
  /** No model was chosen: what the server has to choose from, which may be nothing. */
  readonly choices?: readonly string[];
}

/** What a connection's test found. */
export interface ConnectionCheck {
  readonly steps: readonly ConnectionStep[];
  /** The address speaks Ollama's own API too: how a connection to it would be entered. */
  readonly ollama?: string;
}

export interface ConnectionPreset {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly needsKey: boolean;
  readonly local: boolean;
  /** Variables that are looked into for a key. */
  readonly keyEnvironment: readonly string[];
}
