/** The outputs of the corpus are real ones of these tools, except those of Jest and Go, which are after their formats. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cpuRatio } from "../testing/test-cpu";
import { findFailure, pickFailureLines, shownFailureLines } from "./failure-lines";

const readOutput = (name: string): string =>
  readFileSync(join(import.meta.dirname, "failure-lines-corpus", `${name}.txt`), "utf8");

const telling: readonly (readonly [string, ...string[]])[] = [
  ["node-spec", "adds the tax", "10 !== 24"],
  ["node-tap", "not ok 41 - adds the tax", "a.test.mjs:5:1", "10 !== 24"],
  ["node-throw", "Error: Cannot find module './missing'"],
  ["vitest", "a.test.ts > adds the tax", '+   "total": 20,'],
  ["vitest-verbose", "a.test.ts > adds the tax", '+   "total": 20,'],
  ["jest", "adds the tax", "Expected: 24", "Received: 10"],
  ["pytest", "test_adds_the_tax", "E       assert 10 == 24", "test_a.py:7: AssertionError"],
  ["python", "JSONDecodeError: Expecting property name"],
  ["go-test", "invoice_test.go:8: Total() = 10, want 24", "--- FAIL: TestAddsTheTax"],
  ["go-build", "./invoice.go:5:9: undefined: total"],
  ["cargo-test", "'tests::adds_the_tax'", "src/lib.rs:6:33", "left: 10", "right: 24"],
  ["cargo-build", "error[E0308]: mismatched types", "src/lib.rs:8:21"],
  ["tsc", "a.ts(1,14): error TS2322"],
  ["tsc-pretty", "a.ts:1:14 - error TS2322"],
  ["eslint", "a.js", "2:5  error    'b' is not defined"],
  ["make", "a.c:2:10: error: 'x' undeclared"],
];

test.each(telling)("of the output of %s, the lines with the failure are picked", (name, ...expected) => {
  const output = readOutput(name);
  for (const text of [output, `${"> invoice@1.0.0 test\n".repeat(20)}${output}${"Finished in 2 s\n".repeat(20)}`]) {
    const picked = pickFailureLines(text, shownFailureLines);
    for (const line of expected) expect(picked).toContain(line);
    expect(picked.split("\n").length).toBeLessThanOrEqual(shownFailureLines);
  }
});

test("lines about passed tests, and of npm about the script, are no failures", () => {
  const passed = [
    " ✓ handles error: 1",
    "# Subtest: error: 1",
    "a.py::test_error: PASSED [ 2%]",
    "test a::error: b ... ok",
    "--- PASS: TestError: (0.00s)",
    "0 failed",
    "npm error Lifecycle script `test` failed with error:",
  ];
  expect(findFailure(passed.join("\n"))).toBeNull();
});

test("lines without words and frames of the runtime and of packages are left out", () => {
  expect(pickFailureLines(readOutput("node-throw"), 4)).toBe(
    ["Error: Cannot find module './missing'", "Require stack:", "- /home/ada/invoice/[eval]", "    at [eval]:1:1"].join(
      "\n",
    ),
  );
  const frames = ["    at it (/p/node_modules/a/b.js:1:2)", "    at run (node:internal/vm:209:10)", "  ^", "⎯⎯⎯"];
  expect(pickFailureLines(["Error: broken", ...frames, "    at add (/p/src/a.ts:3:4)"].join("\n"), 2)).toBe(
    "Error: broken\n    at add (/p/src/a.ts:3:4)",
  );
});

test("without a sign of a failure the last lines are picked, without empty ones", () => {
  expect(pickFailureLines("a\nkilled\n\nbye\n\n", 2)).toBe("killed\nbye");
  expect(pickFailureLines("one", 8)).toBe("one");
});

test("the name of a failed test far before the first error does not move the start", () => {
  const lines = ["FAIL a.test.js", ...Array.from({ length: 9 }, (_, index) => `line ${index}`), "Error: broken"];
  const text = lines.join("\n");
  expect(findFailure(text)).toEqual({ from: text.indexOf("line 7"), isError: true });
});

/** Parts of lines that a pattern with nested or unanchored repetitions compares in quadratic time. */
const hostileParts = ["a.", "Error [", " ", "1:", "src/a.go/b.go Error[ 12:34 \t failsafe 0\n", "\n"];

test("the search takes linear time", () => {
  const search = (times: number) => (): void => {
    for (const part of hostileParts) findFailure(part.repeat(times));
  };
  expect(cpuRatio(search(200_000), search(50_000), 8)).toBeLessThan(8);
});
