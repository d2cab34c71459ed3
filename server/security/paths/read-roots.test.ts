/**
 * Read roots: folders beside the project that the model may read, here one in the program's home. They only add:
 * what belongs to the project is judged by the project alone.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judgeAccesses, type JudgeOptions } from "@/server/agent/tools/judge-accesses";
import { modes, type ToolAccess } from "@/lib/permissions/policy";
import { filesRule } from "../decisions/test-decision-fixture";
import { isReadDenied } from "../rules/path-rules";
import { childPath, modelPath, ownerPath, type PathPolicy, policyForRoot, privatePathPolicy } from "./safe-path";

interface Places {
  readonly root: string;
  readonly home: string;
  readonly readRoots: readonly string[];
}

const top = realpathSync(mkdtempSync(join(tmpdir(), "gopi-roots-")));
const pathIn = (path: string): string => `${top}/${path}`;
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** The home beside the project, with skills that tools may read. */
const beside: Places = { root: pathIn("project"), home: pathIn("home"), readRoots: [pathIn("home/skills")] };
/** A user's home folder as the project, with the program's home in it. */
const around: Places = { root: top, home: pathIn("home"), readRoots: [pathIn("home/skills")] };
/** The project inside a read root that contains the home as well. */
const within: Places = { root: pathIn("project"), home: pathIn("home"), readRoots: [top] };

beforeAll(() => {
  for (const folder of ["project/skills", "project/docs", "home/skills/pdf", "home/skills-evil", "other"])
    mkdirSync(pathIn(folder), { recursive: true });
  for (const file of [
    "project/a.txt",
    "project/.env",
    "project/docs/a.md",
    "project/skills/pdf.md",
    "home/server.json",
    "home/skills/pdf/SKILL.md",
    "home/skills/pdf/.env",
    "home/skills/.git",
    "home/skills-evil/x",
    "other/x",
  ])
    writeFileSync(pathIn(file), file);
  const links: readonly (readonly [string, string])[] = [
    ["project/to-skill", "../home/skills/pdf"],
    ["project/to-home", "../home"],
    ["project/.env.link", "../home/skills/pdf/SKILL.md"],
    ["home/skills/to-token", "../server.json"],
    ["home/skills/to-home", ".."],
    ["home/skills/to-other", "../../other"],
    ["home/skills/to-disk", "/etc"],
    ["home/skills/to-self", "pdf"],
    ["home/skills/to-project", "../../project/a.txt"],
    ["home/skills/to-env", "pdf/.env"],
    ["home/skills/to-nothing", "pdf/new.md"],
    ["home/to-skills", "skills"],
  ];
  for (const [link, target] of links) symlinkSync(target, pathIn(link));
});

const policyOf = ({ root, home, readRoots }: Places): PathPolicy => ({
  root,
  protectedNames: ["secret*"],
  readRoots,
  ...privatePathPolicy(root, home),
});

/** Returns the shown path, an absolute one without the temporary folder at its start; or `!` and the code. */
function shownOrCode(places: Places, text: string, use: "read" | "write" = "read"): string {
  const found = modelPath(text, use, policyOf(places));
  if (!found.ok) return `!${found.error.code}`;
  const { shown, readRoot } = found.value;
  return readRoot === null ? shown : shown.slice(top.length);
}

describe("a path beside the project", () => {
  const table: readonly (readonly [string, string])[] = [
    // in the read root, in every spelling
    [pathIn("home/skills"), "/home/skills"],
    [pathIn("home/skills/pdf/SKILL.md"), "/home/skills/pdf/SKILL.md"],
    [pathIn("home/skills/new.md"), "/home/skills/new.md"],
    ["../home/skills/pdf/SKILL.md", "/home/skills/pdf/SKILL.md"],
    [pathIn("home/skills/pdf/../pdf/SKILL.md"), "/home/skills/pdf/SKILL.md"],
    [pathIn("home/skills/../skills/pdf"), "/home/skills/pdf"],
    [pathIn("home/skills/to-self/SKILL.md"), "/home/skills/pdf/SKILL.md"],
    // through a link of the project or the home: judged where it leads
    ["to-skill/SKILL.md", "/home/skills/pdf/SKILL.md"],
    ["to-home/skills/pdf", "/home/skills/pdf"],
    [pathIn("home/to-skills/pdf"), "/home/skills/pdf"],
    [pathIn("home/skills/to-project"), "a.txt"],
    // the project's own paths stay what they are
    ["skills/pdf.md", "skills/pdf.md"],
    ["skills/pdf/SKILL.md", "skills/pdf/SKILL.md"],
    ["pdf/SKILL.md", "pdf/SKILL.md"],
    // private and outside
    [pathIn("home"), "!protected"],
    [pathIn("home/server.json"), "!protected"],
    [pathIn("home/skills/.."), "!protected"],
    [pathIn("home/skills/../server.json"), "!protected"],
    [pathIn("home/skills/pdf/../../server.json"), "!protected"],
    [pathIn("home/skills-evil/x"), "!protected"],
    [pathIn("home/SKILLS/pdf/SKILL.md"), "!protected"],
    [pathIn("HOME/skills/../server.json"), "!protected"],
    [pathIn("home/skills/to-token"), "!protected"],
    [pathIn("home/skills/to-home"), "!protected"],
    [pathIn("home/skills/to-home/server.json"), "!protected"],
    ["to-home", "!protected"],
    ["to-home/server.json", "!protected"],
    ["to-skill/../../server.json", "!protected"],
    [pathIn("home/skills/to-other/x"), "!outside"],
    [pathIn("home/skills/to-disk/passwd"), "!outside"],
    [pathIn("home/skills/../../other/x"), "!outside"],
    [pathIn("other/x"), "!outside"],
    // protected names, at the target, as spelled and on the way
    [pathIn("home/skills/pdf/.env"), "!protected"],
    [pathIn("home/skills/.git"), "!protected"],
    [pathIn("home/skills/secret.md"), "!protected"],
    [pathIn("home/skills/to-env"), "!protected"],
    [".env.link", "!protected"],
    // not a path
    [`${pathIn("home/skills/pdf")}\0/../../server.json`, "!bad_path"],
    [`${pathIn("home/skills")}/${"a".repeat(256)}`, "!bad_path"],
    [`${pathIn("home/skills")}/\ud800`, "!bad_path"],
    [pathIn("home/skills/to-nothing"), "!broken_link"],
  ];
  test.each(table)("%j leads to %s", (text, expected) => expect(shownOrCode(beside, text)).toBe(expected));

  test("is not writable, and neither readable nor writable for the owner's editor", () => {
    const { readRoots } = beside;
    for (const text of [
      ...readRoots,
      pathIn("home/skills/pdf/SKILL.md"),
      pathIn("home/skills/new.md"),
      "to-skill/SKILL.md",
    ]) {
      expect([text, shownOrCode(beside, text, "write")]).toEqual([text, "!protected"]);
      for (const use of ["read", "write"] as const)
        expect(ownerPath(text, use, policyOf(beside))).toMatchObject({ error: { code: "outside" } });
    }
    const shared: Places = { ...beside, readRoots: [pathIn("other")] };
    expect(shownOrCode(shared, pathIn("other/x"))).toBe("/other/x");
    expect(shownOrCode(shared, pathIn("other/x"), "write")).toBe("!outside");
  });

  test("in the user's home folder is expanded", () => {
    const places = { root: pathIn("project"), home: pathIn("home"), readRoots: [realpathSync(homedir())] };
    expect(modelPath("~/notes.txt", "read", policyOf(places))).toMatchObject({
      value: { shown: join(realpathSync(homedir()), "notes.txt"), relative: "notes.txt" },
    });
    expect(modelPath("~/notes.txt", "read", policyOf(beside))).toMatchObject({ error: { code: "outside" } });
  });

  test("is outside when the read root was given by a link", () => {
    symlinkSync("other", pathIn("other-link"));
    const places = { ...beside, readRoots: [pathIn("other-link")] };
    for (const text of [pathIn("other-link/x"), pathIn("other/x")]) expect(shownOrCode(places, text)).toBe("!outside");
  });
});

describe("a read root inside the project", () => {
  test.each([
    ["home/skills/pdf/SKILL.md", "/home/skills/pdf/SKILL.md"],
    [pathIn("home/skills"), "/home/skills"],
    ["project/to-skill/SKILL.md", "/home/skills/pdf/SKILL.md"],
    ["home/server.json", "!protected"],
    ["home/skills/to-token", "!protected"],
    ["home/skills/../server.json", "!protected"],
    ["home/skills/pdf/.env", "!protected"],
    ["HOME/skills/pdf/SKILL.md", "!protected"],
    ["home/skills/to-other/x", "!protected"],
  ])("%s leads to %s", (text, expected) => expect(shownOrCode(around, text)).toBe(expected));

  test("and not private is an ordinary folder of the project, with its rules", () => {
    const places = { ...around, readRoots: [pathIn("other")] };
    expect(shownOrCode(places, "other/x")).toBe("other/x");
    expect(shownOrCode(places, "other/x", "write")).toBe("other/x");
    const rules = [filesRule("deny", "read", "other/x")];
    const policy = { ...policyOf(places), isDenied: (path: string) => isReadDenied(rules, path) };
    for (const text of ["other/x", pathIn("other/x"), pathIn("home/skills/to-other/x")])
      expect(modelPath(text, "read", policy)).toMatchObject({ error: { code: "protected" } });
  });
});

describe("a project inside a read root", () => {
  test.each([
    [pathIn("other/x"), "/other/x"],
    [pathIn("project/a.txt"), "a.txt"],
    [pathIn("other/../project/a.txt"), "a.txt"],
    [pathIn("project/.env"), "!protected"],
    [pathIn("PROJECT/.env"), "!outside"],
    [pathIn("PROJECT/a.txt"), "!outside"],
    [pathIn("home/server.json"), "!protected"],
    [pathIn("home/skills/pdf/SKILL.md"), "!protected"],
    ["to-home/server.json", "!protected"],
  ])("%s leads to %s", (text, expected) => expect(shownOrCode(within, text)).toBe(expected));

  test("is not entered from the read root, so that its rules hold", () => {
    const rules = [filesRule("deny", "read", "docs")];
    const policy = { ...policyOf(within), isDenied: (path: string) => isReadDenied(rules, path) };
    const folder = modelPath(top, "read", policy);
    if (!folder.ok) throw new Error(folder.error.code);
    expect(childPath(folder.value, "project", policy)).toBeNull();
    expect(childPath(folder.value, "home", policy)).toBeNull();
    expect(childPath(folder.value, "other", policy)).toMatchObject({ shown: pathIn("other"), readRoot: top });
    expect(modelPath(pathIn("project/docs/a.md"), "read", policy)).toMatchObject({ error: { code: "protected" } });
  });
});

test("the home itself as a read root, or a folder that contains it, gives nothing of the home", () => {
  for (const readRoot of [beside.home, top, "/"])
    for (const path of ["server.json", "skills/pdf/SKILL.md", "."])
      expect(shownOrCode({ ...beside, readRoots: [readRoot] }, join(beside.home, path))).toBe("!protected");
});

test("a child of a folder in a read root stays in it", () => {
  const policy = policyOf(beside);
  const folder = modelPath(pathIn("home/skills"), "read", policy);
  if (!folder.ok) throw new Error(folder.error.code);
  expect(childPath(folder.value, "pdf", policy)).toMatchObject({ shown: pathIn("home/skills/pdf"), relative: "pdf" });
  expect(childPath(folder.value, "to-project", policy)).toMatchObject({ shown: "a.txt", readRoot: null });
  for (const name of ["to-token", "to-home", "to-other", "to-disk", ".git", "..", "pdf/SKILL.md", "secret.md"])
    expect([name, childPath(folder.value, name, policy)]).toEqual([name, null]);
  expect(policyForRoot(policy, null)).toBe(policy);
});

describe("the decision", () => {
  const input = {
    ...beside,
    cwd: beside.root,
    rules: [],
    approvedTools: new Map(),
    blockedWords: [],
    protectedNames: [],
    sandbox: "off",
  } as const;
  const decided = async (access: ToolAccess, change: Partial<JudgeOptions> = {}): Promise<string> => {
    const { decision } = await judgeAccesses([access], { mode: "ask", ...input, ...change });
    return `${decision.kind} ${decision.reason}`;
  };
  const skill = pathIn("home/skills/pdf/SKILL.md");

  test("allows to read and search a read root in every mode, and never to change it", async () => {
    for (const mode of modes)
      for (const target of [skill, pathIn("home/skills"), "to-skill/SKILL.md", "../home/skills/pdf"]) {
        expect(await decided({ kind: "read", target, recursive: true }, { mode })).toBe("allow reads");
        for (const kind of ["write", "delete"] as const)
          expect(await decided({ kind, target }, { mode })).toBe("refuse protected");
      }
    for (const kind of ["write", "delete"] as const)
      expect(await decided({ kind, target: pathIn("other/x") }, { mode: "full", readRoots: [pathIn("other")] })).toBe(
        "refuse outside",
      );
  });

  test("refuses the rest of the home, also without read roots", async () => {
    for (const target of [
      pathIn("home/server.json"),
      pathIn("home"),
      pathIn("home/skills/to-token"),
      "to-home",
      pathIn("home/SKILLS"),
    ])
      expect(await decided({ kind: "read", target })).toBe("refuse protected");
    expect(await decided({ kind: "read", target: skill }, { readRoots: [] })).toBe("refuse protected");
    expect(await decided({ kind: "read", target: `${skill}\0` })).toBe("refuse outside");
    expect(await decided({ kind: "read", target: "pdf/SKILL.md" })).toBe("allow reads");
  });

  test("applies no rule of the project to a read root, and every rule to a path of the project", async () => {
    const globs = ["pdf/**", "SKILL.md", "**", "skills/**", relative("/", skill), "home/skills"];
    for (const glob of globs)
      for (const effect of ["deny", "ask"] as const) {
        const rules = [filesRule(effect, "read", glob)];
        expect(await decided({ kind: "read", target: skill }, { rules })).toBe("allow reads");
      }
    const rules = [filesRule("allow", "write", "**"), filesRule("allow", "delete", "**")];
    for (const kind of ["write", "delete"] as const)
      expect(await decided({ kind, target: skill }, { rules, mode: "full" })).toBe("refuse protected");
    const denied = [filesRule("deny", "read", "skills/**")];
    for (const target of [
      "skills/pdf.md",
      pathIn("project/skills/pdf.md"),
      pathIn("home/skills/../../project/skills/pdf.md"),
    ])
      expect(await decided({ kind: "read", target }, { rules: denied })).toBe("refuse rule_denies");
    const inside = { ...within, rules: denied };
    expect(await decided({ kind: "read", target: pathIn("project/skills/pdf.md") }, inside)).toBe("refuse rule_denies");
  });

  test("gives commands nothing: the home stays private, other read roots ask", async () => {
    for (const command of [
      `cat ${skill}`,
      `cd ${dirname(skill)}`,
      `cd ${dirname(skill)} && cat SKILL.md`,
      `echo x > ${skill}`,
      `cp a.txt ${dirname(skill)}`,
      "cat to-skill/SKILL.md",
      "touch to-skill/new",
    ])
      expect([command, await decided({ kind: "exec", target: command }, { mode: "full" })]).toEqual([
        command,
        "refuse protected",
      ]);
    const shared = { readRoots: [pathIn("other")] };
    for (const target of [`cat ${pathIn("other/x")}`, `cd ${pathIn("other")}`, `echo x > ${pathIn("other/x")}`])
      expect(await decided({ kind: "exec", target }, shared)).toMatch(/^ask /);
    expect(await decided({ kind: "exec", target: "cat x" }, { ...shared, cwd: pathIn("other") })).toMatch(/^ask /);
  });
});
