import { expect, test } from "vitest";
import { readCommand } from "./shell-parser";
import { namesIn, runBashInTests } from "./test-bash";

const startedByBash = runBashInTests();

const pieces = [
  "aa",
  "bb",
  "cc",
  " ",
  "  ",
  "\t",
  "\n",
  ";",
  "&&",
  "||",
  "|",
  "&",
  "(",
  ")",
  "{ ",
  "; }",
  "$(",
  "`",
  "'",
  '"',
  "\\",
  "\\\n",
  "#",
  " #",
  "$x",
  "${x:-",
  "}",
  " <<E\n",
  "\nE\n",
  " <<'E'\n",
  "<<<",
  ">f",
  "2>&1",
  "<(",
  "if ",
  "; then ",
  "; fi",
  "for i in ",
  "; do ",
  "; done",
  "case x in x) ",
  ";; esac",
  "[[ -n ",
  " ]] ",
  "! ",
  "time ",
  "f() ",
  "$((",
  "))",
  "$'\\x61a'",
  "a''a",
  "x=1 ",
  "x=(1)",
  "{a,b}",
  "*",
  "command ",
  "env ",
  "eval ",
  "bash -c ",
  "\u00a0",
  "\r",
  "é",
] as const;

/** Returns the same sequence every time (mulberry32). */
function randomFrom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

test("the parser finds every program that bash starts, for random readable texts", async () => {
  const random = randomFrom(20261121);
  let compared = 0;
  while (compared < 150) {
    const command = Array.from(
      { length: 2 + random(7) },
      () => `${pieces[random(pieces.length)]}${random(2) === 0 ? " " : ""}${random(3) === 0 ? "aa " : ""}`,
    ).join("");
    const parsed = await readCommand(command);
    if (
      parsed.kind === "unreadable" ||
      parsed.segments.length === 0 ||
      parsed.segments.some((segment) => segment.unreadable !== null)
    )
      continue;
    compared += 1;
    const names = namesIn(parsed.segments);
    expect(
      startedByBash(command).filter(([name = ""]) => !names.includes(name)),
      JSON.stringify(command),
    ).toEqual([]);
  }
});
