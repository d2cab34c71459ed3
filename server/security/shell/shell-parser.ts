/** Parses a command line with the bash grammar, fails closed (R17), and lists every command it would run (R18). */
import { limits } from "@/lib/settings/settings";
import { type BashParse, loadGrammar, type Node } from "./bash-grammar";
import type { CommandSegment, ParsedCommand, Redirect } from "./parsed-command";
import { optionCommands } from "./option-commands";
import { andChain, cdOrExit, isCdCommand } from "./shell-statements";
import { findTreeProblem } from "./tree-problems";
import { testedFiles, testWords } from "./bracket-words";
import { assignedNames, assignedValues, loopWords } from "./assigned-values";
import { literalWord, readWord, type Word, wordTypes } from "./shell-words";
import { type WrappedCommand, isShell, programName, wrappedCommands } from "./wrapped-commands";

/** Maximum parts of one command, including nested wrappers; a larger command is not classified. */
const commandMaxParts = 500;
/** Maximum total words of these parts. */
const commandMaxWords = 12_000;

/** Parses a command line. Never throws: a text or grammar that cannot be read results in `unreadable`. */
export async function readCommand(command: string): Promise<ParsedCommand> {
  if (command.length > limits.commandMaxChars) return { kind: "unreadable", command, why: "too_long", segments: [] };
  try {
    return parseCommand(command, await loadGrammar());
  } catch {
    return { kind: "unreadable", command, why: "no_grammar", segments: [] };
  }
}

interface ParseState {
  readonly grammar: BashParse;
  readonly depth: number;
  readonly segments: CommandSegment[];
  /** Shared by all depths, as is `segments`. */
  readonly count: { words: number };
  functions: boolean;
  problem: string | null;
}

const maxDepth = 8;

function parseCommand(command: string, grammar: BashParse): ParsedCommand {
  const reading: ParseState = { grammar, depth: 0, segments: [], count: { words: 0 }, functions: false, problem: null };
  readScript(command, reading, true);
  const { segments, functions, problem } = reading;
  if (problem !== null) return { kind: "unreadable", command, why: problem, segments };
  return { kind: "parsed", command, segments, functions };
}

function readScript(text: string, reading: ParseState, main: boolean): void {
  // Other blanks than these three separate words for the grammar, never for bash.
  if (/[^\P{Cc}\t\n]/u.test(text) || /\p{Surrogate}/u.test(text)) {
    reading.problem ??= "control_character";
    return;
  }
  const read = reading.grammar(text, (root) => {
    reading.problem ??= findTreeProblem(root, text);
    readStatements(root, reading, main);
    return true;
  });
  if (read === null) reading.problem ??= "too_slow";
}

/** A subshell with nothing after it ends the script: a `cd` in it affects only the rest of the subshell. */
function readStatements(parent: Node, reading: ParseState, main: boolean): void {
  const statements = parent.namedChildren;
  for (const [index, statement] of statements.entries()) {
    const isMain = main && statement.nextSibling?.type !== "&";
    const isLast = index === statements.length - 1;
    if (isMain && isLast && statement.type === "subshell" && !isLimitReached(reading))
      readStatements(statement, reading, true);
    else if (isMain) readStatement(statement, reading);
    else visitNode(statement, reading, false);
  }
}

/** Checks the limits: parts are judged word by word, and nested wrappers would take minutes without a limit. */
function isLimitReached(reading: ParseState): boolean {
  const full = reading.segments.length >= commandMaxParts || reading.count.words > commandMaxWords;
  if (full) reading.problem ??= "too_many";
  return full;
}

/** Reads a statement of the shell itself. In `cd a && b` the `cd` always runs; after anything else it may not. */
function readStatement(node: Node, reading: ParseState): void {
  // In `a && b >file` the redirect belongs to b in bash, and to the whole list in the grammar.
  const body = node.type === "redirected_statement" ? node.childForFieldName("body") : null;
  const listed = body === null ? [] : andChain(body);
  const last = listed.length > 1 ? listed.at(-1) : undefined;
  const chain = last === undefined ? andChain(node) : listed;
  for (const [index, part] of chain.entries()) {
    const main = chain.slice(0, index).every(isCdCommand);
    const entered = main && chain.length === 1 ? cdOrExit(part) : null;
    if (entered !== null) {
      visitNode(entered, reading, true);
      continue;
    }
    const text = node.text.slice(part.startIndex - node.startIndex);
    if (part !== last) visitNode(part, reading, main);
    else if (part.type === "command") readSimple(part, text, redirectsOf(node), reading, main);
    else readRedirected(part, text, redirectsOf(node), reading);
  }
}

const redirectsOf = (node: Node): readonly Node[] =>
  node.namedChildren.filter((child) => child.type.endsWith("_redirect"));

function visitNode(node: Node, reading: ParseState, main: boolean): void {
  if (isLimitReached(reading)) return;
  switch (node.type) {
    case "command":
      return readSimple(node, node.text, [], reading, main);
    case "redirected_statement":
      return readRedirected(node.childForFieldName("body"), node.text, redirectsOf(node), reading);
    case "command_substitution": {
      // `$(<file)` has no command.
      const redirects = redirectsOf(node).map((redirect) => readRedirect(redirect, reading));
      if (redirects.length > 0) addNodeSegment(reading, node, { redirects });
      break;
    }
    case "variable_assignment":
    case "variable_assignments":
      addNodeSegment(reading, node, {
        assignments: assignedNames(node),
        expandedWords: wordsOrProblem(assignedValues([node]), reading),
      });
      break;
    case "declaration_command":
    case "unset_command":
      addNodeSegment(reading, node, {
        words: [literalWord(node.text.split(/\s/, 1)[0] ?? "")],
        assignments: assignedNames(node),
        expandedWords: wordsOrProblem(assignedValues(node.namedChildren), reading),
      });
      break;
    case "for_statement":
      addNodeSegment(reading, node, {
        text: loopHead(node),
        special: true,
        assignments: ["for"],
        expandedWords: wordsOrProblem(loopWords(node), reading),
      });
      break;
    case "while_statement":
      // Each iteration would leave a background process.
      if (startsBackground(node)) addNodeSegment(reading, node, { text: loopHead(node), special: true });
      break;
    case "test_command":
      addNodeSegment(reading, node, { ...testCommandSegment(testWords(node)), expandedWords: testedFiles(node) });
      break;
    case "c_style_for_statement":
    case "arithmetic_expansion":
      addNodeSegment(reading, node, { special: true });
      break;
    case "compound_statement":
      if (node.text.startsWith("((")) addNodeSegment(reading, node, { special: true });
      break;
    case "function_definition":
      reading.functions = true;
      break;
    default:
      break;
  }
  for (const child of node.namedChildren) visitNode(child, reading, false);
}

const startsBackground = (node: Node): boolean =>
  node.children.some((child) => child.type === "&" || startsBackground(child));

/** Returns the loop without its body. */
function loopHead(node: Node): string {
  const body = node.childForFieldName("body");
  return body === null ? node.text : node.text.slice(0, body.startIndex - node.startIndex).replace(/[;\s]+$/, "");
}

function wordsOrProblem(words: readonly Word[] | null, reading: ParseState): readonly Word[] {
  if (words === null) reading.problem ??= "word";
  return words ?? [];
}

/** Visits commands inside words, assignments and redirects. */
function visitNodes(nodes: readonly Node[], reading: ParseState): void {
  for (const node of nodes) visitNode(node, reading, false);
}

const addNodeSegment = (reading: ParseState, node: Node, segment: Partial<CommandSegment>): void =>
  addSegment(reading, { text: node.text, ...segment });

function addSegment(reading: ParseState, segment: Partial<CommandSegment> & { readonly text: string }): void {
  reading.count.words += 1 + (segment.words?.length ?? 0);
  reading.segments.push({
    words: [],
    assignments: [],
    expandedWords: [],
    redirects: [],
    special: false,
    inMainShell: false,
    wrapper: "none",
    openEnded: false,
    unreadable: null,
    suspects: [],
    ...segment,
  });
}

function readRedirected(body: Node | null, text: string, redirects: readonly Node[], reading: ParseState): void {
  if (body?.type === "command") return readSimple(body, text, redirects, reading, false);
  addSegment(reading, {
    redirects: redirects.map((redirect) => readRedirect(redirect, reading)),
    text: redirects.map((redirect) => redirect.text).join(" "),
  });
  visitNodes([...(body === null ? [] : [body]), ...redirects], reading);
}

/** Reads a simple command. `text` includes the redirects around it, `outer`. */
function readSimple(node: Node, text: string, outer: readonly Node[], reading: ParseState, main: boolean): void {
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
  const values = wordsOrProblem(assignedValues(node.namedChildren), reading);
  addCommand(words, { text, assignments, expandedWords: values, redirects, inMainShell: main }, reading, scripts);
  const inside = node.namedChildren.flatMap((child) =>
    child.type === "variable_assignment" ? child.namedChildren : [child],
  );
  visitNodes([...inside, ...outer], reading);
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
  fields: Partial<CommandSegment> & { readonly text: string },
  reading: ParseState,
  scripts: readonly string[] = [],
): void {
  const first = words[0];
  const inners = [...wrappedCommands(words), ...optionCommands(words)];
  const name = first === undefined ? "" : programName(first);
  const dynamic = first !== undefined && (!first.literal || first.glob || first.text === "");
  if (first?.bare && keywords.has(first.text)) reading.problem ??= "keyword";
  const unreadable = dynamic
    ? "dynamic"
    : meaningChangers.has(name)
      ? "changes_meaning"
      : (inners.find((inner) => inner.unreadable !== null)?.unreadable ?? null);
  addSegment(reading, {
    words,
    wrapper: wrapperKind(words, inners),
    unreadable,
    suspects: inners.flatMap((inner) => inner.suspects),
    ...fields,
  });
  for (const inner of inners) addInner(inner, fields.text, reading);
  for (const script of scripts) addScript(script, reading);
}

/** Only the wrapper of exactly that name is harmless itself: `./timeout` is a program of the project. */
function wrapperKind(words: readonly Word[], inners: readonly WrappedCommand[]): CommandSegment["wrapper"] {
  if (inners.every((inner) => inner.words.length === 0 && inner.script === null)) return "none";
  const own = words[0]?.text.includes("/") === false && words[0].text === programName(words[0]);
  return own && inners.every((inner) => inner.transparent) ? "transparent" : "opaque";
}

function addInner(inner: WrappedCommand, text: string, reading: ParseState): void {
  if (inner.script !== null) addScript(inner.script, reading);
  if (inner.words.length === 0) return;
  if (isLimitReached(reading)) return;
  addCommand(inner.words, { text, openEnded: inner.openEnded }, reading);
}

/** Parses a text passed to a shell; if it cannot be read, the whole command is unreadable. */
function addScript(script: string, reading: ParseState): void {
  if (reading.depth >= maxDepth) {
    reading.problem ??= "too_deep";
    return;
  }
  const inner: ParseState = { ...reading, depth: reading.depth + 1 };
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

function readRedirect(node: Node, reading: ParseState): Redirect {
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
const testCommandSegment = (words: readonly Word[] | null): Partial<CommandSegment> =>
  words === null ? { special: true } : { words };
