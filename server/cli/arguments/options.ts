/** Table of command line options, and the parser for it. */
import { parseArgs } from "node:util";
import { findNearestWord } from "@/lib/text/name-similarity";

/** Environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const verbs = [
  "init",
  "serve",
  "run",
  "chat",
  "doctor",
  "eval",
  "status",
  "get",
  "config",
  "export",
  "import",
] as const;
/** open = no verb was given. */
export type Verb = "open" | (typeof verbs)[number];

/** Invalid arguments; the message is one line for the user. */
export class UsageError extends Error {}

interface Option {
  /** The letter that stands for it. */
  readonly short?: string;
  /** Name of the value in messages; absent = a flag without a value. */
  readonly value?: string;
  readonly verbs: readonly Verb[];
  /** Internal: not in the help or in suggestions. */
  readonly hidden?: true;
}

const allVerbs: readonly Verb[] = ["open", ...verbs];
const options = {
  port: { value: "a number", verbs: ["open", "serve"] },
  host: { value: "an address", verbs: ["open", "serve"] },
  "tls-cert": { value: "a file", verbs: ["open", "serve"] },
  "tls-key": { value: "a file", verbs: ["open", "serve"] },
  "public-url": { value: "an address", verbs: ["open", "serve"] },
  socket: { value: "a path", verbs: ["open", "serve"] },
  "proxy-user": { value: "HEADER=NAME", verbs: ["open", "serve"] },
  model: { value: "a model name", verbs: ["open", "serve", "run", "chat"] },
  home: { value: "a folder", verbs: allVerbs },
  demo: { verbs: ["open"] },
  "no-open": { verbs: ["open"] },
  json: { verbs: allVerbs.filter((verb) => verb !== "export" && verb !== "chat" && verb !== "init") },
  background: { verbs: ["open"], hidden: true },
  install: { verbs: ["serve"] },
  uninstall: { verbs: ["serve"] },
  yes: { verbs: ["serve"] },
  cwd: { value: "a folder", verbs: ["run", "chat", "init"] },
  approve: { value: "one of ask, edits, all, none", verbs: ["run"] },
  session: { value: "a session ID", verbs: ["run", "chat"] },
  continue: { verbs: ["run", "chat"] },
  stdin: { verbs: ["run"] },
  automation: { value: "the name of an automation", verbs: ["run"] },
  file: { value: "a file", verbs: ["open", "run", "chat"], short: "f" },
  workflow: { value: "the name of a workflow", verbs: ["run"] },
  input: { value: "NAME=VALUE", verbs: ["run"] },
  format: { value: "one of md, html, jsonl", verbs: ["export"] },
  output: { value: "a file", verbs: ["export"], short: "o" },
  task: { value: "names of tasks", verbs: ["eval"] },
  version: { verbs: allVerbs, short: "v" },
  help: { verbs: allVerbs, short: "h" },
} as const satisfies Record<string, Option>;
type OptionName = keyof typeof options;

const isOption = (name: string): name is OptionName => Object.hasOwn(options, name);
const optionTable: Readonly<Record<OptionName, Option>> = options;

/** Parsed arguments. */
export interface ParsedOptions {
  readonly verb: Verb;
  /** Operands without the verb. */
  readonly operands: readonly string[];
  readonly flag: (name: OptionName) => boolean;
  /** The value; the last one of a repeated option. */
  readonly text: (name: OptionName) => string | null;
  /** All values of a repeated option. */
  readonly texts: (name: OptionName) => readonly string[];
}

/** Throws UsageError for an unknown option, a missing or a superfluous value, and an option of another verb. */
export function readOptions(argv: readonly string[]): ParsedOptions {
  const { tokens } = parseArgs({
    args: [...argv],
    options: parserOptions(),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: [OptionName, string | true][] = [];
  const operands: string[] = [];
  let verb: Verb = "open";
  let literal = false;
  let numberAt = -1;
  for (const token of tokens) {
    const word = argv[token.index] ?? "";
    // A negative number is a value: `config set ollama.keep_alive -1`. Each of its digits is a token.
    if (token.kind === "option" && /^-\d+$/.test(word)) {
      if (token.index !== numberAt) operands.push(word);
      numberAt = token.index;
    } else if (token.kind === "option-terminator") literal = true;
    else if (token.kind === "option") values.push(readOption(token));
    else if (operands.length === 0 && verb === "open" && !literal) verb = takeVerb(token.value, operands);
    else operands.push(token.value);
  }
  for (const [name] of values)
    if (!optionTable[name].verbs.includes(verb)) throw new UsageError(misplacedOptionText(name, verb));
  const texts = (name: OptionName): readonly string[] =>
    values.flatMap(([each, value]) => (each === name && typeof value === "string" ? [value] : []));
  return {
    verb,
    operands,
    flag: (name) => values.some(([each]) => each === name),
    text: (name) => texts(name).at(-1) ?? null,
    texts,
  };
}

/** The verb of a first word; any other word becomes an operand. */
function takeVerb(word: string, operands: string[]): Verb {
  const verb = verbs.find((each) => each === word);
  if (verb === undefined) operands.push(word);
  return verb ?? "open";
}

const parserOptions = (): Record<string, { type: "string" | "boolean"; short?: string }> =>
  Object.fromEntries(
    Object.entries(optionTable).map(([name, { value, short }]) => [
      name,
      { type: value === undefined ? "boolean" : "string", ...(short === undefined ? {} : { short }) },
    ]),
  );

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function readOption({ name, rawName, value, inlineValue }: OptionToken): [OptionName, string | true] {
  if (!isOption(name)) throw new UsageError(unknownOptionText(rawName));
  const wanted = optionTable[name].value;
  if (wanted === undefined) {
    if (inlineValue === true) throw new UsageError(`--${name} doesn't take a value`);
    return [name, true];
  }
  const swallowed = inlineValue !== true && value !== undefined && /^--?[a-z]/i.test(value);
  if (value === undefined || value === "" || swallowed) throw new UsageError(`--${name} needs ${wanted}`);
  return [name, value];
}

const usageOf = (verb: Verb): string => (verb === "open" ? '"gopi-web [folder]"' : `"gopi-web ${verb}"`);

const wordList = new Intl.ListFormat("en-GB");

const misplacedOptionText = (name: OptionName, verb: Verb): string =>
  `--${name} works with ${wordList.format(optionTable[name].verbs.map(usageOf))}, not with ${usageOf(verb)}`;

function unknownOptionText(rawName: string): string {
  const offered = Object.entries(optionTable).flatMap(([name, { hidden }]) => (hidden === true ? [] : [name]));
  const nearest = findNearestWord(rawName.replace(/^-+/, ""), offered);
  const hint = nearest === null ? "see gopi-web --help" : `did you mean --${nearest}?`;
  return `Unknown option ${printable(rawName)}; ${hint}`;
}

/** Escapes control, format and separator characters of foreign text for a one-line message. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
