/**
 * Reads pasted command lines that start or add a server, such as `npx -y package` or `claude mcp add name -- npx …`, and
 * bare addresses. Words are split as a shell does; nothing is run or expanded. Pure.
 */
import { isJsonObject, type Json, type JsonObject } from "@/lib/events/content";
import { parseJsonWithComments } from "./json-with-comments";

/** Marks that would do more than start one program. */
const operators = /[|&;<>()`]/;

/**
 * Splits command lines into words as a POSIX shell does. The words of each line, without quotes and escapes; `$NAME` is
 * written as `${NAME}`. null = a quote is not closed, or the text has an operator of the shell.
 */
function splitCommandLines(text: string): readonly (readonly string[])[] | null {
  const lines: string[][] = [];
  let words: string[] = [];
  let word: string | null = null;
  let quote = "";
  const endWord = (): void => {
    if (word !== null) words.push(word.replace(/\$([A-Za-z_]\w*)/g, "$${$1}"));
    word = null;
  };
  const endLine = (): void => {
    endWord();
    if (words.length > 0) lines.push(words);
    words = [];
  };
  const plain = text.replace(/\r\n?/g, "\n");
  for (let at = 0; at < plain.length; at += 1) {
    const sign = plain.charAt(at);
    const next = plain.charAt(at + 1);
    const escapes = sign === "\\" && (quote === "" || (quote === '"' && /["\\$`\n]/.test(next)));
    if (escapes) {
      if (next !== "\n") word = (word ?? "") + next;
      at += 1;
    } else if (sign === quote) quote = "";
    else if (quote !== "") word = (word ?? "") + sign;
    else if (sign === '"' || sign === "'") {
      quote = sign;
      word ??= "";
    } else if (sign === "\n") endLine();
    else if (/\s/.test(sign)) endWord();
    else if (operators.test(sign) || (sign === "$" && next === "(")) return null;
    else word = (word ?? "") + sign;
  }
  endLine();
  return quote === "" ? lines : null;
}

interface PastedServer {
  /** null = the text gives none. */
  readonly name: string | null;
  readonly server: JsonObject;
}

/** Returns null unless each line is such a command or an address. */
export function parsePastedCommands(text: string): readonly PastedServer[] | null {
  const commands = splitCommandLines(text);
  if (commands === null || commands.length === 0) return null;
  const servers = commands.map(readCommand);
  return servers.every((server) => server !== null) ? servers : null;
}

const assignment = /^([A-Za-z_]\w*)=([^]*)$/;
const isAddress = (word: string): boolean => /^https?:\/\//i.test(word) && URL.canParse(word);

function readCommand(line: readonly string[]): PastedServer | null {
  const words = line[0] === "$" ? line.slice(1) : line;
  const [first = "", second] = words;
  if (isAddress(first)) return second === undefined ? { name: null, server: { url: first } } : null;
  const start = words.findIndex((word, index) => !assignment.test(word) && !(index === 0 && word === "env"));
  const env = readAssignments(words.slice(0, Math.max(0, start)));
  const [program = "", ...args] = words.slice(Math.max(0, start));
  const name = program.split(/[\\/]/).at(-1) ?? "";
  if (adders.has(name) && args[0] === "mcp") return readAdded(args.slice(1));
  if (editors.has(name) && args[0] === "--add-mcp") return args.length === 2 ? readAddedJson(null, args[1]) : null;
  return isLaunch(program, args) ? { name: nameOfImage(name, args), server: toLaunch(program, args, env) } : null;
}

const toLaunch = (command: string, args: readonly string[], env: JsonObject): JsonObject => ({
  command,
  args: [...args],
  ...(Object.keys(env).length === 0 ? {} : { env }),
});

const readAssignments = (words: readonly string[]): JsonObject =>
  Object.fromEntries(words.flatMap((word) => (assignment.test(word) ? [splitAt(word, "=")] : [])));

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** Programs with `mcp add`, and editors with `--add-mcp`. */
const adders: ReadonlySet<string> = new Set(["claude", "codex", "gemini"]);
const editors: ReadonlySet<string> = new Set(["code", "code-insiders", "cursor"]);

/** Programs that run a package, and those that run one with a certain first argument. */
const runners: ReadonlySet<string> = new Set(["npx", "pnpx", "bunx", "uvx", "dnx"]);
const subcommands: ReadonlyMap<string, readonly string[]> = new Map([
  ["npm", ["exec", "x"]],
  ["pnpm", ["dlx", "exec"]],
  ["yarn", ["dlx"]],
  ["bun", ["x", "run"]],
  ["deno", ["run"]],
  ["uv", ["run", "tool"]],
  ["pipx", ["run"]],
  ["docker", ["run"]],
  ["podman", ["run"]],
  ["go", ["run"]],
]);
/** Programs that run a file. */
const interpreters: ReadonlySet<string> = new Set(["node", "python", "python3", "java", "dotnet", "bash", "sh"]);

/** Whether it starts a program; the words of a sentence do not. */
function isLaunch(program: string, args: readonly string[]): boolean {
  const [first = ""] = args;
  if (runners.has(program)) return args.length === 1 || first.startsWith("-") || /[-@/_.:]/.test(first);
  if (subcommands.get(program)?.includes(first) === true) return args.length > 1;
  if (interpreters.has(program)) return first.startsWith("-") || /[/\\]|\.\w{1,4}$/.test(first);
  return /^(?:\.{0,2}|~)\/[^/]+|^[A-Za-z]:\\/.test(program) && /[^/\\:]$/.test(program);
}

/** Options of `docker run` without a value. */
const imageSwitches: ReadonlySet<string> = new Set([
  "--rm",
  "-i",
  "-t",
  "-it",
  "-ti",
  "--interactive",
  "--tty",
  "--init",
]);

/** The name of the image in `docker run … image`; null = another command. */
function nameOfImage(program: string, args: readonly string[]): string | null {
  if (args[0] !== "run" || (program !== "docker" && program !== "podman")) return null;
  let at = 1;
  while (args[at]?.startsWith("-") === true) at += imageSwitches.has(args[at] ?? "") || args[at]?.includes("=") ? 1 : 2;
  const image = args[at]?.split("/").at(-1)?.split(/[:@]/)[0] ?? "";
  return image.replace(/^(?:mcp-server-|server-|mcp-)|(?:-mcp-server|-mcp|-server)$/g, "") || null;
}

/** `mcp add-json name {…}`, or `mcp add` with options, a name, and a command or an address. */
function readAdded([verb, ...words]: readonly string[]): PastedServer | null {
  if (verb === "add-json") {
    const [name, json, ...more] = words.filter((word, index) => !isOption(word) && !isOption(words[index - 1] ?? ""));
    return name === undefined || more.length > 0 ? null : readAddedJson(name, json);
  }
  if (verb !== "add") return null;
  const options = readOptions(words);
  const [name, target, ...args] = options.rest;
  const address = options.url ?? (target !== undefined && isAddress(target) ? target : undefined);
  if (name === undefined) return null;
  if (address === undefined) return target === undefined ? null : { name, server: toLaunch(target, args, options.env) };
  const headers = Object.fromEntries(options.headers.map((header) => splitAt(header, ":")));
  return {
    name,
    server: {
      ...(options.transport === undefined ? {} : { type: options.transport }),
      url: address,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    },
  };
}

const isOption = (word: string): boolean => /^--?[a-z]/i.test(word);

function readAddedJson(name: string | null, json: string | undefined): PastedServer | null {
  const parsed = parseJsonWithComments(json ?? "");
  const value: Json = parsed.ok ? parsed.value : null;
  if (!isJsonObject(value)) return null;
  const { name: own, ...server } = value;
  return { name: name ?? (typeof own === "string" ? own : null), server };
}

interface AddOptions {
  readonly env: JsonObject;
  readonly headers: readonly string[];
  readonly transport?: string | undefined;
  readonly url?: string | undefined;
  /** The name, and the command with its arguments or the address. */
  readonly rest: readonly string[];
}

function readOptions(words: readonly string[]): AddOptions {
  const env: string[] = [];
  const headers: string[] = [];
  const rest: string[] = [];
  let transport: string | undefined;
  let url: string | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const hasCommand = rest.length > 1 && !isAddress(rest[1] ?? "");
    if (word === "--" && !hasCommand) {
      rest.push(...words.slice(at + 1));
      break;
    }
    if (hasCommand || !isOption(word)) {
      rest.push(word);
      continue;
    }
    const [option, joined] = word.includes("=") ? splitAt(word, "=") : [word, undefined];
    const value = joined ?? words[(at += 1)] ?? "";
    if (option === "--transport" || option === "-t") transport = value;
    else if (option === "--url") url = value;
    else if (option === "--header" || option === "-H") headers.push(value);
    else if (option === "--env" || option === "-e") {
      env.push(value);
      // Several variables may follow one option.
      while (assignment.test(words[at + 1] ?? "")) env.push(words[(at += 1)] ?? "");
    }
  }
  return { env: readAssignments(env), headers, transport, url, rest };
}
