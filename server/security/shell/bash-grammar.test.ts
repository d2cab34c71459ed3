/** The budget of parsing: what would hold the event loop is refused by counted work, long ordinary commands are not. */
import { describe, expect, test } from "vitest";
import { limits } from "@/lib/settings/settings";
import { loadGrammar, makeParseBudget } from "./bash-grammar";
import { readCommand } from "./shell-parser";

/** As many of them as a command may have. */
const filled = (unit: string, chars: number = limits.commandMaxChars): string =>
  unit.repeat(Math.floor(chars / unit.length));

describe("a command that takes long to parse is unreadable", () => {
  test.each([")(", "<<<|", "1<<A(|", ">1({", "{(()", "a=(", "a;", "$(a)", "a&", "x() { ", "cat <<A\nx\nA\n"])(
    "%j, over and over",
    async (unit) => {
      const text = filled(unit);
      const budget = makeParseBudget();
      expect((await loadGrammar())(budget)(text, () => true)).toBeNull();
      // After the last piece the parser gets no more text, and ends.
      expect(budget.chars).toBeGreaterThan(-20_000);
      expect(await readCommand(text)).toMatchObject({ kind: "unreadable", why: "too_complex", segments: [] });
    },
  );

  test("the scripts in it count together", async () => {
    const slow = filled(">1({", 400);
    expect(await readCommand(`bash -c '${slow}'`)).toMatchObject({ why: "syntax" });
    const budget = makeParseBudget();
    const parse = (await loadGrammar())(budget);
    for (let at = 0; at < 20; at += 1) parse(slow, () => true);
    expect(budget.chars).toBeLessThan(0);
    expect(parse("ls", () => true)).toBeNull();
  });
});

describe("a long ordinary command is read", () => {
  const lines = (count: number): string => filled('const text = `${name} (of) "them" [all]`; // it\'s\n', count);
  test.each<[string, string]>([
    ["a file in a here-document", `cat > a.ts <<'EOF'\n${lines(19_000)}EOF\n`],
    ["a here-document with variables", `cat > a.txt <<EOF\n${filled("HOME=$HOME, and some more words\n", 19_000)}EOF`],
    ["a program in quotes", `python3 -c '${filled("print(x[1], (2, 3)); ", 19_000)}'`],
    ["a hundred commands", filled('mkdir -p "a b" && cp ./x/*.ts src/ # copy\n', 4_400)],
    ["many files", `ls ${filled("src/components/some-file.tsx ", 19_000)}`],
  ])("%s", async (_name, command) => expect((await readCommand(command)).kind).toBe("parsed"));

  test("the text of its nodes is whole", async () => {
    const word = "ü".repeat(5_000);
    const text = `echo '${word}' ${word}`;
    const found = (await loadGrammar())()(text, (root) => root.text);
    expect(found).toBe(text);
  });
});
