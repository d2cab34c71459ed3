import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { modes } from "@/lib/permissions/policy";
import { settingsDefaults } from "@/lib/settings/settings";
import { judgeAccesses, type JudgeOptions } from "./judge-accesses";

const root = realpathSync(mkdtempSync(join(tmpdir(), "gopi-judge-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const input = (change: Partial<JudgeOptions>): JudgeOptions => ({
  root,
  cwd: root,
  mode: "full",
  rules: [],
  approvedTools: new Map(),
  blockedWords: settingsDefaults.blockedWords,
  protectedNames: [],
  sandbox: "off",
  ...change,
});

describe("a sandbox that is enabled but not available", () => {
  test("makes every command require approval, in every mode, read-only ones too", async () => {
    for (const mode of modes) {
      const { decision, sandbox } = await judgeAccesses(
        [{ kind: "exec", target: "ls" }],
        input({ mode, sandbox: "broken" }),
      );
      expect(decision).toEqual({ kind: "ask", reason: "no_sandbox", options: ["once", "deny"] });
      expect(sandbox).toBeUndefined();
    }
  });
  test("does not weaken refusals and does not affect file access", async () => {
    const refused = await judgeAccesses([{ kind: "exec", target: "rm x" }], input({ sandbox: "broken" }));
    expect(refused.decision.kind).toBe("refuse");
    const written = await judgeAccesses([{ kind: "write", target: "a" }], input({ sandbox: "broken" }));
    expect(written.decision).toEqual({ kind: "allow", reason: "mode" });
  });
});

test("a sandboxed command is marked as such, with and without network access", async () => {
  for (const network of [false, true]) {
    const judged = await judgeAccesses([{ kind: "exec", target: "make" }], input({ sandbox: { network } }));
    expect(judged).toMatchObject({ decision: { kind: "allow" }, sandbox: { network } });
  }
});

describe("a command that provably changes nothing", () => {
  const readsOnly = async (command: string): Promise<boolean | undefined> =>
    (await judgeAccesses([{ kind: "exec", target: command }], input({}))).readsOnly;

  test.each([
    "ls",
    "find / | wc -l",
    "find ../elsewhere -name '*.ts' -type f 2>/dev/null | sort | uniq -c | head -n 5",
    "cd .. && ls",
    "cat ~/x < /etc/hosts",
    "grep -r x / 2>&1 | wc -l",
    "timeout 5 find / -name x | wc -l",
  ])("%s", async (command) => expect(await readsOnly(command)).toBe(true));

  test.each([
    "find / -delete",
    "find / -exec touch {} ';'",
    "find / $x | wc -l",
    "find / | xargs touch",
    "find / > a.txt",
    "find / | tee a.txt",
    "find / -fprint a.txt",
    "sort -o a.txt / *",
    "./find /",
    "find() { touch a; }; find /",
    "source a.sh; find /",
    "PATH=. find /",
    "find / | sh",
    "find / && npm test",
    "# find /",
    "node x.js",
  ])("not %s", async (command) => expect(await readsOnly(command)).toBe(false));
});

test("what a request sends is judged", async () => {
  const judge = (sent: string) =>
    judgeAccesses(
      [{ kind: "net", host: "docs.example.com", method: "GET", sent }],
      input({ sentRisk: async (text) => (text === "secret" ? "holds_secret" : null) }),
    );
  expect((await judge("secret")).decision).toMatchObject({ kind: "ask", reason: "holds_secret" });
  expect((await judge("words")).decision).toMatchObject({ kind: "ask", reason: "new_host" });
});
