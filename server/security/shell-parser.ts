/** Parses a command line with the bash grammar, fails closed (R17), and lists every command it would run (R18). */
import { limits } from "@/lib/settings";
import { type Grammar, loadGrammar, type Node } from "./bash-grammar";
import { carriedCommands } from "./carried-commands";
import { andChain, enteredOrLeft, movesFolder } from "./shell-statements";
import { distrust } from "./shell-trust";
import { testedFiles, testWords } from "./shell-test";
import { assignedNames, assignedValues, loopWords } from "./shell-values";
import { plainWord, readWord, type Word, wordTypes } from "./shell-words";
import { type Inner, isShell, programName, unwrap } from "./wrappers";

export type { Word } from "./shell-words";

export interface Redirect {
  /** `>`, `>>`, `<`, `&>`, `>&`, `<<`, `<<<` … */
  readonly operator: string;
  /** The number or `{name}` before the operator, if any. */
  readonly descriptor: string | null;
  /** The file or descriptor; null for a here-document and for `>&-`. */
  readonly target: Word | null;
}

/** One simple command in one command position. */
export interface Segment {
  /** As written in the command line, for the card. */
  readonly text: string;
  /** The program and its arguments; empty for a bare assignment, a bare redirect or a keyword with its own meaning. */
  readonly words: readonly Word[];
  /** Names set before the command, by `export`, or by a loop. */
  readonly assignments: readonly string[];
  /** Other words the shell expands: assigned values, words of a loop, files that `[[ ]]` tests. */
  readonly values: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** Does something a simple command does not: arithmetic, `[[ ]]`, a loop variable. */
  readonly special: boolean;
  /** Runs in the shell itself, always and in order: a `cd` here affects everything after it. */
  readonly main: boolean;
  /** Its other words form further segments; `transparent`: it has no effect of its own. */
  readonly wrapper: "none" | "transparent" | "opaque";
  /** Further words are added at run time. */
  readonly tail: boolean;
  /** Why it cannot be read; null when it can. */
  readonly unreadable: string | null;
  /** Words one of which may be the program, where the program cannot be read. */
  readonly suspects: readonly string[];
}

export type ParsedCommand =
  | {
      readonly kind: "parsed";
      readonly command: string;
      readonly segments: readonly Segment[];
      readonly functions: boolean;
    }
  /** `why` is an identifier for the log. `segments` holds those found, so that blocked words stay blocked. */
  | {
      readonly kind: "unreadable";
      readonly command: string;
      readonly why: string;
      readonly segments: readonly Segment[];
    };

/** Parses a command line. Never throws: a text or grammar that cannot be read results in `unreadable`. */
export async function readCommand(command: string): Promise<ParsedCommand> {
  if (command.length > limits.commandMaxChars) return { kind: "unreadable", command, why: "too_long", segments: [] };
  try {
    return parseCommand(command, await loadGrammar());
  } catch {
    return { kind: "unreadable", command, why: "no_grammar", segments: [] };
  }
}

interface Reading {
  readonly grammar: Grammar;
  readonly depth: number;
  readonly segments: Segment[];
  /** Shared by all depths, as is `segments`. */
  readonly count: { words: number };
  functions: boolean;
  problem: string | null;
}

const maxDepth = 8;

function parseCommand(command: string, grammar: Grammar): ParsedCommand {
  const reading: Reading = { grammar, depth: 0, segments: [], count: { words: 0 }, functions: false, problem: null };
  readScript(command, reading, true);
  const { segments, functions, problem } = reading;
  if (problem !== null) return { kind: "unreadable", command, why: problem, segments };
  return { kind: "parsed", command, segments, functions };
}

function readScript(text: string, reading: Reading, main: boolean): void {
  // Other blanks than these three separate words for the grammar, never for bash.
  if (/[^\P{Cc}\t\n]/u.test(text) || /\p{Surrogate}/u.test(text)) {
    reading.problem ??= "control_character";
    return;
  }
  const read = reading.grammar(text, (root) => {
    reading.problem ??= distrust(root, text);
    readStatements(root, reading, main);
    return true;
  });
  if (read === null) reading.problem ??= "too_slow";
}

/** A subshell with nothing after it ends the script: a `cd` in it affects only the rest of the subshell. */
function readStatements(parent: Node, reading: Reading, main: boolean): void {
  const statements = parent.namedChildren;
  for (const [index, statement] of statements.entries()) {
    const isMain = main && statement.nextSibling?.type !== "&";
    const isLast = index === statements.length - 1;
    if (isMain && isLast && statement.type === "subshell" && !isFull(reading)) readStatements(statement, reading, true);
    else if (isMain) readStatement(statement, reading);
    else visit(statement, reading, false);
  }
}

/** Checks the limits: parts are judged word by word, and nested wrappers would take minutes without a limit. */
function isFull(reading: Reading): boolean {
  const full = reading.segments.length >= limits.commandMaxParts || reading.count.words > limits.commandMaxWords;
  if (full) reading.problem ??= "too_many";
  return full;
}

/** Reads a statement of the shell itself. In `cd a && b` the `cd` always runs; after anything else it may not. */
function readStatement(node: Node, reading: Reading): void {
  // In `a && b >file` the redirect belongs to b in bash, and to the whole list in the grammar.
  const body = node.type === "redirected_statement" ? node.childForFieldName("body") : null;
  const listed = body === null ? [] : andChain(body);
  const last = listed.length > 1 ? listed.at(-1) : undefined;
  const chain = last === undefined ? andChain(node) : listed;
  for (const [index, part] of chain.entries()) {
    const main = chain.slice(0, index).every(movesFolder);
    const entered = main && chain.length === 1 ? enteredOrLeft(part) : null;
    if (entered !== null) {
      visit(entered, reading, true);
      continue;
    }
    const text = node.text.slice(part.startIndex - node.startIndex);
    if (part !== last) visit(part, reading, main);
    else if (part.type === "command") readSimple(part, text, redirectsOf(node), reading, main);
    else readRedirected(part, text, redirectsOf(node), reading);
  }
}

const redirectsOf = (node: Node): readonly Node[] =>
  node.namedChildren.filter((child) => child.type.endsWith("_redirect"));

function visit(node: Node, reading: Reading, main: boolean): void {
  if (isFull(reading)) return;
  switch (node.type) {
    case "command":
      return readSimple(node, node.text, [], reading, main);
    case "redirected_statement":
      return readRedirected(node.childForFieldName("body"), node.text, redirectsOf(node), reading);
    case "command_substitution": {
      // `$(<file)` has no command.
      const redirects = redirectsOf(node).map((redirect) => readRedirect(redirect, reading));
      if (redirects.length > 0) push(reading, node, { redirects });
      break;
    }
    case "variable_assignment":
    case "variable_assignments":
      push(reading, node, { assignments: assignedNames(node), values: known(assignedValues([node]), reading) });
      break;
    case "declaration_command":
    case "unset_command":
      push(reading, node, {
        words: [plainWord(node.text.split(/\s/, 1)[0] ?? "")],
        assignments: assignedNames(node),
        values: known(assignedValues(node.namedChildren), reading),
      });
      break;
    case "for_statement":
      push(reading, node, {
        text: headOf(node),
        special: true,
        assignments: ["for"],
        values: known(loopWords(node), reading),
      });
      break;
    case "while_statement":
      // Each iteration would leave a background process.
      if (startsBackground(node)) push(reading, node, { text: headOf(node), special: true });
      break;
    case "test_command":
      push(reading, node, { ...testSegment(testWords(node)), values: testedFiles(node) });
      break;
    case "c_style_for_statement":
    case "arithmetic_expansion":
      push(reading, node, { special: true });
      break;
    case "compound_statement":
      if (node.text.startsWith("((")) push(reading, node, { special: true });
      break;
    case "function_definition":
      reading.functions = true;
      break;
    default:
      break;
  }
  for (const child of node.namedChildren) visit(child, reading, false);
}

const startsBackground = (node: Node): boolean =>
  node.children.some((child) => child.type === "&" || startsBackground(child));

/** Returns the loop without its body. */
function headOf(node: Node): string {
  const body = node.childForFieldName("body");
  return body === null ? node.text : node.text.slice(0, body.startIndex - node.startIndex).replace(/[;\s]+$/, "");
}

function known(words: readonly Word[] | null, reading: Reading): readonly Word[] {
  if (words === null) reading.problem ??= "word";
  return words ?? [];
}

/** Visits commands inside words, assignments and redirects. */
function visitInside(nodes: readonly Node[], reading: Reading): void {
  for (const node of nodes) visit(node, reading, false);
}

const push = (reading: Reading, node: Node, segment: Partial<Segment>): void =>
  pushSegment(reading, { text: node.text, ...segment });

function pushSegment(reading: Reading, segment: Partial<Segment> & { readonly text: string }): void {
  reading.count.words += 1 + (segment.words?.length ?? 0);
  reading.segments.push({
    words: [],
    assignments: [],
    values: [],
    redirects: [],
    special: false,
    main: false,
    wrapper: "none",
    tail: false,
    unreadable: null,
    suspects: [],
    ...segment,
  });
}

function readRedirected(body: Node | null, text: string, redirects: readonly Node[], reading: Reading): void {
  if (body?.type === "command") return readSimple(body, text, redirects, reading, false);
  pushSegment(reading, {
    redirects: redirects.map((redirect) => readRedirect(redirect, reading)),
    text: redirects.map((redirect) => redirect.text).join(" "),
  });
  visitInside([...(body === null ? [] : [body]), ...redirects], reading);
}

/** Reads a simple command. `text` includes the redirects around it, `outer`. */
function readSimple(node: Node, text: string, outer: readonly Node[], reading: Reading, main: boolean): void {
  const words: Word[] = [];
  const assignments: string[] = [];
  const redirects: Redirect[] = [];
  for (const child of [...node.children, ...outer]) {
    if (child.type.endsWith("_redirect")) {
      redirects.push(readRedirect(child, reading));
    } else if (child.type === "variable_assignment") {
      assignments.push(...assignedNames(child));
    } else if (child.type === "command_name" || wordTypes.has(child.type)) {
      const word = readWord(child);
      if (word === null) reading.problem ??= "word";
      else words.push(word);
    } else {
      reading.problem ??= child.type;
    }
  }
  const scripts = stdinScripts(words, [...node.children, ...outer]);
  const values = known(assignedValues(node.namedChildren), reading);
  addCommand(words, { text, assignments, values, redirects, main }, reading, scripts);
  const inside = node.namedChildren.flatMap((child) =>
    child.type === "variable_assignment" ? child.namedChildren : [child],
  );
  visitInside([...inside, ...outer], reading);
}

const keywords: ReadonlySet<string> = new Set([
  "if",
  "then",
  "elif",
  "else",
  "fi",
  "for",
  "while",
  "until",
  "do",
  "done",
  "case",
  "esac",
  "select",
  "in",
  "function",
  "{",
  "}",
  "!",
  "[[",
  "]]",
  "coproc",
]);

/** Programs that change the meaning of later words, or run a file in this shell. */
const meaningChangers: ReadonlySet<string> = new Set([
  "alias",
  "unalias",
  "source",
  ".",
  "enable",
  "hash",
  "shopt",
  "bind",
  "complete",
  "fc",
  "history",
]);

function addCommand(
  words: readonly Word[],
  known: Partial<Segment> & { readonly text: string },
  reading: Reading,
  scripts: readonly string[] = [],
): void {
  const first = words[0];
  const inners = [...unwrap(words), ...carriedCommands(words)];
  const name = first === undefined ? "" : programName(first);
  const dynamic = first !== undefined && (!first.literal || first.glob || first.text === "");
  if (first?.bare && keywords.has(first.text)) reading.problem ??= "keyword";
  const unreadable = dynamic
    ? "dynamic"
    : meaningChangers.has(name)
      ? "changes_meaning"
      : (inners.find((inner) => inner.unreadable !== null)?.unreadable ?? null);
  pushSegment(reading, {
    words,
    wrapper: wrapperKind(words, inners),
    unreadable,
    suspects: inners.flatMap((inner) => inner.suspects),
    ...known,
  });
  for (const inner of inners) addInner(inner, known.text, reading);
  for (const script of scripts) addScript(script, reading);
}

/** Only the wrapper of exactly that name is harmless itself: `./timeout` is a program of the project. */
function wrapperKind(words: readonly Word[], inners: readonly Inner[]): Segment["wrapper"] {
  if (inners.every((inner) => inner.words.length === 0 && inner.script === null)) return "none";
  const own = words[0]?.text.includes("/") === false && words[0].text === programName(words[0]);
  return own && inners.every((inner) => inner.transparent) ? "transparent" : "opaque";
}

function addInner(inner: Inner, text: string, reading: Reading): void {
  if (inner.script !== null) addScript(inner.script, reading);
  if (inner.words.length === 0) return;
  if (isFull(reading)) return;
  addCommand(inner.words, { text, tail: inner.tail }, reading);
}

/** Parses a text passed to a shell; if it cannot be read, the whole command is unreadable. */
function addScript(script: string, reading: Reading): void {
  if (reading.depth >= maxDepth) {
    reading.problem ??= "too_deep";
    return;
  }
  const inner: Reading = { ...reading, depth: reading.depth + 1 };
  readScript(script, inner, false);
  reading.functions ||= inner.functions;
  reading.problem ??= inner.problem;
}

/** Returns the scripts that a shell without a script file reads from here-documents and here-strings. */
function stdinScripts(words: readonly Word[], nodes: readonly Node[]): readonly string[] {
  const first = words[0];
  if (first === undefined || !isShell(programName(first))) return [];
  return nodes.flatMap((node) => {
    if (node.type === "heredoc_redirect")
      return node.namedChildren.filter((child) => child.type === "heredoc_body").map((body) => body.text);
    if (node.type !== "herestring_redirect") return [];
    const word = node.namedChildren[0] === undefined ? null : readWord(node.namedChildren[0]);
    return word?.literal ? [word.text] : [];
  });
}

function readRedirect(node: Node, reading: Reading): Redirect {
  const descriptor = node.childForFieldName("descriptor")?.text ?? null;
  const operator = node.children.find((child) => !child.isNamed)?.type ?? "";
  if (node.type !== "file_redirect") return { operator, descriptor, target: null };
  const targets = node.namedChildren.filter((child) => child.type !== "file_descriptor");
  const target = targets[0] === undefined ? null : readWord(targets[0]);
  // `> a b`: the grammar takes b into the redirect, bash does not.
  if (targets.length > 1 || (targets.length === 1 && target === null)) reading.problem ??= "redirect";
  return { operator, descriptor, target };
}

/** `[ … ]` is test with words; `[[ … ]]`, and anything that does not read as plain words, stays special. */
const testSegment = (words: readonly Word[] | null): Partial<Segment> =>
  words === null ? { special: true } : { words };
