/**
 * Parses the expressions of workflows: names with dots, texts, numbers, comparisons, and/or/not, a few functions. No code is
 * run, nothing is assigned or repeated; length and nesting are bounded. Pure.
 */
export type WorkflowExpression =
  | { readonly kind: "value"; readonly value: string | number | boolean | null }
  /** `path[0]` is the name. */
  | { readonly kind: "path"; readonly path: readonly string[] }
  | {
      readonly kind: "call";
      readonly name: WorkflowFunction;
      readonly args: readonly WorkflowExpression[];
      readonly path: readonly string[];
    }
  | { readonly kind: "not"; readonly of: WorkflowExpression }
  | {
      readonly kind: "both";
      readonly operator: WorkflowOperator;
      readonly left: WorkflowExpression;
      readonly right: WorkflowExpression;
    };

const operators = ["==", "!=", "<=", ">=", "<", ">"] as const;
type WorkflowOperator = (typeof operators)[number] | "and" | "or";

/** Each function with the number of its arguments. */
const workflowFunctions = { contains: 2, lines: 1, trim: 1, length: 1, json: 1, join: 2 } as const;
type WorkflowFunction = keyof typeof workflowFunctions;

const maxExpressionChars = 1_000;
const maxExpressionDepth = 20;

/** An expression that cannot be read; `near` = the text at which reading stopped, "" = its end. */
export class ExpressionError extends Error {
  constructor(readonly near: string) {
    super(`bad expression near ${near}`);
  }
}

interface Token {
  readonly kind: "text" | "number" | "name" | "sign" | "end";
  readonly text: string;
}

const tokenPattern =
  /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(==|!=|<=|>=|[<>().,]))/y;

function readTokens(text: string): readonly Token[] {
  if (text.length > maxExpressionChars) throw new ExpressionError(text.slice(0, 20));
  const tokens: Token[] = [];
  let at = 0;
  const rest = text.trimEnd();
  while (at < rest.length) {
    tokenPattern.lastIndex = at;
    const match = tokenPattern.exec(rest);
    if (match === null) throw new ExpressionError(rest.slice(at).trim().slice(0, 20));
    const [all, single, double, number, name, sign] = match;
    const quoted = single ?? double;
    if (quoted !== undefined) tokens.push({ kind: "text", text: quoted.replaceAll(/\\(.)/g, unescape) });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else tokens.push({ kind: "sign", text: sign ?? "" });
    at += all.length;
  }
  return [...tokens, { kind: "end", text: "" }];
}

const unescape = (_all: string, escaped: string): string => (escaped === "n" ? "\n" : escaped === "t" ? "\t" : escaped);

const constants = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

const isFunction = (name: string): name is WorkflowFunction => Object.hasOwn(workflowFunctions, name);

/** Throws ExpressionError. */
export function parseWorkflowExpression(text: string): WorkflowExpression {
  const tokens = readTokens(text);
  let at = 0;
  const peek = (): Token => tokens[at] ?? { kind: "end", text: "" };
  const fail = (): never => {
    throw new ExpressionError(peek().text);
  };
  const accept = (kind: Token["kind"], word: string): boolean => {
    const token = peek();
    if (token.kind !== kind || token.text !== word) return false;
    at += 1;
    return true;
  };
  const expectSign = (sign: string): void => void (accept("sign", sign) || fail());
  const readKeys = (): readonly string[] => {
    const keys: string[] = [];
    while (accept("sign", ".")) {
      const token = peek();
      if (token.kind !== "name" && !(token.kind === "number" && /^\d+$/.test(token.text))) fail();
      keys.push(token.text);
      at += 1;
    }
    return keys;
  };
  const readCall = (name: string, depth: number): WorkflowExpression => {
    if (!isFunction(name)) throw new ExpressionError(name);
    const args: WorkflowExpression[] = [];
    while (!accept("sign", ")")) {
      if (args.length > 0) expectSign(",");
      args.push(readOr(depth + 1));
    }
    if (args.length !== workflowFunctions[name]) fail();
    return { kind: "call", name, args, path: readKeys() };
  };
  const readValue = (depth: number): WorkflowExpression => {
    const token = peek();
    if (accept("sign", "(")) {
      const inner = readOr(depth + 1);
      expectSign(")");
      return inner;
    }
    if (token.kind === "end" || token.kind === "sign") return fail();
    at += 1;
    if (token.kind === "text") return { kind: "value", value: token.text };
    if (token.kind === "number") return { kind: "value", value: Number(token.text) };
    const constant = constants.get(token.text);
    if (constant !== undefined) return { kind: "value", value: constant };
    if (accept("sign", "(")) return readCall(token.text, depth);
    return { kind: "path", path: [token.text, ...readKeys()] };
  };
  const readComparison = (depth: number): WorkflowExpression => {
    const left = readValue(depth);
    const operator = operators.find((one) => accept("sign", one));
    return operator === undefined ? left : { kind: "both", operator, left, right: readValue(depth) };
  };
  const readNot = (depth: number): WorkflowExpression => {
    if (depth > maxExpressionDepth) fail();
    return accept("name", "not") ? { kind: "not", of: readNot(depth + 1) } : readComparison(depth);
  };
  const readAnd = (depth: number): WorkflowExpression => {
    let left = readNot(depth);
    while (accept("name", "and")) left = { kind: "both", operator: "and", left, right: readNot(depth) };
    return left;
  };
  const readOr = (depth: number): WorkflowExpression => {
    let left = readAnd(depth);
    while (accept("name", "or")) left = { kind: "both", operator: "or", left, right: readAnd(depth) };
    return left;
  };
  const expression = readOr(0);
  return peek().kind === "end" ? expression : fail();
}

/** Returns the paths that an expression names, `steps.a.output` as its keys. */
export function expressionPaths(expression: WorkflowExpression): readonly (readonly string[])[] {
  switch (expression.kind) {
    case "value":
      return [];
    case "path":
      return [expression.path];
    case "call":
      return expression.args.flatMap(expressionPaths);
    case "not":
      return expressionPaths(expression.of);
    case "both":
      return [...expressionPaths(expression.left), ...expressionPaths(expression.right)];
  }
}
