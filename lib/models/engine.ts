/** State of the built-in engine: its program, its models and what it has loaded. JSON-serialisable. */
import type { AgentError } from "../events/error";
import type { DoctorVerdict, ModelInfo } from "./models";

/** Id of the connection that the engine's models have. */
export const engineConnectionId = "engine";

interface EngineProgramInfo {
  /** Absolute path. */
  readonly path: string;
  readonly version: string;
  /** It was fetched by gopi-web, which can remove it. */
  readonly isInstalled: boolean;
  /** The release that replaces it; absent = it was not fetched by gopi-web, or is as new as the release of this gopi-web. */
  readonly update?: EngineOffer;
}

/** Hardware or interface with which a build of llama.cpp calculates. */
export type EngineBuildKind = "cpu" | "metal" | "vulkan" | "cuda12" | "cuda13";

/** Builds of llama.cpp that can be fetched for this machine. */
export interface EngineOffer {
  /** Release of llama.cpp. */
  readonly tag: string;
  /** Host name the builds come from. */
  readonly from: string;
  /** The best first; only the first one replaces an older program. */
  readonly builds: readonly OfferedBuild[];
}

export interface OfferedBuild {
  readonly kind: EngineBuildKind;
  /** Size of its archives. */
  readonly bytes: number;
  /** Part that a paused or failed download has left, 0 if it was paused before the first byte; absent = there is none. */
  readonly received?: number;
}

/** Speed and remaining time of a download, by its last seconds; absent while it is not known. */
export interface TransferRate {
  readonly bytesPerSecond?: number;
  readonly secondsLeft?: number;
  /** If the server sends nothing: until the connection counts as cut, and is tried again. */
  readonly retrySeconds?: number;
}

/** Progress of fetching a build. */
export interface EngineInstallStep extends TransferRate {
  /**
   * retrying = the connection has failed, and no byte has arrived since; silent = it is open, and none arrives; waiting =
   * until the model has answered, after which the older program is replaced.
   */
  readonly status: "downloading" | "retrying" | "silent" | "unpacking" | "checking" | "waiting";
  readonly build: EngineBuildKind;
  /** Downloaded part of `bytes`. */
  readonly completed: number;
  readonly bytes: number;
}

/** A model the user added. */
export interface EngineModel {
  readonly name: string;
  /** Absolute path of its GGUF file, which stays where it is; the first one of a split model. */
  readonly file: string;
  /** It was downloaded by gopi-web, which deletes it when it is removed. */
  readonly isOwned: boolean;
  /** Absolute path of the file that reads images. */
  readonly projector?: string;
  /** Absent = the file cannot be read, for the reason in `error`. */
  readonly info?: ModelInfo;
  readonly error?: AgentError;
  /** As of a download that is not started; absent without `info`. */
  readonly memoryBytes?: number;
  readonly fit?: ModelFit;
}

/** A model file that another program has downloaded. */
export interface ForeignModel {
  readonly name: string;
  readonly file: string;
  readonly projector?: string;
  readonly from: "ollama" | "lmstudio";
  /** bytes */
  readonly size: number;
  /** As of a download that is not started. */
  readonly memoryBytes: number;
  readonly fit?: ModelFit;
}

/** Memory for models. */
export interface EngineMemory {
  readonly ram: number;
  /** Memory of the largest graphics card; on Apple silicon the part of the RAM it can use. 0 = none was found. */
  readonly graphics: number;
  /** The graphics card has no memory of its own. */
  readonly isShared: boolean;
}

/** Suitability of a model for this machine: in its fast memory; slowly, partly or wholly on the CPU; not at all. */
export type ModelFit = "fits" | "slow" | "too_large";

/** A model that can be downloaded for this machine. */
export interface SuggestedModel {
  readonly name: string;
  /** Its name on Hugging Face, as `engine.download` takes it. */
  readonly reference: string;
  /** About what is downloaded, bytes. */
  readonly bytes: number;
  /** With a window of 16k tokens, and the prompts of other conversations where they share its memory, bytes. */
  readonly memoryBytes: number;
  readonly license: string;
  /** Parameters that one token passes through. */
  readonly activeParameters: number;
  /** Largest window, tokens. */
  readonly contextLength: number;
  readonly capabilities: readonly string[];
  readonly fit: ModelFit;
  /** Verdict of the doctor; absent = its file is not in the list of models, or was not tested. */
  readonly verdict?: DoctorVerdict;
  /** Measured with its file on this machine, tokens per second. */
  readonly writePerSecond?: number;
}

/** Facts about a model on Hugging Face before its download. */
export interface ModelPreview extends Pick<SuggestedModel, "reference" | "name" | "bytes"> {
  /** As that of a suggestion; without `fit` the model needs more. */
  readonly memoryBytes: number;
  /** Absent = the start of the file, which has the shape of the model, cannot be read yet. */
  readonly fit?: ModelFit;
}

/** A model that is being downloaded, or was until it was paused. */
export interface ModelDownload extends TransferRate {
  readonly reference: string;
  readonly name: string;
  /** retrying = the connection has failed, and no byte has arrived since; silent = it is open, and none arrives. */
  readonly status: "downloading" | "retrying" | "silent" | "checking" | "paused" | "failed";
  /** Received part of `bytes`. */
  readonly completed: number;
  readonly bytes: number;
  /** Why it failed. */
  readonly error?: AgentError;
}

/** Hardware on which the loaded model runs, as the engine's log reports it. */
export interface EngineDevice {
  /** Names of the graphics cards that have layers of it; empty = the CPU alone. */
  readonly cards: readonly string[];
  /** Its layers, and those of them that are wholly on the cards; absent for the CPU alone. */
  readonly layers?: { readonly onCards: number; readonly all: number };
}

/** State of the engine and of the model in memory. */
export interface EngineRunState {
  readonly status: "stopped" | "loading" | "ready" | "failed";
  /** Absent if stopped. */
  readonly model?: string;
  /** tokens */
  readonly window?: number;
  /** Absent if it is not ready, or its version does not report it. */
  readonly device?: EngineDevice;
  readonly error?: AgentError;
}

export interface EngineState {
  /** null = no program was found on this machine. */
  readonly program: EngineProgramInfo | null;
  /** The program that was found does not run. */
  readonly problem?: AgentError;
  /** Absent = a program is there, which may have an update, or no build suits this machine. */
  readonly offer?: EngineOffer;
  /** A build is being fetched. */
  readonly install?: EngineInstallStep;
  /** Why the last attempt to fetch a build failed. */
  readonly installFailure?: AgentError;
  readonly models: readonly EngineModel[];
  /** The best for this machine first. */
  readonly suggestions: readonly SuggestedModel[];
  readonly downloads: readonly ModelDownload[];
  /** Host name that models are downloaded from; empty = none, for the reason in `hubProblem`. */
  readonly hub: string;
  /** The address that the environment names cannot be used. */
  readonly hubProblem?: AgentError;
  /** Rate of the last download of this process, bytes per second; 0 = none was measured. */
  readonly downloadRate: number;
  /** Memory of this machine, bytes. */
  readonly memory: EngineMemory;
  /** Threads that its processor runs at once. */
  readonly threads: number;
  readonly run: EngineRunState;
}
