import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { modes } from "@/lib/policy";
import { settingsDefaults } from "@/lib/settings";
import { judge, type JudgeInput } from "./judge";

const root = realpathSync(mkdtempSync(join(tmpdir(), "gopi-judge-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const input = (change: Partial<JudgeInput>): JudgeInput => ({
  root,
  cwd: root,
  mode: "full",
  rules: [],
  blockedWords: settingsDefaults.blockedWords,
  protectedNames: [],
  sandbox: "off",
  ...change,
});

describe("a fence the user wants and the machine does not have", () => {
  test("makes every command ask, in every mode, those that only read too", async () => {
    for (const mode of modes) {
      const { decision, sandbox } = await judge([{ kind: "exec", target: "ls" }], input({ mode, sandbox: "broken" }));
      expect(decision).toEqual({ kind: "ask", reason: "no_sandbox", options: ["once", "deny"] });
      expect(sandbox).toBeUndefined();
    }
  });
  test("lets nothing through that is refused, and leaves files alone", async () => {
    const refused = await judge([{ kind: "exec", target: "rm x" }], input({ sandbox: "broken" }));
    expect(refused.decision.kind).toBe("refuse");
    const written = await judge([{ kind: "write", target: "a" }], input({ sandbox: "broken" }));
    expect(written.decision).toEqual({ kind: "allow", reason: "mode" });
  });
});

test("a command that will run fenced in says so, with or without the network", async () => {
  for (const network of [false, true]) {
    const judged = await judge([{ kind: "exec", target: "make" }], input({ sandbox: { network } }));
    expect(judged).toMatchObject({ decision: { kind: "allow" }, sandbox: { network } });
  }
});
