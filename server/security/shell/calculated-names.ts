/**
 * Finds what bash evaluates as arithmetic, or expands twice: the text of a variable there may contain a subscript with
 * a command in it. Numbers are harmless, and so are variables that the command itself sets to numbers.
 */
import type { Node } from "./bash-grammar";

/** Replaces the name where an expression cannot be read. */
export const unreadName = "";

/** Variables that bash sets to a number, unless the command sets them. A parameter such as `$1` is any text. */
const numericSpecials = "? # $ ! RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS PPID UID EUID BASHPID".split(" ");

/** Returns the names whose values an arithmetic expression evaluates. */
export function namesInExpression(node: Node): readonly string[] {
  switch (node.type) {
    case "number":
    case "test_operator":
    case "special_variable_name":
      return [];
    case "command_substitution":
      return isNumber(node) ? [] : [unreadName];
    case "word":
    case "variable_name":
      return /^\d+$/.test(node.text) ? [] : [/^[A-Za-z_]\w*$/.test(node.text) ? node.text : unreadName];
    case "simple_expansion":
      return [node.text.trimStart().slice(1)];
    case "expansion":
      return /^\s*\$\{#\w+(?:\[[@*]\])?\}$/.test(node.text)
        ? []
        : [/^\s*\$\{([A-Za-z_]\w*)\}$/.exec(node.text)?.[1] ?? unreadName];
    case "string":
    case "arithmetic_expansion":
    case "unary_expression":
    case "binary_expression":
    case "parenthesized_expression":
    case "postfix_expression":
    case "ternary_expression":
    case "subscript":
    case "variable_assignment":
      return node.namedChildren.flatMap(namesInExpression);
    default:
      return [unreadName];
  }
}

/** The forms of `${…}` that only put in, cut or replace text. */
const textExpansion =
  /^\$\{#?\w+(?:\[(?:[@*]|-?\d+)\])?(?:[#%]{1,2}[\s\S]*|\/{1,2}[\s\S]*|\^{1,2}[\s\S]*|,{1,2}[\s\S]*|:?[-+?][\s\S]*|@[QUuLEaKkA])?\}$/;
const keyExpansion = /^\$\{!\w+(?:\[[@*]\]|[@*])\}$/;
const assignedDefault = /^\$\{([A-Za-z_]\w*):?=/;

/** Returns the names that `${…}` evaluates; empty for the forms that handle text only, and for every other node. */
export function namesInExpansion(node: Node): readonly string[] {
  if (node.type !== "expansion") return [];
  // In a string the grammar takes blanks before an expansion into it.
  const text = node.text.trimStart();
  if (/^\$\{[?#$!*@-]\}$/.test(text) || keyExpansion.test(text)) return [];
  // `${x:1:2}` and `${x: -1}`, but not `${x:-1}`.
  const offsets = /^\$\{(\w+(?:\[[@*]\])?):(?![-+=?])([^{}]*)\}$/.exec(text)?.[2];
  if (offsets !== undefined) return namesInText(offsets.replaceAll(":", " "));
  const subscript = /^\$\{#?\w+\[(\$?[A-Za-z_]\w*)\]\}$/.exec(text)?.[1];
  if (subscript !== undefined) return [subscript.replace("$", "")];
  const assigned = assignedDefault.exec(text)?.[1];
  if (assigned !== undefined) return isControlling(assigned) ? [unreadName] : [];
  return textExpansion.test(text) ? [] : [unreadName];
}

/** Returns the names in an expression that is given as text. */
export function namesInText(text: string): readonly string[] {
  if (!/^[\w\s+\-*/%=<>!&|^~()?:,$]*$/.test(text) || text.includes("$(")) return [unreadName];
  return text.match(/[A-Za-z_]\w*/g) ?? [];
}

/** Returns the names that `[[ … ]]` evaluates: operands of `-eq` and its kind, of `-v` and `-R`. */
export function namesInTest(node: Node): readonly string[] {
  const { children } = node;
  const at = children.findIndex((child) => /^-(?:eq|ne|lt|le|gt|ge)$/.test(child.text));
  if (at > 0) return children.flatMap((child, index) => (index === at ? [] : namesInExpression(child)));
  if (/^-[vR]$/.test(children[0]?.text ?? "") && children.length > 1)
    return children.slice(1).every((child) => /^\w+$/.test(child.text)) ? [] : [unreadName];
  return children.flatMap((child) => (child.type.endsWith("_expression") ? namesInTest(child) : []));
}

/** A single command, or the last one of a pipeline, whose whole output is one number: of named files wc prints the names too. */
const countingCommand =
  /^\$\((?:(?:[^;&|\n'"\\]|'[^']*'|"[^"]*"|\\.)*\|)*\s*(?:wc\s+-[clmw](?:\s*<\s*[\w./-]+)?|grep\s+-[Ei]*c[Ei]*(?:\s+(?:[\w./-]+|'[^']*'|"[^"$`]*")){1,2}|date\s+\+%s(?:%N)?|nproc|id\s+-u)\s*\)$/;

/** Returns whether a value is a number, whatever the variables are. */
function isNumber(value: Node | null): boolean {
  if (value === null) return false;
  const text = value.type === "string" ? value.text.slice(1, -1) : value.text;
  return (
    value.type === "arithmetic_expansion" || /^-?\d+$/.test(text) || /^\$[#?]$/.test(text) || countingCommand.test(text)
  );
}

/** Returns the variables that the statements below a node set, and whether to numbers each time. */
export function assignedNumbers(root: Node, numbers: Map<string, boolean>): void {
  const note = (name: string, isNumeric: boolean): void => {
    numbers.set(name, isNumeric && numbers.get(name) !== false);
  };
  const visit = (node: Node): void => {
    if (node.type === "variable_assignment") {
      const name = (node.childForFieldName("name")?.text ?? unreadName).replace(/\[.*$/s, "");
      const isCounter = node.parent?.type === "c_style_for_statement";
      note(name, isNumber(node.childForFieldName("value")) || isCounter);
    } else if (node.type === "for_statement") {
      const values = node.childrenForFieldName("value");
      const isRange = (value: Node | null): boolean =>
        isNumber(value) || /^(?:\{\d+\.\.\d+(?:\.\.\d+)?\}|\$\(seq [\d\s]+\))$/.test(value?.text ?? "");
      note(node.childForFieldName("variable")?.text ?? unreadName, values.length > 0 && values.every(isRange));
    } else if (
      node.type === "command" &&
      /^(?:read|mapfile|readarray|printf|getopts)$/.test(node.childForFieldName("name")?.text ?? "")
    ) {
      for (const argument of node.childrenForFieldName("argument")) note(argument?.text ?? unreadName, false);
    } else if (
      node.type === "binary_expression" &&
      /^[-+*/%&|^]?=$/.test(node.childForFieldName("operator")?.text ?? "")
    ) {
      // The result of an assignment in an expression is a number; what it evaluates is judged where it is.
      note(node.childForFieldName("left")?.text ?? unreadName, true);
    } else if (node.type === "expansion") {
      const defaulted = assignedDefault.exec(node.text.trimStart())?.[1];
      if (defaulted !== undefined) note(defaulted, false);
    }
    for (const child of node.namedChildren) visit(child);
  };
  visit(root);
}

/** Returns the variables whose values are numbers, given those that the command sets and whether to numbers each time. */
export const numericNames = (set: ReadonlyMap<string, boolean>): ReadonlySet<string> =>
  new Set([
    ...numericSpecials.filter((name) => set.get(name) !== false),
    ...[...set].flatMap(([name, isNumeric]) => (isNumeric ? [name] : [])),
  ]);

/** Variables that change how a shell or a program behaves, or which programs it starts. */
const controllingNames =
  /^(?:ENV|BASH_\w*|BASHOPTS|SHELLOPTS|SHELL|CDPATH|IFS|PS\d|PROMPT_COMMAND|FIGNORE|GLOBIGNORE|HISTFILE|LD_\w+|DYLD_\w+|GIT_\w+|SSH_ASKPASS|SUDO_ASKPASS|NODE_OPTIONS|NODE_PATH|NODE_REPL_\w+|PYTHON\w+|PERL5?\w*|RUBY\w+|GEM_\w+|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|LESS\w*|MORE|PAGER|\w+_PAGER|MANPAGER|MANOPT|EDITOR|VISUAL|\w+_EDITOR|BROWSER|RIPGREP_CONFIG_PATH|MAKEFLAGS|MFLAGS|GNUMAKEFLAGS|MAKEFILES|npm_config_\w+|NPM_CONFIG_\w+|\w+_WRAPPER|\w+_LAUNCHER|\w*COMMAND|TAR_OPTIONS|GREP_OPTIONS|GCC_EXEC_PREFIX|COMPILER_PATH|AWKPATH|AWKLIBPATH|TERMINFO|RSYNC_RSH|CVS_RSH|GOFLAGS|LUA_\w+|PHPRC|PHP_INI_SCAN_DIR|R_\w+|XDG_CONFIG_\w+|HOME|INPUTRC|ZDOTDIR|VIMINIT|EXINIT|OPTIND|RANDOM|SRANDOM|SECONDS|\w+_OPTIONS)$/;

export const isControlling = (name: string): boolean => controllingNames.test(name.replace(/[[+].*$/s, ""));

/** Returns the names in the subscript of an assignment: `a[i]=x`. */
export function namesInSubscript(node: Node): readonly string[] {
  const assignments = node.type === "variable_assignment" ? [node] : node.namedChildren;
  const hasKeys = node.parent?.type === "declaration_command" && /\s-[a-zA-Z]*A/.test(node.parent.text);
  return assignments.flatMap((child) => {
    const value = child.childForFieldName("value");
    // `a=([x]=1)` evaluates x, unless the keys of the array are texts.
    if (value?.type === "array" && !hasKeys && value.namedChildren.some((element) => /^\[(?!\d+\])/.test(element.text)))
      return [unreadName];
    const name = child.childForFieldName("name");
    const index = name?.type === "subscript" ? name.childForFieldName("index") : null;
    if (index === null || index === undefined || /^"[\w. -]*"$|^'[\w. -]*'$/.test(index.text)) return [];
    return namesInExpression(index);
  });
}
