import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { wasmFiles } from "./bash-grammar";
import { readCommand } from "./shell-parser";
import { namesIn, runBashInTests } from "./test-bash";

const startedByBash = runBashInTests();

describe("the parser finds the program that bash starts", () => {
  test.each([
    "rm x",
    "\\rm x",
    "'rm' x",
    '"rm" x',
    "r''m x",
    'r"m" x',
    "$'rm' x",
    "$'\\x72m' x",
    "$'\\162\\x6d' x",
    "$'r'\"m\" x",
    "r\\m x",
    "\\r\\m x",
    "ls;rm x",
    "true&&rm x",
    "false||rm x",
    "true|rm x",
    "true|&rm x",
    "true&rm x; wait",
    "(rm x)",
    "((1))&&rm x",
    "{ rm x; }",
    "! rm x",
    "if true;then rm x;fi",
    "if false;then :;else rm x;fi",
    "while rm x;do break;done",
    "until rm x;do :;done",
    "for i in 1;do rm $i;done",
    "for((i=0;i<1;i++));do rm x;done",
    "case x in x)rm x;;esac",
    "case x in (x) rm x;;esac",
    "f(){ rm x;};f",
    "function f { rm x; };f",
    "echo $(rm x)",
    "echo `rm x`",
    'echo "$(rm x)"',
    'echo "`rm x`"',
    'echo "${x:-$(rm x)}"',
    "echo $((1+$(rm x;echo 1)))",
    "x=$(rm x)",
    "x=$(rm x) true",
    "a=($(rm x))",
    "export x=$(rm x)",
    "cat <(rm x)",
    "true >(rm x); sleep 0.1",
    "true > $(rm x;echo f)",
    "cat <<<$(rm x)",
    "[[ -n $(rm x) ]]",
    '[ -n "$(rm x)" ]',
    "cat <<E\n$(rm x)\nE",
    "cat <<E\nx\nE\nrm x",
    "cat <<-E\n\tx\n\tE\nrm x",
    "cat <<'E'\n$(aa)\nE\nrm x",
    "bash <<E\nrm x\nE",
    "bash - <<E\nrm x\nE",
    "true - <<E\nx\nE\nrm x",
    "true && true - <<E; rm x\nx\nE",
    "bash <<<'rm x'",
    "true # x\nrm x",
    "env rm x",
    "env A=b rm x",
    "env -u A rm x",
    "env -S 'rm x'",
    "command rm x",
    "exec rm x",
    "nohup rm x",
    "time rm x",
    "timeout 5 rm x",
    "timeout -k 5 10 rm x",
    "nice -n 1 rm x",
    "nice -1 rm x",
    "setsid -w rm x",
    "stdbuf -oL rm x",
    "echo x|xargs rm",
    "echo x|xargs -n 1 rm -f",
    "echo x|xargs -I{} sh -c 'rm {}'",
    "find . -maxdepth 0 -exec rm {} \\;",
    "find . -maxdepth 0 -exec rm {} +",
    "find . -maxdepth 0 -exec sh -c 'rm \"$1\"' _ {} \\;",
    "sh -c 'rm x'",
    "bash -ec 'rm x'",
    "bash --norc -c 'rm x'",
    "bash -c \"sh -c 'rm x'\"",
    "eval rm x",
    "eval 'true;rm x'",
    "eval \"r''m x\"",
    "trap 'rm x' EXIT",
    "2>/dev/null rm x",
    ">f rm x",
    "A=b rm x",
    "true <<<x; rm x",
    "rm\tx",
    "true;\n\n\trm x",
    "true \\\n;rm x",
    "r\\\nm x",
    "$name x",
    "${name} x",
    "$empty rm x",
    "r${empty}m x",
    "/usr/bin/env rm x",
    "echo {a,b} $(rm x)",
    "é=1; rm é",
    "echo 😀; rm 😀",
    "echo '#'; rm x",
    "echo a#b; rm x",
    "echo \\# ; rm x",
    'echo "a\\""; rm "x"',
    "echo 'a'\\''b'; rm x",
    "echo $'a\\'b'; rm x",
    "select i in a; do rm x; break; done <<<1",
    "coproc rm x; wait",
    "true && { false || (rm x); }",
  ])("%j", async (command) => {
    expect(startedByBash(command).map((words) => words[0])).toContain("rm");
    const parsed = await readCommand(command);
    const unreadable = parsed.kind === "unreadable" || parsed.segments.some((segment) => segment.unreadable !== null);
    expect(unreadable || namesIn(parsed.segments).includes("rm")).toBe(true);
  });
});

describe("the parser finds no command where bash starts none", () => {
  test.each([
    "echo 'rm x'",
    'echo "rm x"',
    "echo rm x",
    "echo \\; rm x",
    "# rm x",
    "true # ; rm x",
    "echo $'; rm x'",
    "cat <<'E'\n$(rm x)\nE",
    "cat <<E\nrm x\nE",
    "x='rm x'",
    "echo a\\\nrm",
    "case rm in x) ;; esac",
    "for i in rm; do :; done",
    'echo "\\$(rm x)"',
    "[ rm = x ]",
    "echo 😀 'rm'",
  ])("%j", async (command) => {
    expect(startedByBash(command)).toEqual([]);
    const parsed = await readCommand(command);
    expect(namesIn(parsed.segments)).not.toContain("rm");
  });
});

describe("words after quote removal are those that bash passes on", () => {
  test.each([
    "aa 'x y' z",
    'aa "x y"z',
    "aa x\\ y",
    "aa 'a'\\''b'",
    'aa "a\\"b" "c\\\\d" "e\\f"',
    "aa $'a\\tb\\n' $'\\x41\\101'",
    "aa a#b",
    'aa "a\\\nb"',
    "aa ''  \"\"",
    "aa --x='y z' -I\"q\"",
    "aa \"'\" '\"'",
    "aa é 你好 😀 'ü'",
    "aa \"$\" 'x$y'",
    'aa "  x  "',
    'aa "`" 2>/dev/null || aa x',
    "aa x\\\n  y",
    "aa 'a\nb'",
    "aa {} {x} a=b",
    "aa 1 2 -3",
  ])("%j", async (command) => {
    const parsed = await readCommand(command);
    if (parsed.kind === "unreadable")
      return expect(parsed.segments.every((segment) => segment.unreadable === null || segment.words.length > 0)).toBe(
        true,
      );
    const segments = parsed.segments
      .filter((segment) => segment.words.every((word) => word.literal))
      .map((segment) => segment.words.map((word) => word.text));
    expect(segments).toEqual(startedByBash(command));
  });
});

describe("a command that cannot be trusted is unreadable", () => {
  test.each([
    ["an open quote", "aa 'x"],
    ["an open substitution", "aa $(bb"],
    ["an open group", "{ aa"],
    ["a lone operator", "aa &&"],
    ["a carriage return", "aa\r\nbb"],
    ["a no-break space", "aa\u00a0bb"],
    ["NUL", "aa\0bb"],
    ["an escape character", "aa \u001b"],
    ["a lone surrogate", "aa \ud800"],
    ["two here-documents", "aa <<A <<B\nA\nB"],
    ["an open here-document", "aa <<A\nx"],
    ["a dash as a program before a here-document", "x=1 - <<A\nx\nA"],
    ["a dash behind the words of a builtin and a here-document", "export a - <<A\nx\nA"],
    ["words behind a here-document", "aa <<A bb\nx\nA"],
    ["a keyword as a program", "coproc aa"],
    ["a nested backtick", "aa `bb \\`cc\\``"],
    ["a comment in a substitution", "aa $(bb # x\n)"],
    ["a joined operator", "aa &\\\n& bb"],
    ["a word joined to a list", "x=(1)aa bb"],
    ["a number taken from its redirect", "aa\\\n 2>&1"],
    ["a lone dollar sign", 'aa "x $ y"'],
    ["too much text", `aa ${"x".repeat(20_000)}`],
  ])("%s", async (_name, command) => expect((await readCommand(command)).kind).toBe("unreadable"));

  test("a deeply nested command", async () => {
    expect((await readCommand(`${"(".repeat(300)}aa${")".repeat(300)}`)).kind).toBe("unreadable");
    expect((await readCommand(`${"eval ".repeat(20)}aa`)).kind).toBe("unreadable");
    expect((await readCommand("aa;".repeat(600))).kind).toBe("unreadable");
  });
});

test("assignments and redirects belong to their command", async () => {
  const parsed = await readCommand("A=1 B=2 aa x 2>&1 >f <g");
  expect(parsed.segments).toMatchObject([
    {
      text: "A=1 B=2 aa x 2>&1 >f <g",
      assignments: ["A", "B"],
      redirects: [
        { operator: ">&", descriptor: "2" },
        { operator: ">", target: { text: "f" } },
        { operator: "<", target: { text: "g" } },
      ],
    },
  ]);
});

test.each<[string, readonly (readonly string[])[]]>([
  ["aa - <<E\nx\nE", [["aa", "-"]]],
  ["aa b - <<'E'\nx\nE", [["aa", "b", "-"]]],
  ["aa && bb -f - <<E\nx\nE", [["aa"], ["bb", "-f", "-"]]],
  ["aa - <<E | bb\nx\nE", [["aa", "-"], ["bb"]]],
  ["(aa - <<E\nx\nE\n)", [["aa", "-"]]],
])("the lone dash before a here-document is a word of its command: %j", async (command, words) => {
  const parsed = await readCommand(command);
  expect(parsed.kind).toBe("parsed");
  expect(parsed.segments.map((segment) => segment.words.map(({ text }) => text))).toEqual(words);
});

test("an empty command has no parts", async () => {
  expect(await readCommand("")).toMatchObject({ kind: "parsed", segments: [] });
  expect(await readCommand(" \n\t")).toMatchObject({ kind: "parsed", segments: [] });
});

test("the grammar beside the bundled program takes precedence", () => {
  const place = mkdtempSync(join(tmpdir(), "gopi-grammar-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  mkdirSync(join(place, "program", "wasm"), { recursive: true });
  expect(wasmFiles(join(place, "program")).bash).toBe(join(place, "program", "wasm", "tree-sitter-bash.wasm"));
  expect(wasmFiles(place).bash).toMatch(/node_modules.tree-sitter-bash.tree-sitter-bash\.wasm$/);
});
