import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findGitPrograms } from "./git-config-text";
import { findTrustFindings, trustFindings } from "./trust";

describe("git settings that run a program", () => {
  const table: readonly (readonly [text: string, found: readonly string[]])[] = [
    ["[core]\n\tfsmonitor = ./x.sh", ["core.fsmonitor"]],
    ["[core]\n\tfsmonitor = true", []],
    ["[core]\n\tfsmonitor", []],
    ["[core]\n\thooksPath = hooks", ["core.hookspath"]],
    ["[CORE]\nSSHCommand=x", ["core.sshcommand"]],
    ["[core] pager = x", ["core.pager"]],
    ["[diff]\nexternal = x", ["diff.external"]],
    ['[diff "a b"]\ntextconv = x', ["diff.a b.textconv"]],
    [
      '[filter "lfs"]\n clean = x\n smudge = y\n process = z',
      ["filter.lfs.clean", "filter.lfs.smudge", "filter.lfs.process"],
    ],
    ["[filter.old]\nclean = x", ["filter.old.clean"]],
    ['[merge "m"]\ndriver = x', ["merge.m.driver"]],
    ["[alias]\nst = status", []],
    ["[alias]\nst = !rm -r .", ["alias.st"]],
    ['[alias]\nst = "!rm -r ."', ["alias.st"]],
    ["[include]\npath = ../x", ["include.path"]],
    ['[includeIf "gitdir:/"]\npath = x', ["includeif.gitdir:/.path"]],
    ["[credential]\nhelper = store", ["credential.helper"]],
    ['[credential "https://x"]\nhelper = !f', ["credential.https://x.helper"]],
    ['[hook "x"]\nevent = pre-commit\ncommand = y', ["hook.x.command"]],
    ["[pager]\nlog = x", ["pager.log"]],
    ["[pager]\nlog = false", []],
    ["[gpg]\nprogram = x", ["gpg.program"]],
    ['[gpg "ssh"]\nprogram = x', ["gpg.ssh.program"]],
    ['[remote "o"]\nurl = x\nuploadpack = y', ["remote.o.uploadpack"]],
    ['[submodule "s"]\nupdate = checkout', []],
    ['[submodule "s"]\nupdate = !x', ["submodule.s.update"]],
    ["[protocol]\nallow = always", ["protocol.allow"]],
    ["[core]\nfsmoni\\\ntor = x", ["core.fsmonitor"]],
    ["\uFEFF[core]\nfsmonitor = x", ["core.fsmonitor"]],
    ["[core]\r\nfsmonitor = x\r\n", ["core.fsmonitor"]],
    ["# [core]\n; fsmonitor = x", []],
    ["[core]\n# fsmonitor = x", []],
    ["[user]\nname = core.fsmonitor\nemail = x", []],
    ['[branch "main"]\nremote = origin\nmerge = refs/heads/main', []],
    ["fsmonitor = x", []],
    ["", []],
    ["[", []],
  ];
  test.each(table)("%j: %j", (text, found) => expect(findGitPrograms(text)).toEqual(found));

  test("are found where git itself finds them", () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "gopi-config-")));
    const file = join(folder, "config");
    const text = '[core]\n\tfsmonitor = "./x y" # c\n[filter "a\\"b"]\n\tclean = cat\n';
    writeFileSync(file, text);
    const names = execFileSync("git", ["config", "--file", file, "--list", "--name-only"], { encoding: "utf8" });
    expect(findGitPrograms(text)).toEqual(names.trim().split("\n"));
    rmSync(folder, { recursive: true, force: true });
  });
});

describe("trust findings of a folder", () => {
  let root = "";
  const put = (path: string, text = "x", mode = 0o644): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), mode);
  };
  const findings = async (folder = root) =>
    (await findTrustFindings(folder)).map(
      ({ kind, path, detail }) => `${kind} ${path}${detail === undefined ? "" : ` ${detail}`}`,
    );
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "gopi-trust-")));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test("are empty for a plain or missing folder", async () => {
    put("src/a.ts");
    put("README.md");
    put("package.json", "{}");
    expect(await findings()).toEqual([]);
    expect(await findings(join(root, "none"))).toEqual([]);
  });

  test("have kind, path and setting", async () => {
    put(".git/config", "[core]\nbare = false\nfsmonitor = ./run\n");
    put(".git/hooks/pre-commit", "#!/bin/sh\n", 0o755);
    put(".git/hooks/post-merge", "#!/bin/sh\n", 0o644);
    put(".git/hooks/pre-push.sample", "#!/bin/sh\n", 0o755);
    for (const path of [
      "AGENTS.md",
      ".cursorrules",
      ".claude/skills/pdf/SKILL.md",
      ".husky/pre-commit",
      ".vscode/tasks.json",
      ".idea/x.xml",
      ".mcp.json",
    ])
      put(path);
    expect(await findings()).toEqual([
      "git_program .git/config core.fsmonitor",
      "git_hook .git/hooks/pre-commit",
      "instructions AGENTS.md",
      "instructions .cursorrules",
      "instructions .claude/skills",
      "hook_manager .husky",
      "editor .vscode/tasks.json",
      "editor .idea",
      "mcp .mcp.json",
    ]);
  });

  test("of a linked work tree come from the folder its .git file names", async () => {
    const tree = join(root, "tree");
    mkdirSync(tree);
    writeFileSync(join(tree, ".git"), `gitdir: ${join(root, ".git/worktrees/tree")}\n`);
    put(".git/worktrees/tree/commondir", "../..\n");
    expect(await findings(tree)).toEqual(["git_program .git/config core.fsmonitor", "git_hook .git/hooks/pre-commit"]);
  });

  test("are found without running programs, waiting for pipes or reading large files", async () => {
    const odd = join(root, "odd");
    mkdirSync(join(odd, ".git"), { recursive: true });
    execFileSync("mkfifo", [join(odd, ".git/config")]);
    symlinkSync("/dev/zero", join(odd, ".git/config.worktree"));
    expect(await findings(odd)).toEqual([]);
    writeFileSync(join(root, ".git/config"), "[core]\nfsmonitor = x\n".repeat(100_000));
    expect((await findings())[0]).toBe("git_program .git/config core.fsmonitor");
    const many = Array.from({ length: 2_000 }, (_, index) => `[filter "f${index}"]\nclean = x\n`).join("");
    writeFileSync(join(root, ".git/config"), many);
    expect(await findings()).toHaveLength(trustFindings);
  });
});
