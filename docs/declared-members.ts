/** Members of types as the sources of `lib` declare them, with their comments, for the tables of the documents. */
import { fileURLToPath } from "node:url";
import ts from "typescript";

export interface DeclaredMember {
  readonly name: string;
  readonly isOptional: boolean;
  /** Its comment as one line of Markdown; "" = it has none. */
  readonly comment: string;
  /** Members of its type. */
  readonly members: () => readonly DeclaredMember[];
}

interface SourceDeclarations {
  /** Comment of a type. */
  readonly commentOf: (typeName: string) => string;
  /** Members of a type. */
  readonly membersOf: (typeName: string) => readonly DeclaredMember[];
  /** The members of a union of messages by their `type`, without that. */
  readonly messagesOf: (typeName: string) => ReadonlyMap<string, readonly DeclaredMember[]>;
}

/** Reads a source file; the path is relative to the repository. */
export function readDeclarations(path: string): SourceDeclarations {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const program = ts.createProgram([root + path], {
    strict: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    paths: { "@/*": [`${root}*`] },
    types: [],
    skipLibCheck: true,
    noEmit: true,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(root + path);
  if (source === undefined) throw new Error(`${path} does not exist`);
  const declared = checker.getSymbolsInScope(source, ts.SymbolFlags.Type);

  function find(name: string): ts.Symbol {
    const symbol = declared.find((one) => one.name === name);
    if (symbol === undefined) throw new Error(`${path} does not declare ${name}`);
    return checker.getExportSymbolOfSymbol(symbol);
  }
  const membersOfType = (type: ts.Type): readonly DeclaredMember[] =>
    type.getProperties().map((symbol) => ({
      name: symbol.name,
      isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
      comment: toLine(symbol.getDocumentationComment(checker)),
      members: () => membersOfType(checker.getTypeOfSymbol(symbol)),
    }));
  const typeNamed = (name: string): ts.Type => checker.getDeclaredTypeOfSymbol(find(name));
  return {
    commentOf: (name) => toLine(find(name).getDocumentationComment(checker)),
    membersOf: (name) => membersOfType(typeNamed(name)),
    messagesOf(name) {
      const type = typeNamed(name);
      return new Map(
        (type.isUnion() ? type.types : [type]).map((one) => {
          const tag = one.getProperty("type");
          const tagType = tag && checker.getTypeOfSymbol(tag);
          if (!tagType?.isStringLiteral()) throw new Error(`A member of ${name} has no type`);
          return [tagType.value, membersOfType(one).filter((member) => member.name !== "type")];
        }),
      );
    },
  };
}

const toLine = (parts: readonly ts.SymbolDisplayPart[]): string =>
  ts
    .displayPartsToString([...parts])
    .replaceAll(/\s+/g, " ")
    .trim();
