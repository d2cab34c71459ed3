import { describe, expect, it } from "vitest";
import { passesAlone, unstableProblem } from "./repeat-failed.mjs";

/** A test whose repetitions end as listed, and how often it was repeated. */
function repeatable(file, ...results) {
  const test = { file, title: "works", count: 0, line: `${file} > works`, repeat: async () => results[test.count++] };
  return test;
}

describe("a failed test that is repeated alone", () => {
  it.each([
    ["passes at once", [true], true, 1],
    ["passes the second time", [false, true], true, 2],
    ["fails twice", [false, false], false, 2],
  ])("%s", async (_, results, green, count) => {
    const test = repeatable("session/changes.spec.ts", ...results);
    expect([await passesAlone(test), test.count]).toEqual([green, count]);
  });

  it.each([
    "security/permissions.spec.ts",
    "e2e/product/security/fuzz.test.ts",
    "reliability/faults.spec.ts",
    "e2e/product/reliability/recovery.test.ts",
  ])("must pass five times in %s", async (file) => {
    const green = repeatable(file, true, true, true, true, true);
    expect([await passesAlone(green), green.count]).toEqual([true, 5]);
    const red = repeatable(file, true, true, false);
    expect([await passesAlone(red), red.count]).toEqual([false, 3]);
  });

  it("must pass five times when its title is about receipts or recovery", async () => {
    for (const title of ["a receipt is written once", "recovers after kill -9"])
      expect(await passesAlone({ ...repeatable("session/a.spec.ts", true, false), title })).toBe(false);
  });
});

describe("the tests that passed alone", () => {
  const named = (...names) => names.map((title) => ({ file: "a.spec.ts", title, line: `a.spec.ts > ${title}` }));

  it("leave the run green, three at most", () => {
    expect(unstableProblem(named("a", "b", "c"), [])).toBeNull();
    expect(unstableProblem(named("a", "b", "c", "d"), [])).toContain("4 tests are unstable");
  });

  it("fail the run at the third record of one of them", () => {
    const [a, b] = named("a", "b");
    expect(unstableProblem([a], [a, b])).toBeNull();
    expect(unstableProblem([a], [a, b, a])).toContain("for the third time");
    expect(unstableProblem([a], [{ ...a, file: "b.spec.ts" }, a])).toBeNull();
  });
});
