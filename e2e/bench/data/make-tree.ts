/** Generates projects: many folders, many files, a few words to search for. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const sourceFileLine = "export const value = compute(first, second) ?? fallback; // nothing to see here\n";
const filesPerFolder = 50;
/** Few enough that files added below them are visible in the page's tree. */
const areaCount = 10;

/** Writes files of `lines` lines; every thousandth contains the needle. */
export function makeTree(folder: string, { files, lines }: { readonly files: number; readonly lines: number }): void {
  const body = sourceFileLine.repeat(lines);
  for (let index = 0; index < files; index += 1) {
    const group = Math.floor(index / filesPerFolder);
    const parent = join(folder, `area${group % areaCount}`, `part${group}`);
    if (index % filesPerFolder === 0) mkdirSync(parent, { recursive: true });
    writeFileSync(
      join(parent, `file${index}.ts`),
      index % 1_000 === 500 ? `${body}const needle_${index} = 1;\n` : body,
    );
  }
}
