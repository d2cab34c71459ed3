/** Result of parsing a configuration file of another tool, or an export of gopi-web. */
import type { KeyUse } from "../models/key-use";
import type { ModelEntry } from "./model-settings";
import type { Settings } from "./settings";

export type ConfigFormat = "gopi-web" | "gopi" | "kore" | "kimi" | "golem" | "llama-cli";

/** Tools whose configuration file has a usual place; that of Gopi is the one of gopi-web. */
export const foreignConfigFiles = ["kore", "kimi", "golem", "llama-cli"] as const satisfies readonly ConfigFormat[];
export type ForeignConfigFile = (typeof foreignConfigFiles)[number];

/** A model server defined in the file. Its API key is never sent to clients. */
export interface ForeignConnection {
  readonly name: string;
  readonly preset: string;
  readonly baseUrl: string;
  /** "" = the first model of the server. */
  readonly model: string;
  /** tokens; 0 = as reported by the server */
  readonly numCtx: number;
  readonly temperature?: number;
  readonly keyUse?: KeyUse;
  readonly sessionHeader?: string;
  readonly atOnce?: number;
  readonly hasKey: boolean;
}

export interface ConfigImport {
  /** Possible source formats, at least one; several tools use the same keys with the same meaning. */
  readonly formats: readonly ConfigFormat[];
  /** Settings with a valid value in the file. */
  readonly settings: Partial<Settings>;
  readonly connections: readonly ForeignConnection[];
  /** Options of single models that are new or differ. */
  readonly models: readonly ModelEntry[];
  /** Keys without a corresponding setting, or with an invalid value. */
  readonly ignored: readonly string[];
  /** The file enables the sandbox, but none works on this machine, so it stays off. */
  readonly noSandbox?: true;
}
