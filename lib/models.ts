/** What is known of the model server, as screens show it: its state, its models, its downloads. Serialisable data only. */
import type { AgentError } from "./error";

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
}

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
