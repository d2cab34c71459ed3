/** Matches allow rules against parsed commands and proposes the rule that an approval card may offer. */
import type { Rule, RulePattern } from "@/lib/permissions/policy";
import type { CommandSegment } from "../shell/parsed-command";
import { programName } from "../shell/wrapped-commands";

/** Programs whose second word is a verb: a rule for the verb may allow any further words. */
const verbPrograms: ReadonlySet<string> = new Set([
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "npx",
  "bunx",
  "deno",
  "git",
  "gh",
  "cargo",
  "go",
  "make",
  "gmake",
  "just",
  "task",
  "docker",
  "podman",
  "kubectl",
  "helm",
  "terraform",
  "pip",
  "pip3",
  "pipx",
  "poetry",
  "uv",
  "uvx",
  "pipenv",
  "pdm",
  "hatch",
  "bundle",
  "gem",
  "rake",
  "rails",
  "composer",
  "php",
  "mvn",
  "gradle",
  "gradlew",
  "mvnw",
  "sbt",
  "mix",
  "dotnet",
  "swift",
  "zig",
  "brew",
  "apt",
  "apt-get",
  "dnf",
  "turbo",
  "nx",
  "lerna",
  "flutter",
  "dart",
  "cmake",
  "ninja",
  "bazel",
  "nix",
  "tox",
  "nox",
  "vite",
  "next",
  "prisma",
  "drizzle-kit",
  "stack",
  "cabal",
]);

/** Verbs that only start something else: the word after them belongs to the rule too. */
const runVerbs: ReadonlySet<string> = new Set([
  "run",
  "run-script",
  "exec",
  "x",
  "dlx",
  "compose",
  "remote",
  "config",
  "tool",
]);

const scriptPrograms =
  /^(?:node|nodejs|tsx|ts-node|python[\d.]*|pypy\d*|ruby|perl|php|lua|rscript|julia|sh|bash|zsh|dash)$/;

const maxWords = 12;

/**
 * Returns whether a rule may cover the segment: only plain words of a plain command, with no assignments, no output
 * and no words added at run time.
 */
export function canHaveRule(segment: CommandSegment, writes: boolean): boolean {
  return (
    segment.words.length > 0 &&
    segment.unreadable === null &&
    segment.wrapper === "none" &&
    segment.assignments.length === 0 &&
    !segment.special &&
    !segment.openEnded &&
    !writes &&
    segment.words.every((word) => word.literal && !word.glob && !word.tilde)
  );
}

type CommandRule = Extract<Rule, { readonly tool: "bash" }>;

/**
 * Returns the allow rules whose words begin this command, word by word. `atRoot`: the command runs in the project's
 * root.
 */
export function matchingRules(
  segment: CommandSegment,
  rules: readonly Rule[],
  atRoot: boolean,
): readonly CommandRule[] {
  const words = segment.words.map((word) => word.text);
  if (!atRoot && dependsOnFolder(words)) return [];
  return rules
    .filter((rule) => rule.tool === "bash")
    .filter((rule) => rule.effect === "allow" && coversWords(rule, words));
}

function coversWords(rule: RulePattern, words: readonly string[]): boolean {
  if (rule.words.length === 0 || (rule.rest ? words.length < rule.words.length : words.length !== rule.words.length))
    return false;
  return rule.words.every((word, index) => word === words[index]);
}

/**
 * Returns whether the command depends on the current folder: a relative program or script is a different one
 * elsewhere.
 */
const dependsOnFolder = (words: readonly string[]): boolean =>
  (words[0]?.includes("/") === true && !words[0].startsWith("/")) || scriptPrograms.test(words[0] ?? "");

/** Returns the rule that "Always allow" would create; null where it could not apply. */
export function proposedRule(segment: CommandSegment, atRoot: boolean): RulePattern | null {
  const words = segment.words.map((word) => word.text);
  const first = segment.words[0];
  if (first === undefined || words.length > maxWords || (!atRoot && dependsOnFolder(words))) return null;
  if (words.some((word) => word === "" || /[\p{Cc}\p{Cf}]/u.test(word))) return null;
  const second = words[1];
  const name = programName(first);
  if (second !== undefined && !second.startsWith("-")) {
    if (verbPrograms.has(name)) {
      if (isTooVaried(name, words)) return exactPattern(words);
      const length = ruleLength(words);
      if (length > words.length) return exactPattern(words);
      // `npm run` alone starts nothing; with any word after it, anything.
      return words[length - 1]?.startsWith("-") || isRunVerb(words, length - 1)
        ? exactPattern(words)
        : { tool: "bash", words: words.slice(0, length), rest: true };
    }
    if (scriptPrograms.test(name)) {
      if (!verbScripts.test(second)) return { tool: "bash", words: words.slice(0, 2), rest: true };
      return words[2] === undefined || words[2].startsWith("-")
        ? exactPattern(words)
        : { tool: "bash", words: words.slice(0, 3), rest: true };
    }
  }
  // A git option before the verb, such as -c, changes what the verb runs.
  return name === "git" ? null : exactPattern(words);
}

/** Git verbs that discard or delete, depending on the words after them. */
const destructiveGitVerbs =
  /^(?:clean|reset|checkout|restore|switch|rm|gc|prune|reflog|replace|update-ref|filter-branch|filter-repo|read-tree|checkout-index|symbolic-ref)$/;

/** Programs whose words are targets: another one runs something else. */
const targetPrograms = /^(?:g?make|gnumake|ninja|rake|just|task|mvnw?|gradlew?|sbt)$/;

/** Verbs of infrastructure that change what is running. */
const applyingVerbs =
  /^(?:apply|destroy|import|taint|untaint|force-unlock|delete|drain|replace|patch|scale|uninstall|rollback)$/;

/** Words whose next word decides what happens. */
const groupVerbs: Readonly<Record<string, RegExp>> = {
  git: /^(?:worktree|stash|remote|submodule|bisect|notes|bundle|lfs|subtree|sparse-checkout|maintenance)$/,
  gh: /^(?!api$|status$|browse$|search$)[a-z-]+$/,
  glab: /^(?!api$)[a-z-]+$/,
  terraform: /^(?:state|workspace|providers|metadata)$/,
  tofu: /^(?:state|workspace|providers|metadata)$/,
  docker:
    /^(?:exec|run|container|image|volume|network|system|builder|buildx|context|plugin|service|stack|swarm|secret|config)$/,
  podman: /^(?:exec|run|container|image|volume|network|system|pod|machine|secret)$/,
  kubectl: /^(?:config|rollout|exec|auth|certificate|cluster-info|top|set|create)$/,
  uv: /^(?:pip|tool|python|cache|self)$/,
  poetry: /^(?:env|self|source|cache)$/,
  npm: /^(?:cache|pkg|team|org|token|access|owner|dist-tag|profile)$/,
  pnpm: /^(?:store|env|server|patch)$/,
  cargo: /^(?:xtask|nextest|make)$/,
  go: /^(?:mod|work|telemetry)$/,
  flutter: /^(?:pub|config)$/,
  dart: /^pub$/,
  dotnet: /^(?:ef|tool|nuget|sln|workload)$/,
  nix: /^(?:profile|store|registry|flake)$/,
  prisma: /^(?:migrate|db|studio)$/,
  wrangler: /^(?:kv|r2|d1|secret|pages|queues|versions|deployments)$/,
  supabase: /^(?:db|migration|functions|secrets|storage)$/,
  pip: /^(?:cache|config|index)$/,
  pip3: /^(?:cache|config|index)$/,
  brew: /^(?:services|tap|bundle)$/,
  helm: /^(?:repo|plugin|dependency|registry)$/,
  deno: /^task$/,
  yarn: /^(?:workspaces|plugin|cache|npm|version)$/,
  rails: /^(?:db|g|generate|runner|runner)$/,
};

/** Programs of packages whose words are files and options: no word after them is a verb. */
const verblessPrograms =
  /^(?:jest|vitest|mocha|ava|tap|eslint|prettier|stylelint|tsc|tsx|ts-node|esbuild|rimraf|pytest|py\.test|black|mypy|isort|flake8|format)$/;

/** Scripts of frameworks whose next word is a verb. */
const verbScripts = /(?:^|\/)(?:manage\.py|setup\.py|artisan|console|rails|cli\.[a-z]+)$/;

/**
 * Counts the words up to the one that determines what runs: `npm test`, `npm run build`, `docker compose exec web`,
 * `uv run python script.py`.
 */
function ruleLength(words: readonly string[]): number {
  if (words[0] === "yarn" && words[1] === "workspace") return 4;
  let length = 2;
  while (length < words.length && (isRunVerb(words, length - 1) || scriptPrograms.test(words[length - 1] ?? "")))
    length += 1;
  const [program = "", verb = ""] = words;
  if (groupVerbs[programName({ text: program })]?.test(verb) === true)
    length = Math.max(length, isContainerVerb(program, verb) ? 4 : 3);
  if (isComposeRun(words)) length = 5;
  const last = words[length - 1] ?? "";
  if (verbScripts.test(last)) return length + 1;
  // A program that a runner starts has verbs of its own.
  const isStarted =
    /^(?:npx|bunx|pnpx|uvx)$/.test(program) ||
    (runVerbs.has(verb) && packageRunners.test(program)) ||
    (/^(?:exec|dlx|x)$/.test(verb) && nodeManagers.test(program));
  if (!isStarted || verblessPrograms.test(last) || scriptFile.test(last) || words[length]?.startsWith("-") === true)
    return length;
  return groupVerbs[last]?.test(words[length] ?? "") === true ? length + 2 : length + 1;
}

const nodeManagers = /^(?:npm|pnpm|yarn|bun)$/;

const packageRunners = /^(?:uv|poetry|pipenv|pdm|hatch|rye)$/;
const scriptFile = /\.(?:[cm]?[jt]sx?|py|rb|sh)$/;

const isContainerVerb = (program: string, verb: string): boolean =>
  /^(?:docker|podman)$/.test(program) && /^(?:exec|run)$/.test(verb);

const isComposeRun = ([program = "", verb, action = ""]: readonly string[]): boolean =>
  /^(?:docker|podman)$/.test(program) && verb === "compose" && /^(?:exec|run)$/.test(action);

/** Options that make a command only show something: a rule for it must not cover it without them. */
const showingOption = /^--(?:list|help|version|dry-run|check)$/;

/** Returns whether further words of the same command could do something quite different. */
function isTooVaried(name: string, words: readonly string[]): boolean {
  const verb = words[1] ?? "";
  if (words.some((word) => showingOption.test(word))) return true;
  // With options before the container its name, and what runs in it, are somewhere else.
  const inContainer = isComposeRun(words) ? words.slice(3) : isContainerVerb(name, verb) ? words.slice(2) : [];
  if (inContainer[0]?.startsWith("-") === true || scriptPrograms.test(inContainer[1] ?? "")) return true;
  if (targetPrograms.test(name)) return true;
  if (name === "git") return destructiveGitVerbs.test(verb);
  return /^(?:terraform|tofu|kubectl|helm)$/.test(name) && applyingVerbs.test(verb);
}

/** In `npm run x` the x is a script. */
const isRunVerb = (words: readonly string[], at: number): boolean =>
  runVerbs.has(words[at] ?? "") && !/^run(?:-script)?$/.test(words[at - 1] ?? "");

/** Returns a rule for exactly this command. */
export const exactRule = (segment: CommandSegment): RulePattern => exactPattern(segment.words.map((word) => word.text));

const exactPattern = (words: readonly string[]): RulePattern => ({ tool: "bash", words, rest: false });
