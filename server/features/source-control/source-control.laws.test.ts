import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { SourceDiff, SourceLines } from "@/lib/workspace/source-control";
import { makeTestSourceControl, unwrapValue } from "./test-source-control";

const runs = process.env.GOPI_FULL === "1" ? 2_000 : 60;

const line = fc.constantFrom(
  "a",
  "b",
  "c",
  "",
  "  x",
  "}",
  "-",
  "+x",
  "\\ No newline",
  "@@ -1 +1 @@",
  "的",
  "caf\xe9",
  "d e",
);
const content = fc
  .tuple(fc.array(line, { maxLength: 24 }), fc.boolean(), fc.constantFrom("\n", "\r\n"))
  .map(([lines, hasEnd, end]) => lines.map((text) => text + end).join("") + (hasEnd || lines.length === 0 ? "" : "z"));
const name = fc.constantFrom("a.txt", "中文 名.txt", 'quo"te\\ ü.txt', "dir/tab\there.txt", "-n");

const toBytes = (text: string): Buffer => Buffer.from(text, /[^\x00-\xff]/.test(text) ? "utf8" : "latin1");
const splitLines = (bytes: Buffer): readonly string[] => bytes.toString("latin1").match(/[^\n]*\n|[^\n]+$/g) ?? [];

interface ChangedLines {
  readonly kind: "add" | "remove";
  readonly number: number;
}

/** All changed lines of a diff, with those that have to be chosen together as one item. */
function choicesOf({ hunks = [] }: SourceDiff): readonly (readonly ChangedLines[])[] {
  const choices: ChangedLines[][] = [];
  for (const { lines } of hunks) {
    let block: typeof lines = [];
    const close = (): void => {
      const changed = block.map(
        ({ kind, oldLine = 0, newLine = 0 }): ChangedLines =>
          kind === "add" ? { kind, number: newLine } : { kind: "remove", number: oldLine },
      );
      if (block.some(({ noNewline }) => noNewline)) choices.push(changed);
      else choices.push(...changed.map((one) => [one]));
      block = [];
    };
    for (const one of lines) {
      if (one.kind === "same") close();
      else block = [...block, one];
    }
    close();
  }
  return choices;
}

const toLines = (chosen: readonly ChangedLines[]) => ({
  old: chosen.filter(({ kind }) => kind === "remove").map(({ number }) => number),
  new: chosen.filter(({ kind }) => kind === "add").map(({ number }) => number),
});

/** Computes from both texts and all changed lines what a text is with the chosen changes only. */
function applyChosen(old: Buffer, now: Buffer, diff: SourceDiff, chosen: SourceLines): Buffer {
  const [oldLines, newLines] = [splitLines(old), splitLines(now)];
  const all = toLines(choicesOf(diff).flat());
  const result: string[] = [];
  const [removed, added] = [new Set(all.old), new Set(all.new)];
  for (let [oldAt, newAt] = [1, 1]; oldAt <= oldLines.length || newAt <= newLines.length; ) {
    if (removed.has(oldAt)) {
      if (!chosen.old.includes(oldAt)) result.push(oldLines[oldAt - 1] ?? "");
      oldAt += 1;
    } else if (added.has(newAt)) {
      if (chosen.new.includes(newAt)) result.push(newLines[newAt - 1] ?? "");
      newAt += 1;
    } else {
      result.push(oldLines[oldAt - 1] ?? "");
      oldAt += 1;
      newAt += 1;
    }
  }
  return Buffer.from(result.join(""), "latin1");
}

describe("lines of random edits", () => {
  test("staging, unstaging and discarding change exactly the chosen lines", async () => {
    const source = await makeTestSourceControl();
    const { projectId, commands, git, put, read, diff } = source;
    git("config", "core.autocrlf", "false");
    const staged = (path: string): Buffer => Buffer.from(source.staged(path), "latin1");
    await fc.assert(
      fc.asyncProperty(name, content, content, fc.infiniteStream(fc.boolean()), async (path, before, after, picks) => {
        const [old, now] = [toBytes(before), toBytes(after)];
        const choose = (shown: SourceDiff) =>
          toLines(
            choicesOf(shown)
              .filter(() => picks.next().value === true)
              .flat(),
          );
        put(path, old);
        git("add", "-A");
        git("commit", "-qm", "x", "--allow-empty");
        put(path, now);

        const shown = await diff(path, "changed");
        const first = choose(shown);
        if (first.old.length + first.new.length > 0) {
          const order = {
            projectId,
            path,
            side: "changed" as const,
            isUntracked: false,
            hash: shown.hash,
            lines: first,
          };
          unwrapValue(await commands["source.change_lines"](order));
        }
        const afterStaging = applyChosen(old, now, shown, first);
        expect(staged(path).toString("latin1")).toBe(afterStaging.toString("latin1"));
        expect(read(path).equals(now)).toBe(true);

        const inIndex = await diff(path, "staged");
        // Lines of two encodings are no text.
        if (inIndex.why !== undefined) return;
        const back = choose(inIndex);
        if (back.old.length + back.new.length > 0) {
          const order = {
            projectId,
            path,
            side: "staged" as const,
            isUntracked: false,
            hash: inIndex.hash,
            lines: back,
          };
          unwrapValue(await commands["source.change_lines"](order));
        }
        const remaining = toLines(
          choicesOf(inIndex)
            .flat()
            .filter(({ kind, number }) => !back[kind === "add" ? "new" : "old"].includes(number)),
        );
        expect(staged(path).toString("latin1")).toBe(
          applyChosen(old, afterStaging, inIndex, remaining).toString("latin1"),
        );

        const inIndexNow = staged(path);
        const rest = await diff(path, "changed");
        if (rest.why !== undefined) return;
        const dropped = choose(rest);
        if (dropped.old.length + dropped.new.length > 0) {
          unwrapValue(await commands["source.discard_lines"]({ projectId, path, hash: rest.hash, lines: dropped }));
        }
        const left = toLines(
          choicesOf(rest)
            .flat()
            .filter(({ kind, number }) => !dropped[kind === "add" ? "new" : "old"].includes(number)),
        );
        expect(read(path).toString("latin1")).toBe(applyChosen(inIndexNow, now, rest, left).toString("latin1"));
        expect(staged(path)).toEqual(inIndexNow);
      }),
      { numRuns: runs, endOnFailure: true },
    );
  }, 900_000);
});
