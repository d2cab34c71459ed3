/** Arguments of the verbs that show or change what a server has. */
import { type Environment, type ParsedOptions, UsageError } from "./options";
import { resolveHome } from "./resolve-path";

export interface StatusArguments {
  readonly kind: "status";
  readonly json: boolean;
  /** Absolute; may not exist yet. */
  readonly home: string;
}

export type VerbArguments = StatusArguments;

export function parseStatusArguments(options: ParsedOptions, environment: Environment, cwd: string): StatusArguments {
  if (options.operands.length > 0) throw new UsageError("gopi-web status takes no words");
  return { kind: "status", json: options.flag("json"), home: resolveHome(options.text("home"), environment, cwd) };
}
