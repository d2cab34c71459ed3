/** One budget of entries and steps for the judgement of a whole command. Work is counted, not timed. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeFolderSurvey, surveyLimits } from "../paths/folder-survey";
import { makeDecisionFixture } from "./test-decision-fixture";

const files = 60;
const fixture = makeDecisionFixture();
beforeAll(() => {
  for (const folder of ["one", "two", "three"]) {
    mkdirSync(join(fixture.root, "wide", folder), { recursive: true });
    for (let at = 0; at < files; at += 1) writeFileSync(join(fixture.root, "wide", folder, `f${at}`), "");
  }
  symlinkSync("../..", join(fixture.root, "wide/up"));
});

const decided = async (command: string, limits = {}, mode: "plan" | "full" | "ask" = "ask") => {
  const survey = makeFolderSurvey({ ...surveyLimits, ...limits });
  return { decision: await fixture.formattedDecision(command, { mode }, survey), entries: survey.entriesRead };
};

describe("a folder is read once, however often a command names it", () => {
  test.each([
    ["ls wide/one/*", files],
    [`ls ${"wide/one/* ".repeat(100)}`, files],
    [`cat ${Array.from({ length: 50 }, (_, at) => `wide/one/*${at}`).join(" ")}`, files],
    [`grep -r x ${"wide/one ".repeat(300)}`, files],
    ["grep -r x wide/one; ls -R wide/one; cat wide/one/f*; find wide/one", files],
    ["ls wide/{one,two,three}/*", 3 * files],
  ])("%j", async (command, entries) => expect(await decided(command)).toMatchObject({ entries }));
});

describe("nothing outside the project is read", () => {
  test.each([
    "ls /usr/*/*/*",
    "ls ~/*/*",
    "ls ../*/*",
    "cat ../../../*/*",
    "cp /usr/lib/* src",
    "ls wide/up/*",
    "for x in /etc/*; do echo $x; done",
    "ls ${x:-/usr/*}",
  ])("%s", async (command) => {
    for (const mode of ["ask", "full"] as const) expect(await decided(command, {}, mode)).toMatchObject({ entries: 0 });
  });

  test.each(["ls /usr/lib/*", "cp ~/Downloads/*.txt src", "ls /tmp/*.log"])("%s runs in Full access", async (command) =>
    expect((await decided(command, {}, "full")).decision).toBe("allow mode"),
  );

  test.each(["cat ../proj*/.env", "cat /tmp/*/.e*", "cat ../*/.git/config", "cat ../.*/x"])(
    "%s may lead back to something protected and asks in Full access",
    async (command) => expect((await decided(command, {}, "full")).decision).toBe("ask unreadable"),
  );
});

describe("a command over the budget asks, in Full access too", () => {
  const small = { maxEntries: 100 };
  test.each([
    "ls wide/*/*",
    "ls wide/one/* wide/two/*",
    "ls wide/one/*; ls wide/two/*",
    "grep -r x wide/one && grep -r x wide/two",
    "node x.js wide/*/*1",
    "rg x wide/one wide/two",
  ])("%s", async (command) => {
    expect((await decided(command, small)).decision).toBe("ask too_many_files");
    expect((await decided(command, small, "full")).decision).toBe("ask too_many_files");
    expect((await decided(command, small, "plan")).decision).toBe("refuse plan_mode");
    expect((await decided(command, small)).entries).toBeLessThanOrEqual(101);
  });

  test("steps count, also in folders that are read already", async () => {
    const globs = Array.from({ length: 50 }, (_, at) => `wide/one/*${at}`).join(" ");
    expect((await decided(`cat ${globs}`, { maxSteps: 1_000 })).decision).toBe("ask too_many_files");
  });

  test("a refusal stays one, and a command within the budget is not affected", async () => {
    expect((await decided("ls wide/*/*; rm x", small)).decision).toBe("refuse blocked_word rm");
    expect((await decided("ls wide/one/*", small)).decision).toBe("allow reads");
    expect((await decided("git status && ls src", small)).decision).toBe("ask executes [git status *]");
  });
});

test("a folder with more entries than a walk may have is not read to its end", async () => {
  mkdirSync(join(fixture.root, "large"));
  for (let at = 0; at < 5_100; at += 1) writeFileSync(join(fixture.root, "large", `f${at}`), "");
  const limits = { maxEntries: 5_050 };
  expect(await decided("find large | wc -l", limits)).toMatchObject({
    decision: expect.stringMatching(/^ask executes/),
    entries: 5_001,
  });
  expect((await decided("find large | wc -l", limits, "full")).decision).toBe("allow mode");
});

test("others run while a judgement reads", async () => {
  let isDone = false;
  let turns = 0;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const globs = Array.from({ length: 100 }, (_, at) => `wide/one/*${at}`).join(" ");
  await decided(`cat ${globs}`);
  isDone = true;
  // 100 patterns with 62 names each.
  expect(turns).toBeGreaterThan(10);
});
