/** Protected names and files that make other programs run code, by path component in every spelling. */
import { type WildcardAtom, matchAtoms, wildcardAtoms } from "@/server/base/wildcard";

/** Policy for names. `protectedNames`: the user's, one path component each; `*` matches any run of characters. */
export interface NamePolicy {
  readonly protectedNames: readonly string[];
  /** Returns whether a rule denies reading this path, relative to the project: searches and lists omit it. */
  isDenied?(relative: string): boolean;
  /** Folders in the project with the program's own data and keys, relative to it; "." = the whole project. */
  readonly privateFolders?: readonly string[];
}

const harmlessEnvFiles: ReadonlySet<string> = new Set([".env.example", ".env.sample", ".env.template"]);

/** Folders whose whole content is run by, or configures, another program. */
const codeRunningFolders: ReadonlySet<string> = new Set([
  ".vscode",
  ".idea",
  ".husky",
  ".githooks",
  ".devcontainer",
  ".lefthook",
  ".gopi",
  ".fleet",
  ".zed",
  ".cursor",
  ".claude",
  ".codex",
  ".gemini",
  ".continue",
  ".windsurf",
  ".opencode",
  ".crush",
  ".kiro",
  ".roo",
  ".direnv",
  ".circleci",
  ".buildkite",
  ".git-hooks",
  "git-hooks",
  "githooks",
  ".devbox",
  ".trunk",
  ".mvn",
  ".bundle",
  ".ssh",
  ".gnupg",
  ".vim",
  ".emacs.d",
  ".agents",
  ".junie",
  ".augment",
  ".amazonq",
  ".goose",
  ".qwen",
  ".clinerules",
  ".roorules",
  ".cline",
  ".kilocode",
  ".trae",
  ".factory",
  ".iflow",
  ".forgejo",
  ".woodpecker",
  ".mise",
  ".overcommit",
  "launchagents",
  "launchdaemons",
  "cron.d",
  "cron.daily",
  "cron.hourly",
  "cron.weekly",
  "cron.monthly",
  "profile.d",
  "sudoers.d",
]);

const codeRunningFiles: ReadonlySet<string> = new Set([
  ".mcp.json",
  "mcp.json",
  ".pre-commit-config.yaml",
  ".pre-commit-config.yml",
  "lefthook.yml",
  "lefthook.yaml",
  ".lefthook.yml",
  ".lefthook.yaml",
  ".lefthook-local.yml",
  "lefthook-local.yml",
  "lefthook-local.yaml",
  "lefthook.toml",
  "lefthook.json",
  "prek.toml",
  ".huskyrc",
  ".lintstagedrc",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  ".pnp.cjs",
  ".pnp.loader.mjs",
  ".devcontainer.json",
  ".aider.conf.yml",
  ".ripgreprc",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".profile",
  ".inputrc",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".cshrc",
  ".tcshrc",
  ".login",
  ".vimrc",
  "_vimrc",
  ".exrc",
  ".nvimrc",
  ".nvim.lua",
  ".emacs",
  ".dir-locals.el",
  ".gdbinit",
  ".lldbinit",
  ".tmux.conf",
  ".screenrc",
  ".mise.toml",
  "mise.toml",
  ".tool-versions",
  ".asdfrc",
  ".sdkmanrc",
  ".pdbrc",
  ".xonshrc",
  ".nanorc",
  ".wezterm.lua",
  "nuget.config",
  "uv.toml",
  "pnpm-workspace.yaml",
  ".bash_completion",
  "sitecustomize.py",
  "usercustomize.py",
  ".pythonrc",
  ".pythonstartup",
  "authorized_keys",
  "authorized_keys2",
  "crontab",
  ".crontab",
  "rc.local",
  "sudoers",
  ".pam_environment",
  ".xinitrc",
  ".xprofile",
  ".xsession",
  ".xsessionrc",
  ".hgrc",
  "hgrc",
  ".netrc",
  "_netrc",
  ".curlrc",
  "_curlrc",
  ".wgetrc",
  ".lesskey",
  ".lessfilter",
  ".mailcap",
  ".psqlrc",
  ".sqliterc",
  ".irbrc",
  ".pryrc",
  ".gemrc",
  ".rspec",
  ".rprofile",
  ".renviron",
  ".ghci",
  ".octaverc",
  ".luarc.json",
  ".bazelrc",
  ".bazelversion",
  ".bazeliskrc",
  ".buckconfig",
  ".buckrc",
  ".terraformrc",
  "terraform.rc",
  ".condarc",
  "pip.conf",
  "pip.ini",
  ".pypirc",
  ".pnpmfile.mjs",
  "bunfig.toml",
  ".bunfig.toml",
  "init.gradle",
  "init.gradle.kts",
  "gradle-wrapper.properties",
  "maven-wrapper.properties",
  "rust-toolchain",
  "rust-toolchain.toml",
  "mise.local.toml",
  ".rtx.toml",
  ".envrc.local",
  ".overcommit.yml",
  ".lintstagedrc.json",
  ".lintstagedrc.js",
  ".lintstagedrc.cjs",
  ".lintstagedrc.mjs",
  ".lintstagedrc.yml",
  ".lintstagedrc.yaml",
  "jenkinsfile",
  ".travis.yml",
  ".drone.yml",
  ".cirrus.yml",
  ".appveyor.yml",
  "appveyor.yml",
  ".woodpecker.yml",
  "azure-pipelines.yml",
  "bitbucket-pipelines.yml",
  // Instruction files of agents: ours and others'.
  "agents.md",
  "agents.local.md",
  "agents.override.md",
  "agent.md",
  "claude.md",
  "claude.local.md",
  "gemini.md",
  "qwen.md",
  "crush.md",
  "opencode.md",
  "warp.md",
  "copilot-instructions.md",
  ".cursorrules",
  ".roomodes",
  ".aider.conf.yaml",
  ".windsurfrules",
  ".goosehints",
  ".rules",
]);

/** Pairs of adjacent path components below which everything runs code. */
const codeRunningPairs: readonly (readonly [string, string])[] = [
  [".github", "workflows"],
  [".github", "actions"],
  [".config", "fish"],
  [".cargo", "config"],
  [".yarn", "plugins"],
  [".yarn", "releases"],
  [".cargo", "config.toml"],
  [".github", "instructions"],
  [".github", "prompts"],
  [".github", "chatmodes"],
  [".github", "agents"],
  [".gradle", "init.d"],
  [".gradle", "gradle.properties"],
  [".gradle", "init.gradle"],
  [".m2", "settings.xml"],
  [".docker", "config.json"],
  [".docker", "cli-plugins"],
  [".kube", "config"],
  [".aws", "config"],
  [".aws", "credentials"],
  [".ipython", "profile_default"],
  [".jupyter", "jupyter_notebook_config.py"],
  [".local", "bin"],
  ["share", "applications"],
  ["systemd", "user"],
  ["systemd", "system"],
  ["spool", "cron"],
  ["etc", "init.d"],
  ...["profile", "bash.bashrc", "zsh", "environment", "ld.so.preload"].map((name) => ["etc", name] as const),
  ...[
    "git",
    "systemd",
    "autostart",
    "environment.d",
    "bash",
    "lefthook",
    "starship.toml",
    "kitty",
    "alacritty",
    "wezterm",
    "uv",
    "nvim",
    "vim",
    "helix",
    "zed",
    "zsh",
    "nushell",
    "powershell",
    "tmux",
    "mise",
    "direnv",
    "pip",
    "npm",
    "pnpm",
    "yarn",
    "nix",
    "containers",
    "i3",
    "sway",
    "hypr",
    "dotnet-tools.json",
    "gh",
  ].map((name) => [".config", name] as const),
];

const harmlessGitFiles: ReadonlySet<string> = new Set([
  ".gitignore",
  ".gitkeep",
  ".github",
  ".git-blame-ignore-revs",
  ".gitmessage",
]);

/**
 * Returns the canonical spelling of a name: the one that case-insensitive, normalising or Windows file systems would
 * read. Removes full width and ignorable characters, case, an alternate stream (`x::$INDEX`), trailing dots and
 * spaces.
 */
function canonicalName(component: string): string {
  const plain = /^[\x21-\x7e]*$/.test(component)
    ? component
    : component.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  const colon = plain.indexOf(":");
  return (colon > 0 ? plain.slice(0, colon) : plain).toLowerCase().replace(/[. ]+$/, "");
}

const compiledNames = new WeakMap<readonly string[], readonly (readonly WildcardAtom[])[]>();

/** Returns the user's names as patterns, compiled once per list; only the star is a wildcard. */
function compileUserNames(names: readonly string[]): readonly (readonly WildcardAtom[])[] {
  const compiled = compiledNames.get(names);
  if (compiled !== undefined) return compiled;
  const patterns = names
    .map((name) => canonicalName(name.replace(/\/+$/, "")))
    .filter((name) => name !== "")
    .map((name) => wildcardAtoms(name.replace(/[\\?[]/g, "\\$&")));
  compiledNames.set(names, patterns);
  return patterns;
}

function isProtectedSpelling(name: string, policy: NamePolicy): boolean {
  if (name === ".git" || /^(?:git|env)~\d+$/.test(name)) return true;
  if (name.startsWith(".env") && !harmlessEnvFiles.has(name)) return true;
  const chars = [...name];
  return compileUserNames(policy.protectedNames).some((pattern) => matchAtoms(pattern, chars));
}

/**
 * Returns whether one path component is protected: `.git`, `.env*` (except examples), the user's names. The pair
 * `node_modules/.cache` is checked by isProtectedPath.
 */
export function isProtectedName(component: string, policy: NamePolicy): boolean {
  // A backslash is a plain character here but a separator elsewhere: every piece counts.
  if (component.includes("\\"))
    return component.split("\\").some((piece) => isProtectedSpelling(canonicalName(piece), policy));
  return isProtectedSpelling(canonicalName(component), policy);
}

/** Returns whether any component, or the pair `node_modules/.cache`, of a path with forward slashes is protected. */
export function isProtectedPath(relative: string, policy: NamePolicy): boolean {
  if (policy.isDenied?.(relative) === true) return true;
  if (policy.privateFolders?.some((folder) => isInFolder(folder, relative)) === true) return true;
  let previous = "";
  for (const component of relative.split(/[/\\]/)) {
    if (component === "" || component === ".") continue;
    const name = canonicalName(component);
    if (isProtectedSpelling(name, policy) || (previous === "node_modules" && name === ".cache")) return true;
    previous = name;
  }
  return false;
}

/** Returns whether a path is the folder or below it, in every spelling of the components. */
function isInFolder(folder: string, relative: string): boolean {
  const parts = (path: string): readonly string[] =>
    path
      .split(/[/\\]/)
      .filter((part) => part !== "" && part !== ".")
      .map(canonicalName);
  const names = parts(relative);
  return parts(folder).every((part, index) => part === names[index]);
}

/**
 * Returns whether writing this file can make another program run code: git, editor, hook, shell and agent
 * configuration, ours included.
 */
export function runsCode(relative: string): boolean {
  const names = relative.split(/[/\\]/).map(canonicalName);
  return names.some((name, index) => {
    if (codeRunningFolders.has(name) || codeRunningFiles.has(name) || /.\.(?:code-workspace|pth)$/.test(name))
      return true;
    if (name.startsWith(".git") && !harmlessGitFiles.has(name)) return true;
    return codeRunningPairs.some(([folder, child]) => name === child && names[index - 1] === folder);
  });
}
