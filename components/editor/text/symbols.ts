/** Symbols of a text: functions, classes, types, headings and keys, from CodeMirror's syntax tree or line patterns. */
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { SyntaxNode, SyntaxNodeRef, Tree } from "@lezer/common";
import type { EditorSymbol } from "../../state/workbench/component-handles";
import type { Language } from "./language";

type SymbolKind = EditorSymbol["kind"];

/** Longest time for parsing a text that is not parsed yet, ms; the symbols of its start are found then. */
const parseMs = 40;
const maxNameChars = 120;
const maxSymbols = 5_000;
/** Levels of nested keys that are symbols. */
const keyLevels = 2;

/** Declarations by the names of the grammars' nodes. */
const declarations: Readonly<Record<string, SymbolKind>> = {
  // JavaScript, TypeScript, Java, PHP
  FunctionDeclaration: "function",
  MethodDeclaration: "method",
  ConstructorDeclaration: "method",
  ClassDeclaration: "class",
  RecordDeclaration: "class",
  TraitDeclaration: "class",
  InterfaceDeclaration: "type",
  TypeAliasDeclaration: "type",
  EnumDeclaration: "type",
  AnnotationTypeDeclaration: "type",
  NamespaceDeclaration: "module",
  // Python, C++, PHP
  FunctionDefinition: "function",
  ClassDefinition: "class",
  ClassSpecifier: "class",
  StructSpecifier: "class",
  UnionSpecifier: "class",
  EnumSpecifier: "type",
  ConceptDefinition: "type",
  NamespaceDefinition: "module",
  // Rust
  FunctionItem: "function",
  StructItem: "class",
  UnionItem: "class",
  EnumItem: "type",
  TraitItem: "type",
  TypeItem: "type",
  ImplItem: "class",
  ModItem: "module",
  ConstItem: "variable",
  StaticItem: "variable",
  MacroDefinition: "function",
  // Go
  FunctionDecl: "function",
  MethodDecl: "method",
  TypeSpec: "type",
  // CSS
  RuleSet: "rule",
};

const nameNodes = new Set(
  "VariableName VariableDefinition TypeDefinition PropertyDefinition PrivatePropertyDefinition PropertyName Identifier BoundIdentifier TypeIdentifier FieldIdentifier ScopedIdentifier NamespaceIdentifier DefName FieldName Definition Name DestructorName OperatorName".split(
    " ",
  ),
);
/** Declarations that are named by their text up to the body. */
const namedByHeader = new Set(["ImplItem", "RuleSet"]);
/** Declarations without a body are uses of the type: `struct node *next`. */
const needsBody = new Set(["ClassSpecifier", "StructSpecifier", "UnionSpecifier", "EnumSpecifier"]);

/** Languages without a syntax tree: the first group of a pattern is the name. */
const linePatterns: Partial<Record<Language, readonly (readonly [SymbolKind, RegExp])[]>> = {
  shell: [
    ["function", /^\s*(?:function\s+)?([\w:.-]+)\s*\(\)/],
    ["function", /^\s*function\s+([\w:.-]+)/],
  ],
  ruby: [
    ["class", /^\s*(?:class|module)\s+([\w:]+)/],
    ["method", /^\s*def\s+((?:self\.)?\w+[?!=]?)/],
  ],
  lua: [["function", /^\s*(?:local\s+)?function\s+([\w.:]+)/]],
  toml: [["key", /^\s*\[+\s*([^\]#]+?)\s*\]+/]],
  dockerfile: [["module", /^\s*FROM\s+(.+)/i]],
};

/** Returns the symbols in text order; those of the first part if the text is too long to parse at once. */
export function findSymbols(state: EditorState, language: Language | null): readonly EditorSymbol[] {
  const patterns = language === null ? undefined : linePatterns[language];
  return patterns === undefined ? findInTree(state) : findInLines(state, patterns);
}

/** A declaration around a position. */
interface EnclosingDeclaration {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the declarations around a position as far as the text is parsed, the outermost first. */
export function findEnclosing(state: EditorState, position: number): readonly EnclosingDeclaration[] {
  const found: EnclosingDeclaration[] = [];
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(position, -1);
  for (; node !== null; node = node.parent) {
    if (declarations[node.name] === undefined || (needsBody.has(node.name) && !hasBody(node))) continue;
    const name = nameOf(state, node)?.text.replace(/\s+/g, " ").trim().slice(0, maxNameChars) ?? "";
    if (name !== "") found.unshift({ name, from: node.from, to: node.to });
  }
  return found;
}

function findInLines(
  { doc }: EditorState,
  patterns: readonly (readonly [SymbolKind, RegExp])[],
): readonly EditorSymbol[] {
  const symbols: EditorSymbol[] = [];
  let line = 0;
  for (const text of doc.iterLines()) {
    line += 1;
    for (const [kind, pattern] of patterns) {
      const name = pattern.exec(text.slice(0, maxNameChars * 2))?.[1];
      if (name === undefined) continue;
      symbols.push({ name: name.slice(0, maxNameChars), kind, line, depth: 0 });
      break;
    }
    if (symbols.length >= maxSymbols) break;
  }
  return symbols;
}

/** Symbols by their tree: the outline asks after each move of the caret. */
const symbolsOfTrees = new WeakMap<Tree, readonly EditorSymbol[]>();

function findInTree(state: EditorState): readonly EditorSymbol[] {
  const tree = ensureSyntaxTree(state, state.doc.length, parseMs) ?? syntaxTree(state);
  const symbols = symbolsOfTrees.get(tree) ?? readTree(state, tree);
  symbolsOfTrees.set(tree, symbols);
  return symbols;
}

function readTree(state: EditorState, tree: Tree): readonly EditorSymbol[] {
  const symbols: EditorSymbol[] = [];
  let depth = 0;
  let keys = 0;
  const add = (kind: SymbolKind, name: string, at: number, level: number): void => {
    const text = name.replace(/\s+/g, " ").trim().slice(0, maxNameChars);
    if (text !== "" && symbols.length < maxSymbols)
      symbols.push({ name: text, kind, line: state.doc.lineAt(at).number, depth: level });
  };
  tree.iterate({
    enter: (node) => {
      if (symbols.length >= maxSymbols) return false;
      const heading = /^(?:ATX|Setext)Heading([1-6])$/.exec(node.name);
      if (heading !== null) {
        const [title = ""] = state.sliceDoc(node.from, node.to).split("\n");
        add("heading", title.replace(/^#+|\s#+\s*$/g, ""), node.from, Number(heading[1]) - 1);
        return false;
      }
      if (isKey(node)) {
        if (keys < keyLevels) add("key", keyText(state, node.node), node.from, keys);
        keys += 1;
        return keys <= keyLevels ? undefined : true;
      }
      if (node.name === "VariableDefinition" && isTopLevelVariable(node.node))
        add(isFunctionValue(node.node) ? "function" : "variable", state.sliceDoc(node.from, node.to), node.from, depth);
      const kind = declarations[node.name];
      if (kind === undefined || (needsBody.has(node.name) && !hasBody(node.node))) return undefined;
      const name = nameOf(state, node.node);
      if (name !== null) add(kind, name.text, name.at, depth);
      depth += 1;
      return undefined;
    },
    leave: (node) => {
      if (isKey(node)) keys -= 1;
      else if (declarations[node.name] !== undefined && !(needsBody.has(node.name) && !hasBody(node.node))) depth -= 1;
    },
  });
  return symbols;
}

/** Whether the node is an entry of JSON or YAML. */
const isKey = ({ name, node }: SyntaxNodeRef): boolean =>
  (name === "Property" && node.parent?.name === "Object") || (name === "Pair" && node.parent?.name === "BlockMapping");

function keyText(state: EditorState, entry: SyntaxNode): string {
  const key = entry.firstChild;
  return key === null ? "" : state.sliceDoc(key.from, key.to).replace(/^(["'])(.*)\1$/s, "$2");
}

const hasBody = (node: SyntaxNode): boolean =>
  ["FieldDeclarationList", "EnumeratorList"].some((name) => node.getChild(name) !== null);

function isTopLevelVariable({ parent }: SyntaxNode): boolean {
  const outer = parent?.name === "VariableDeclaration" ? parent.parent : null;
  return outer !== null && (outer.name === "Script" || outer.name === "ExportDeclaration");
}

function isFunctionValue(definition: SyntaxNode): boolean {
  for (let next = definition.nextSibling; next !== null && next.name !== ","; next = next.nextSibling)
    if (["ArrowFunction", "FunctionExpression", "ClassExpression"].includes(next.name)) return true;
  return false;
}

function nameOf(state: EditorState, node: SyntaxNode): { readonly text: string; readonly at: number } | null {
  if (namedByHeader.has(node.name)) {
    const header = state.sliceDoc(node.from, Math.min(node.to, node.from + maxNameChars * 2)).split("{", 1)[0] ?? "";
    return { text: header, at: node.from };
  }
  // In C and C++ the type of the result comes before the name.
  const named = findName(declaratorOf(node));
  return named === null ? null : { text: state.sliceDoc(named.from, named.to), at: named.from };
}

function declaratorOf(node: SyntaxNode): SyntaxNode {
  if (node.name !== "FunctionDefinition") return node;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name === "FunctionDeclarator") return child;
    if (/(?:Pointer|Reference)Declarator/.test(child.name)) return child.getChild("FunctionDeclarator") ?? child;
  }
  return node;
}

function findName(declaration: SyntaxNode): SyntaxNode | null {
  for (let child = declaration.firstChild; child !== null; child = child.nextSibling) {
    if (nameNodes.has(child.name)) return child;
    const inner = /Declarator$/.test(child.name) ? findName(child) : null;
    if (inner !== null) return inner;
  }
  return null;
}
