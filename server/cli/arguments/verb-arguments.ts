/** Arguments of the verbs that show or change what a server has. */
import { findNearestWord } from "./nearest-word";
import { type Environment, type ParsedOptions, UsageError } from "./options";
import { resolveFolder, resolveHome } from "./resolve-path";

export interface StatusArguments {
  readonly kind: "status";
  readonly json: boolean;
  /** Absolute; may not exist yet. */
  readonly home: string;
}

const listKinds = ["sessions", "models", "rules"] as const;

/** What every client has that needs a server. */
interface ClientArguments {
  readonly json: boolean;
  /** Absolute; folder for a server that has to be started. */
  readonly cwd: string;
  /** Absolute; may not exist yet. */
  readonly home: string;
}

export interface GetArguments extends ClientArguments {
  readonly kind: "get";
  readonly subject: (typeof listKinds)[number];
}

export type VerbArguments = StatusArguments | GetArguments;

const clientArguments = (options: ParsedOptions, environment: Environment, cwd: string): ClientArguments => ({
  json: options.flag("json"),
  cwd: resolveFolder(".", cwd),
  home: resolveHome(options.text("home"), environment, cwd),
});

export function parseGetArguments(options: ParsedOptions, environment: Environment, cwd: string): GetArguments {
  const [word = "", ...more] = options.operands;
  const subject = listKinds.find((kind) => kind === word);
  if (subject === undefined || more.length > 0)
    throw new UsageError(`gopi-web get lists one of ${listKinds.join(", ")}${nearHint(word, listKinds)}`);
  return { kind: "get", subject, ...clientArguments(options, environment, cwd) };
}

function nearHint(word: string, words: readonly string[]): string {
  const near = findNearestWord(word, words);
  return near === null || near === word ? "" : `; did you mean ${near}?`;
}

export function parseStatusArguments(options: ParsedOptions, environment: Environment, cwd: string): StatusArguments {
  if (options.operands.length > 0) throw new UsageError("gopi-web status takes no words");
  return { kind: "status", json: options.flag("json"), home: resolveHome(options.text("home"), environment, cwd) };
}
