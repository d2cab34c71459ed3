/** What a configuration file of another tool, or an export of our own, would change here. */
import type { Settings } from "./settings";

export const configFormats = ["gopi-web", "gopi", "kore", "kimi", "golem", "llama-cli"] as const;
export type ConfigFormat = (typeof configFormats)[number];

/** A model server named in the file. Its key never leaves the server program. */
export interface ForeignConnection {
  readonly name: string;
  readonly preset: string;
  readonly baseUrl: string;
  /** "" = the server's first. */
  readonly model: string;
  /** tokens; 0 = what the server says */
  readonly numCtx: number;
  readonly temperature?: number;
  readonly hasKey: boolean;
}

export interface ConfigImport {
  /** The tools the file may be from, at least one; several write the same keys with the same meaning. */
  readonly formats: readonly ConfigFormat[];
  /** Only valid values that the file names. */
  readonly settings: Partial<Settings>;
  readonly connections: readonly ForeignConnection[];
  /** Keys of the file that have no counterpart here, or a value that cannot be one. */
  readonly ignored: readonly string[];
  /** The file turns the sandbox on, and none works on this machine: it stays off. */
  readonly noSandbox?: true;
}
