import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { editTool } from "../../change/edit";
import { callTool, makeTestEnvironment, type TestEnvironment } from "../../core/test-environment";

let environment: TestEnvironment;
beforeEach(() => {
  environment = makeTestEnvironment();
});
afterEach(() => environment.remove());

const pathIn = (path: string): string => `${environment.root}/${path}`;
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");
const big = (text: string): Buffer => utf16(text).swap16();
const utf8 = (text: string): Buffer => Buffer.from(text);
/** The text in each encoding that edits preserve. */
const encodings: readonly [name: string, encode: (text: string) => Buffer][] = [
  ["UTF-8", utf8],
  ["UTF-8 with a byte order mark", (text) => utf8(`\ufeff${text}`)],
  ["UTF-16 little endian", utf16],
  ["UTF-16 big endian", big],
];
const shapes: readonly [name: string, before: string, after: string][] = [
  ["LF", "é\n  b\n  c\n", "é\n  ö\n  ö2\n  c\n"],
  ["CRLF", "é\r\n  b\r\n  c\r\n", "é\r\n  ö\r\n  ö2\r\n  c\r\n"],
  ["CR", "é\r  b\r  c\r", "é\r  ö\r  ö2\r  c\r"],
  ["mixed line ends", "é\n  b\r\n  c\n", "é\n  ö\r\n  ö2\r\n  c\n"],
  ["no final newline", "é\n  b\n  c", "é\n  ö\n  ö2\n  c"],
];
/** The same edit copied exactly, without its indentation, and with line numbers. */
const forms: readonly [name: string, oldText: string, newText: string, note: string][] = [
  ["exact", "  b\n  c", "  ö\n  ö2\n  c", ""],
  ["shifted", "b\nc", "ö\nö2\nc", " It matched only with indentation overlooked; the file's own were kept."],
  [
    "numbered",
    "2\t  b\n3\t  c",
    "  ö\n  ö2\n  c",
    " It matched only without line numbers: copy the lines as they stand in the file.",
  ],
];
const cases = encodings.flatMap(([encoding, encode]) =>
  shapes.flatMap(([shape, before, after]) =>
    forms.map(([form, ...rest]) => [`${encoding}, ${shape}, ${form}`, encode(before), encode(after), ...rest] as const),
  ),
);

describe("bytes outside the edit are preserved", () => {
  test.each(cases)("%s", async (_, before, after, oldText, newText, note) => {
    writeFileSync(pathIn("f"), before);
    chmodSync(pathIn("f"), 0o754);
    const { text } = await callTool(
      editTool,
      { path: "f", old_string: oldText, new_string: newText },
      environment.context,
    );
    expect(text).toMatch(/^Edited f \(\+[12] -1 lines\)\./);
    expect(text.replace(/^.*? lines\)\./, "")).toBe(note);
    expect(readFileSync(pathIn("f"))).toEqual(after);
    expect(statSync(pathIn("f")).mode & 0o777).toBe(0o754);
  });
});

describe("a refused edit", () => {
  test.each([
    ["ambiguous", "a()\n", "c()\n"],
    ["no_match", "z()", "c()"],
    ["no_change", "b()", "b()"],
    ["placeholder", "b()", "// ... existing code ..."],
  ])("%s leaves the file and its time as they were, and names it", async (code, oldText, newText) => {
    writeFileSync(pathIn("f"), "a()\nb()\na()\n");
    const { mtimeMs, ino } = statSync(pathIn("f"));
    const refused = await callTool(
      editTool,
      { path: "f", old_string: oldText, new_string: newText },
      environment.context,
    );
    expect(refused.code).toBe(code);
    expect(refused.text).toMatch(/^f: /);
    expect(readFileSync(pathIn("f"), "utf8")).toBe("a()\nb()\na()\n");
    expect(statSync(pathIn("f"))).toMatchObject({ mtimeMs, ino });
    expect(environment.recordedSnapshots).toEqual([]);
  });

  test("advises on an empty file", async () => {
    writeFileSync(pathIn("empty"), "");
    const refused = await callTool(editTool, { path: "empty", old_string: "a", new_string: "b" }, environment.context);
    expect(refused.code).toBe("no_match");
    expect(refused.text).toContain("The file is empty");
    await callTool(editTool, { path: "empty", old_string: "", new_string: "a\n" }, environment.context);
    expect(readFileSync(pathIn("empty"), "utf8")).toBe("a\n");
  });
});
