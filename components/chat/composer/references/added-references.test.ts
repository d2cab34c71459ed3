import { expect, test } from "vitest";
import { limits } from "@/lib/settings/settings";
import { longTextReference, textFileReference } from "./added-references";

const label = (lines: number): string => `${lines} lines`;

test.each<readonly [string, string, string | null]>([
  ["a short text is inserted", "one\n".repeat(40), null],
  ["41 lines are a reference", "one\n".repeat(41), "41 lines"],
  ["2,000 characters are inserted", "x".repeat(2_000), null],
  ["2,001 characters are a reference", "x".repeat(2_001), "1 lines"],
  ["what no message may have is refused elsewhere", "x".repeat(limits.promptMaxChars + 1), null],
])("%s", (_what, text, expected) => {
  expect(longTextReference(text, label)?.label ?? null).toBe(expected);
});

test("a text file is read; a file that is not text, empty, too long or a folder is not added", async () => {
  const read = (bytes: BlobPart) => textFileReference(new File([bytes], "notes.txt"));
  expect(await read("to do")).toEqual({ kind: "text", label: "notes.txt", text: "to do" });
  expect(await read("a\0b")).toBeNull();
  expect(await read(Uint8Array.from([0xff, 0xfe, 0xfd]))).toBeNull();
  expect(await read("")).toBeNull();
  expect(await read("x".repeat(limits.promptMaxChars + 1))).toBeNull();
  const folder = new File(["4096"], "src");
  folder.text = () => Promise.reject(new DOMException("A folder cannot be read.", "NotFoundError"));
  expect(await textFileReference(folder)).toBeNull();
});
