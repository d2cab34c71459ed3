import { expect, test } from "vitest";
import { pickFailureLines } from "./failure-lines";

const passed = Array.from({ length: 30 }, (_, index) => ` ✓ handles error: number ${index}`);
const summary = [
  "",
  " Test Files  1 failed | 3 passed (4)",
  "      Tests  1 failed | 30 passed (31)",
  "   Duration  1.2s",
  "",
  "",
];

const outputs: readonly (readonly [string, readonly string[], string])[] = [
  [
    "vitest",
    [...passed, " FAIL  a.test.ts > adds", "AssertionError: expected 3 to be 4", "- 4", "+ 3", ...summary],
    "expected 3 to be 4",
  ],
  [
    "jest",
    [
      ...passed,
      "FAIL ./a.test.js",
      "  ● adds",
      "    expect(received).toBe(expected)",
      "    Expected: 4",
      "    Received: 3",
      ...passed,
      ...summary,
      "npm error Lifecycle script `test` failed with error:",
    ],
    "Expected: 4",
  ],
  [
    "pytest",
    [
      "a.py F  [100%]",
      ...passed,
      "=== FAILURES ===",
      "___ test_a ___",
      "    def test_a():",
      ">       assert 1 == 2",
      "E       assert 1 == 2",
      ...passed,
      ...summary,
    ],
    ">       assert 1 == 2",
  ],
  [
    "go",
    ["=== RUN   TestA", "--- FAIL: TestA (0.00s)", "    a_test.go:8: got 1", ...passed, "FAIL", "exit status 1"],
    "got 1",
  ],
  ["go build", ["./x.go:5:2: undefined: foo", "FAIL\texample [build failed]", ...passed, "0 failed"], "undefined: foo"],
  [
    "cargo",
    [...passed, "error[E0308]: mismatched types", " --> src/main.rs:3", ...passed, "warning: 1 warning"],
    "mismatched types",
  ],
  ["tsc", [...passed, "src/a.ts(3,5): error TS2322: Type", ...passed], "error TS2322"],
  [
    "an uncaught assertion of Node",
    [
      ...passed,
      "node:assert:90",
      "  throw new AssertionError(obj);",
      "  ^",
      "",
      "AssertionError [ERR_ASSERTION]: 'html' == undefined",
      "    at Object.<anonymous> (/p/src/test.js:37:8)",
      ...passed,
    ],
    "src/test.js:37:8",
  ],
  ["make", ["cc a.c", "a.c:3:5: error: expected ';'", ...passed, "make: *** [all] Error 1"], "expected ';'"],
  [
    "node --test",
    ["✖ adds (1ms)", "ℹ tests 2", ...passed, "✖ failing tests:", "  AssertionError [ERR_ASSERTION]: 3 == 4", ...passed],
    "3 == 4",
  ],
];

test.each(outputs)("of %s, the lines with the failure are picked", (_name, lines, expected) => {
  const picked = pickFailureLines(lines.join("\n"), 8);
  expect(picked).toContain(expected);
  expect(picked.split("\n")).toHaveLength(8);
});

test("without a sign of a failure the last lines are picked", () => {
  expect(pickFailureLines([...passed, "killed", "bye", ""].join("\n"), 2)).toBe("killed\nbye");
  expect(pickFailureLines("one", 8)).toBe("one");
});
