/**
 * The program's own home inside a project: its token and database are not accessible to the model, in any
 * spelling.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judgeAccesses, type JudgeOptions } from "@/server/agent/tools/judge-accesses";
import { childPath, isProtectedPath, modelPath, ownerPath, privatePathPolicy } from "./safe-path";

let root: string;
let home: string;
let input: JudgeOptions;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "gopi-home-")));
  home = join(root, ".gopi-web");
  mkdirSync(join(home, "blobs"), { recursive: true });
  mkdirSync(join(root, "src"));
  writeFileSync(join(home, "server.json"), "{}");
  writeFileSync(join(root, "src/a.ts"), "x");
  symlinkSync(".gopi-web", join(root, "link"));
  symlinkSync("../.gopi-web/server.json", join(root, "src/token"));
  input = {
    root,
    cwd: root,
    mode: "ask",
    rules: [],
    approvedTools: new Map(),
    blockedWords: [],
    protectedNames: [],
    home,
    sandbox: "off",
  };
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const policy = () => ({ root, protectedNames: [], ...privatePathPolicy(root, home) });

describe("no path gives the model access", () => {
  test.each([
    ".gopi-web",
    ".gopi-web/server.json",
    "./.gopi-web/../.gopi-web/server.json",
    ".GOPI-WEB/server.json",
    "src/../.gopi-web/blobs",
    "link",
    "link/server.json",
    "src/token",
    ".gopi-web/new-file",
  ])("%s", (path) => {
    const read = modelPath(path, "write", policy());
    expect(read.ok ? "ok" : read.error.code).toBe("protected");
    expect(ownerPath(path.replace(".GOPI-WEB", ".gopi-web"), "write", policy()).ok).toBe(true);
  });

  test("its absolute path is protected, from another project too", () => {
    expect(modelPath(join(home, "server.json"), "read", policy())).toMatchObject({ error: { code: "protected" } });
    const elsewhere = join(root, "src");
    const other = { root: elsewhere, protectedNames: [], ...privatePathPolicy(elsewhere, home) };
    expect(modelPath(join(home, "server.json"), "read", other)).toMatchObject({ error: { code: "protected" } });
    expect(modelPath("a.ts", "read", other).ok).toBe(true);
  });

  test("a walk omits it, and keeps names that look like it", () => {
    const top = modelPath(".", "read", policy());
    if (!top.ok) throw new Error("no root");
    expect(childPath(top.value, ".gopi-web", policy())).toBeNull();
    expect(childPath(top.value, "link", policy())).toBeNull();
    expect(childPath(top.value, "src", policy())).not.toBeNull();
    expect(isProtectedPath(".gopi-web/blobs/x", policy())).toBe(true);
    for (const path of [".gopi-web-notes", "src/.gopi-web", "gopi-web", ".gopi/mcp.json"])
      expect(isProtectedPath(path, policy())).toBe(false);
  });

  test("the home as the project is private as a whole; a project inside the home is not", () => {
    expect(
      modelPath("server.json", "read", { root: home, protectedNames: [], ...privatePathPolicy(home, home) }).ok,
    ).toBe(false);
    const inside = join(home, "work");
    mkdirSync(inside);
    writeFileSync(join(inside, "x"), "");
    const own = { root: inside, protectedNames: [], ...privatePathPolicy(inside, home) };
    expect(modelPath("x", "read", own).ok).toBe(true);
    expect(modelPath("../server.json", "read", own)).toMatchObject({ error: { code: "protected" } });
  });
});

describe("no command reads it", () => {
  const decisionFor = async (command: string, mode: JudgeOptions["mode"]) => {
    const { decision } = await judgeAccesses([{ kind: "exec", target: command }], { ...input, mode });
    return decision.kind === "allow" ? "allow" : `${decision.kind} ${decision.reason}`;
  };
  test.each([
    "cat .gopi-web/server.json",
    'cat "."gopi*/server.json',
    "cat .gopi-we?/server.json",
    "cat link/server.json",
    "cat src/token",
    "cat < .gopi-web/server.json",
    "cd .gopi-web && cat server.json",
    "cp -r .gopi-web out",
    "sqlite3 .gopi-web/gopi.db .dump",
    "ls .gopi-web",
    "x=.gopi-web/server.json; cat $x",
  ])("%s", async (command) => {
    for (const mode of ["ask", "full"] as const) expect(await decisionFor(command, mode)).toBe("refuse protected");
  });
  test.each([
    "grep -r x .",
    "find .",
    "diff . src",
    'cat "$HOME/.gopi-web/server.json"',
    "cat ~root/.gopi-web/server.json",
  ])("%s asks", async (command) => expect(await decisionFor(command, "ask")).toMatch(/^ask/));
  test("a path made at run time asks in Full access", async () =>
    expect(await decisionFor('cat "$HOME/.gopi-web/server.json"', "full")).toBe("ask unreadable"));
  test.each(["cat src/a.ts", "grep x src/a.ts", "ls", "ls -a"])("%s runs without approval", async (command) =>
    expect(await decisionFor(command, "plan")).toBe("allow"),
  );
});
