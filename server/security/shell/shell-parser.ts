/** Parses a command line with the bash grammar, fails closed, and lists every command it would run. */
import { limits } from "@/lib/settings/settings";
import { type BashParse, loadGrammar, type Node } from "./bash-grammar";
import { nodeKind } from "./node-kinds";
import { type CommandSegment, emptySegment, type ParsedCommand } from "./parsed-command";
import { optionCommands } from "./option-commands";
import { andChain, caseParts, cdOrExit, isCdCommand, loopHead, startsBackground } from "./shell-statements";
import { findTreeProblem } from "./tree-problems";
import { testCommandSegment, testedFiles, testWords } from "./bracket-words";
import {
  assignedNames,
  assignedValues,
  assignedWords,
  declarationWords,
  expandedPart,
  loopWords,
  readSimpleWords,
} from "./assigned-values";
import {
  assignedNumbers,
  namesInExpression,
  namesInSubscript,
  namesInTest,
  numericNames,
  unreadName,
} from "./calculated-names";
import { expandsPlainly, inputOf, isPipedText, readRedirect, redirectsOf, stdinScripts } from "./redirect-nodes";
import type { Word } from "./shell-words";
import {
  isLaterProgram,
  lacksCommand,
  type WrappedCommand,
  programName,
  isSourcedScript,
  wrappedCommands,
  wrapperKind,
} from "./wrapped-commands";
import { keywords, meaningChangers } from "./wrapper-table";

/** Maximum parts of one command, including nested wrappers; a larger command is not classified. */
const commandMaxParts = 500;
/** Maximum total words of these parts. */
const commandMaxWords = 12_000;

/** Parses a command line. Never throws: a text or grammar that cannot be read results in `unreadable`. */
export async function readCommand(command: string): Promise<ParsedCommand> {
  if (command.length > limits.commandMaxChars) return { kind: "unreadable", command, why: "too_long", segments: [] };
  try {
    return parseCommand(command, (await loadGrammar())());
  } catch {
    return { kind: "unreadable", command, why: "no_grammar", segments: [] };
  }
}

/** Findings so far; shared by all depths. */
interface Findings {
  readonly segments: CommandSegment[];
  words: number;
  /** The number of the current statement of the shell itself. */
  statement: number;
  functions: boolean;
  problem: string | null;
  /** The variables it sets, and whether to numbers each time. */
  readonly numbers: Map<string, boolean>;
}

interface ParseState {
  readonly grammar: BashParse;
  readonly depth: number;
  /** The standard input of everything here. */
  readonly input: CommandSegment["input"];
  readonly found: Findings;
}

const maxDepth = 8;

function parseCommand(command: string, grammar: BashParse): ParsedCommand {
  const found: Findings = { segments: [], words: 0, statement: 0, functions: false, problem: null, numbers: new Map() };
  readScript(command, { grammar, depth: 0, input: "none", found }, true);
  const { segments, functions, problem } = found;
  if (problem !== null) return { kind: "unreadable", command, why: problem, segments };
  return { kind: "parsed", command, segments, functions, numbers: numericNames(found.numbers) };
}

function readScript(text: string, reading: ParseState, main: boolean): void {
  const { found } = reading;
  // Other blanks than these three separate words for the grammar, never for bash.
  if (/[^\P{Cc}\t\n]/u.test(text) || /\p{Surrogate}/u.test(text)) {
    found.problem ??= "control_character";
    return;
  }
  const read = reading.grammar(text, (root) => {
    found.problem ??= findTreeProblem(root, text);
    assignedNumbers(root, found.numbers);
    readStatements(root, reading, main);
    return true;
  });
  if (read === null) found.problem ??= "too_complex";
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
  const full = reading.found.segments.length >= commandMaxParts || reading.found.words > commandMaxWords;
  if (full) reading.found.problem ??= "too_many";
  return full;
}

/** Reads a statement of the shell itself. In `cd a && b` the `cd` always runs; after anything else it may not. */
function readStatement(node: Node, reading: ParseState): void {
  reading.found.statement += 1;
  // In `a && b >file` the redirect belongs to b in bash, and to the whole list in the grammar.
  const body = node.type === "redirected_statement" ? node.childForFieldName("body") : null;
  const listed = body === null ? [] : andChain(body);
  const last = listed.length > 1 ? listed.at(-1) : undefined;
  const chain = last === undefined ? andChain(node) : listed;
  for (const [index, part] of chain.entries()) {
    const main = chain.slice(0, index).every(isCdCommand);
    const entered = main && chain.length === 1 ? cdOrExit(part) : null;
    if (entered !== null) {
      readSimple(entered, entered.text, [], reading, { inMainShell: true, exitsOnFailure: true });
      continue;
    }
    const text = node.text.slice(part.startIndex - node.startIndex);
    if (part !== last) visitNode(part, reading, main);
    else if (part.type === "command") readSimple(part, text, redirectsOf(node), reading, { inMainShell: main });
    else readRedirected(part, text, redirectsOf(node), reading);
  }
}

/** Reads a statement. A node that is none is judged by nothing: the command is then unreadable. */
function visitNode(node: Node, reading: ParseState, main: boolean): void {
  if (isLimitReached(reading)) return;
  switch (node.type) {
    case "command":
      return readSimple(node, node.text, [], reading, { inMainShell: main });
    case "redirected_statement":
      return readRedirected(node.childForFieldName("body"), node.text, redirectsOf(node), reading);
    case "pipeline":
      return visitPipeline(node, reading);
    case "variable_assignment":
    case "variable_assignments":
      addNodeSegment(reading, node, {
        assignments: assignedNames(node),
        assigned: assignedWords([node]),
        calculates: namesInSubscript(node),
        expandedWords: wordsOrProblem(assignedValues([node]), reading),
      });
      break;
    case "declaration_command":
    case "unset_command":
      addNodeSegment(reading, node, {
        words: wordsOrProblem(declarationWords(node), reading),
        assignments: assignedNames(node),
        assigned: assignedWords(node.namedChildren),
        expandedWords: wordsOrProblem(assignedValues(node.namedChildren), reading),
      });
      break;
    case "for_statement":
      addNodeSegment(reading, node, {
        text: loopHead(node),
        special: true,
        assignments: [node.childForFieldName("variable")?.text ?? ""],
        expandedWords: wordsOrProblem(loopWords(node), reading),
      });
      break;
    case "case_statement":
      return readCase(node, reading);
    case "while_statement":
      // Each iteration would leave a background process.
      if (startsBackground(node)) addNodeSegment(reading, node, { text: loopHead(node), special: true });
      break;
    case "test_command":
      addNodeSegment(reading, node, {
        ...testCommandSegment(testWords(node)),
        expandedWords: testedFiles(node),
        calculates: node.text.startsWith("[[") ? namesInTest(node) : [],
      });
      break;
    case "c_style_for_statement":
      addNodeSegment(reading, node, {
        text: loopHead(node),
        special: true,
        calculates: ["initializer", "condition", "update"].flatMap((field) =>
          node.childrenForFieldName(field).flatMap((part) => (part === null ? [] : namesInExpression(part))),
        ),
      });
      break;
    case "compound_statement":
      if (node.text.startsWith("((")) {
        addNodeSegment(reading, node, { special: true, calculates: node.namedChildren.flatMap(namesInExpression) });
        return visitParts(node.namedChildren, reading);
      }
      break;
    case "function_definition":
      return readFunction(node, reading);
    default:
      if (nodeKind(node.type) !== "group" && nodeKind(node.type) !== "comment") reading.found.problem ??= node.type;
      break;
  }
  // The words of these statements are judged above; what is left are the statements inside them.
  if (nodeKind(node.type) === "statement") visitParts(node.namedChildren, reading);
  else visitNodes(node.namedChildren, reading);
}

/** Visits the statements inside words and expressions that their statement has judged. */
function visitParts(nodes: readonly Node[], reading: ParseState): void {
  for (const node of nodes) {
    if (isLimitReached(reading)) return;
    if (nodeKind(node.type) !== "part") visitNode(node, reading, false);
    else if (node.type === "command_substitution") readSubstitution(node, reading);
    else if (node.type === "process_substitution")
      visitNodes(node.namedChildren, node.text.startsWith(">") ? { ...reading, input: "text" } : reading);
    else {
      const expanded = expandedPart(node);
      if (expanded !== null) addNodeSegment(reading, node, expanded);
      visitParts(node.namedChildren, reading);
    }
  }
}

function readSubstitution(node: Node, reading: ParseState): void {
  // In a here-document the grammar reads `$((…))` as a command.
  if (node.text.startsWith("$((")) addNodeSegment(reading, node, { special: true, calculates: [unreadName] });
  // `$(<file)` has no command.
  const redirects = redirectsOf(node);
  if (redirects.length > 0) readRedirected(null, node.text, redirects, reading);
  visitNodes(
    node.namedChildren.filter((child) => !redirects.includes(child)),
    reading,
  );
}

function visitPipeline(node: Node, reading: ParseState): void {
  for (const [index, child] of node.namedChildren.entries())
    visitNode(child, index === 0 ? reading : { ...reading, input: "text" }, false);
}

/** Reads `case word in pattern) …`: bash expands the word and every pattern. */
function readCase(node: Node, reading: ParseState): void {
  const { items, values, isValue } = caseParts(node);
  const end = items[0]?.startIndex ?? node.endIndex;
  addNodeSegment(reading, node, {
    text: node.text.slice(0, end - node.startIndex).trimEnd(),
    special: !values.every(expandsPlainly),
  });
  visitParts(values, reading);
  for (const parent of [node, ...items])
    visitNodes(
      parent.namedChildren.filter((child) => child.type !== "case_item" && !isValue(child, parent)),
      reading,
    );
}

/** Reads a function: it may be called with any input, and its redirects apply to each call. */
function readFunction(node: Node, reading: ParseState): void {
  reading.found.functions = true;
  const body = node.childForFieldName("body");
  const inner: ParseState = { ...reading, input: "shared" };
  const redirects = redirectsOf(node);
  if (redirects.length > 0) readRedirected(body, node.text, redirects, inner);
  else if (body !== null) visitNode(body, inner, false);
}

function wordsOrProblem(words: readonly Word[] | null, reading: ParseState): readonly Word[] {
  if (words === null) reading.found.problem ??= "word";
  return words ?? [];
}

function visitNodes(nodes: readonly Node[], reading: ParseState): void {
  for (const node of nodes) visitNode(node, reading, false);
}

const addNodeSegment = (reading: ParseState, node: Node, segment: Partial<CommandSegment>): void =>
  addSegment(reading, { text: node.text, ...segment });

function addSegment(reading: ParseState, segment: Partial<CommandSegment> & { readonly text: string }): void {
  reading.found.words += 1 + (segment.words?.length ?? 0);
  const { statement } = reading.found;
  reading.found.segments.push({ ...emptySegment, statement, input: reading.input, ...segment });
}

function readRedirected(body: Node | null, text: string, redirects: readonly Node[], reading: ParseState): void {
  if (body?.type === "command") return readSimple(body, text, redirects, reading, {});
  addSegment(reading, {
    ...readRedirects(redirects, reading),
    text: redirects.map((redirect) => redirect.text).join(" "),
  });
  const inner = { ...reading, input: inputOf(redirects) ?? reading.input };
  if (body !== null) visitNode(body, { ...inner, input: inner.input === "text" ? "shared" : inner.input }, false);
  visitRedirects(redirects, reading);
}

function readRedirects(nodes: readonly Node[], reading: ParseState): Pick<CommandSegment, "redirects" | "special"> {
  const read = nodes.map(readRedirect);
  if (read.includes(null)) reading.found.problem ??= "redirect";
  return { redirects: read.filter((redirect) => redirect !== null), special: !nodes.every(expandsPlainly) };
}

/** Visits the statements inside redirects: substitutions, and what follows `<<EOF` on its line. */
function visitRedirects(nodes: readonly Node[], reading: ParseState): void {
  for (const child of nodes.flatMap((node) => node.namedChildren)) {
    if (child.type === "pipeline")
      visitNode(child, isPipedText(child) ? { ...reading, input: "text" } : reading, false);
    else if (!child.type.endsWith("_redirect")) visitParts([child], reading);
  }
}

type SimpleOptions = Partial<Pick<CommandSegment, "inMainShell" | "exitsOnFailure">>;

/** Reads a simple command. `text` includes the redirects around it, `outer`. */
function readSimple(
  node: Node,
  text: string,
  outer: readonly Node[],
  reading: ParseState,
  options: SimpleOptions,
): void {
  const { words, assignments, problem } = readSimpleWords(node);
  reading.found.problem ??= problem;
  const redirects = [...redirectsOf(node), ...outer];
  const inner = { ...reading, input: inputOf(redirects) ?? reading.input };
  const expandedWords = wordsOrProblem(assignedValues(node.namedChildren), reading);
  const calculates = node.namedChildren.flatMap((child) =>
    child.type === "variable_assignment" ? namesInSubscript(child) : [],
  );
  const assigned = assignedWords(node.namedChildren);
  const fields = {
    text,
    assignments,
    assigned,
    calculates,
    expandedWords,
    ...readRedirects(redirects, reading),
    ...options,
  };
  addCommand(words, fields, inner, stdinScripts(words, redirects));
  const parts = node.namedChildren.filter((child) => !child.type.endsWith("_redirect"));
  visitParts(
    parts.flatMap((child) => (child.type === "variable_assignment" ? child.namedChildren : [child])),
    reading,
  );
  visitRedirects(redirects, reading);
}

function addCommand(
  words: readonly Word[],
  fields: Partial<CommandSegment> & { readonly text: string },
  reading: ParseState,
  scripts: readonly string[] = [],
): void {
  const first = words[0];
  const inners = [...wrappedCommands(words), ...optionCommands(words)];
  const name = first === undefined ? "" : programName(first);
  const dynamic =
    first !== undefined && (!first.literal || first.glob || isLaterProgram(first, fields.openEnded === true));
  // The words added at run time are then the command.
  const isOpen = fields.openEnded === true && lacksCommand(words, inners);
  if (first?.bare && keywords.has(first.text)) reading.found.problem ??= "keyword";
  const unreadable =
    dynamic || isOpen
      ? "dynamic"
      : meaningChangers.has(name) && !isSourcedScript(words)
        ? "changes_meaning"
        : (inners.find((inner) => inner.unreadable !== null)?.unreadable ?? null);
  addSegment(reading, {
    words,
    wrapper: wrapperKind(words, inners),
    unreadable,
    suspects: inners.flatMap((inner) => inner.suspects),
    ...fields,
  });
  for (const inner of inners) addInner(inner, fields.text, fields.openEnded === true, reading);
  for (const script of scripts) addScript(script, reading);
}

function addInner(inner: WrappedCommand, text: string, openEnded: boolean, reading: ParseState): void {
  if (inner.script !== null) addScript(inner.script, reading);
  if (inner.words.length === 0 || isLimitReached(reading)) return;
  addCommand(inner.words, { text, openEnded: inner.openEnded || openEnded }, reading);
}

/** Parses a text passed to a shell; if it cannot be read, the whole command is unreadable. */
function addScript(script: string, reading: ParseState): void {
  if (reading.depth < maxDepth) readScript(script, { ...reading, depth: reading.depth + 1 }, false);
  else reading.found.problem ??= "too_deep";
}
