/**
 * Finds words that an allow rule does not cover although its words begin the command: options that write files,
 * run programs or leave the project, listed per program, and operands outside the project. Words of the rule itself
 * were visible when the rule was made.
 */
import type { FsProbe } from "../paths/fs-probe";
import { possiblePaths } from "../commands/word-protection";
import type { Word } from "../shell/shell-words";
import { programName } from "../shell/wrapped-commands";

interface UncoveredWords {
  readonly program: RegExp;
  /** Applies only after this verb. */
  readonly verb?: RegExp;
  /** Long options without their dashes; a prefix of at least three letters matches, as in the programs themselves. */
  readonly longs?: string;
  /** Words as written. */
  readonly words?: RegExp;
}

/** Applies to every program: these options mean much the same everywhere. */
const uncoveredEverywhere: UncoveredWords = {
  program: /^/,
  longs:
    "output output-file output-dir output-directory out-dir outdir outfile output-path outputFile outputDir outDir outFile config config-file cwd prefix root root-dir rootDir project-directory manifest-path directory exec require import loader experimental-loader preload plugin plugins shell script-shell editor pager command eval init-script env-file settings settings-file rcfile globalSetup globalTeardown setupFiles setupFilesAfterEnv runner testRunner test-runner resolver transform reporters reporter-options rulesdir resolve-plugins-relative-to log-file logfile report-file target-dir workspace-root working-directory node-options",
};

const gitProgram = /^git$/;
const codeRunner =
  /^(?:jest|vitest|mocha|eslint|prettier|webpack|vite|rollup|prisma|drizzle-kit|turbo|nx|lerna|playwright|cypress|ava|tap|nyc|c8|stylelint|babel|swc|esbuild|tsup|astro|svelte-kit|remix)$/;
/**
 * Their `-p` is the project or the port; a project file inside the project is as safe as the one they find themselves.
 */
const plainRunner = /^(?:tsc|next)$/;
const runnerLongs =
  "outFile outDir declarationDir outputFile output-path coverageDirectory reportsDirectory schema format formatter parser global-setup cacheDirectory project projects tsconfig ignore-path serve-dir execArgv vmExecArgv pool pools poolOptions poolMatchGlobs environment environmentOptions environmentMatchGlobs env testEnvironment testEnvironmentOptions testSequencer sequencer customProviderModule browser.provider coverage.provider typecheck.checker snapshotSerializers snapshotEnvironment snapshotResolver diff alias deps optimizer preset haste globals moduleNameMapper modulePaths moduleDirectories roots watchPlugins prettierPath testResultsProcessor dependencyExtractor ui opts package spec node-option custom-syntax custom-formatter config-basedir plugin-search-dir env-path presets inject";

const runnerWords = /^-[a-zA-Z]*[corfp]|^--cache-(?:location|file)/;
const uncoveredByProgram: readonly UncoveredWords[] = [
  {
    program: gitProgram,
    longs:
      "output output-directory ext-diff textconv no-index open-files-in-pager upload-pack receive-pack exec exec-path extcmd template separate-git-dir git-dir work-tree config config-env file pathspec-from-file contents ignore-revs-file no-exclude-standard untracked filters unsafe-paths directory reference tree-filter index-filter msg-filter env-filter commit-filter tag-name-filter parent-filter setup editor tool gui upload-archive",
    words: /^(?:ext|fd)::|^--(?:ext-diff|textconv)$/,
  },
  {
    // A repository by its address, not one of the project's remotes: `scheme://…` or `host:path`.
    program: gitProgram,
    verb: /^(?:push|pull|fetch|clone|ls-remote|remote|submodule|archive|bundle|subtree|request-pull)$/,
    words: /:\/\/|^[^-/][^/]*:|^--[\w-]+=[^/]*@[^/]*:/,
  },
  { program: gitProgram, verb: /^push$/, longs: "repo" },
  { program: gitProgram, verb: /^archive$/, longs: "remote" },
  { program: gitProgram, verb: /^grep$/, words: /^-[a-zA-Z]*[Of]/ },
  { program: gitProgram, verb: /^(?:format-patch|archive)$/, words: /^-[a-zA-Z]*o/ },
  { program: gitProgram, verb: /^(?:commit|tag|notes|merge)$/, words: /^-[a-zA-Z]*[Ft]/ },
  { program: gitProgram, verb: /^(?:clone|fetch|pull|ls-remote)$/, words: /^-[a-zA-Z]*[uc]$/ },
  { program: gitProgram, verb: /^(?:rebase|difftool)$/, words: /^-[a-zA-Z]*x/ },
  { program: gitProgram, verb: /^blame$/, words: /^-[a-zA-Z]*S/ },
  {
    program: gitProgram,
    verb: /^push$/,
    longs: "force force-with-lease force-if-includes mirror delete prune all",
    words: /^-[a-zA-Z]*[fd]|^\+|^:/,
  },
  {
    program: gitProgram,
    verb: /^(?:bisect|submodule|stash|worktree|reflog)$/,
    words: /^(?:run|foreach|drop|clear|expire|delete|prune)$/,
  },
  { program: gitProgram, verb: /^tag$/, longs: "delete force", words: /^-[a-zA-Z]*[df]/ },
  { program: /^go$/, verb: /^env$/, words: /^--?[wu]$/ },
  {
    // Code in an option after the script: a script may pass it on.
    program: /^(?:node|nodejs|tsx|ts-node|python[\d.]*|pypy\d*|ruby|perl|php|lua|rscript|julia)$/,
    words: /^-(?:[a-zA-Z]*[ceE]|r)$|^--(?:command|eval|execute|exec|print)(?:=|$)/,
  },
  {
    // A package by its address, not by its name.
    program: /^(?:npm|pnpm|yarn|bun|pip[\d.]*|pipx|uv|poetry|pdm|cargo|go|gem|composer|deno|brew)$/,
    verb: /^(?:i|in|install|add|get|require|update|upgrade|pip|tool|link|ci)$/,
    words:
      /^(?:git|hg|svn|bzr|https?|ssh|file|link|portal|github|gitlab|bitbucket|gist|npm|jsr)[+:]|:\/\/|@(?:git|https?|file|npm|github|link)[+:]|^\.{1,2}\/|^@$/,
  },
  {
    program: /^(?:npm|pnpm|yarn|bun)$/,
    verb: /^(?:i|in|install|add)$/,
    words: /^[\w.-]+\/[\w.-]+(?:#|$)|\.(?:tgz|tar\.gz)$/,
  },
  { program: gitProgram, verb: /^branch$/, longs: "delete force edit-description", words: /^-[a-zA-Z]*[dDfmMcC]/ },
  {
    program: /^(?:npm|pnpm|yarn|bun|npx|bunx|pnpx)$/,
    longs:
      "userconfig globalconfig global location registry init-module cache viewer git python call package node-arg shell-emulator store-dir virtual-store-dir modules-dir modules-folder use-yarnrc dir loglevel-file script-prepend-node-path",
    words: /^-(?:g|C|c|p)$|^--(?:global|location)/,
  },
  {
    program: /^cargo$/,
    longs: "artifact-dir lockfile-path unit-graph",
    words: /^-[ZC]|^\+|^--config/,
  },
  {
    program: /^go$/,
    words:
      /^--?(?:exec|toolexec|o|overlay|modfile|C|vettool|ldflags|gcflags|asmflags|gccgoflags|cpuprofile|memprofile|blockprofile|mutexprofile|coverprofile|outputdir|trace|pkgdir|test\.\w+profile)(?:=|$)/,
  },
  {
    program: /^(?:g?make|gnumake|just|task|ninja|rake)$/,
    longs:
      "file makefile justfile taskfile include-dir set shell-arg dir dotenv-path rakefile libdir rakelibdir execute require",
    words:
      /^-[a-zA-Z]*[fCIdtreEW]|^(?:SHELL|MAKE\w*|\w*(?:CC|CXX|LD|AR|AS|RUNNER|CMD|COMMAND|SHELL|FLAGS|WRAPPER|LAUNCHER))[:+?!]?=|=.*[$`;|&<>]/,
  },
  {
    program: /^(?:docker|podman|nerdctl)$/,
    longs:
      "volume mount privileged device file pid network ipc userns cap-add security-opt entrypoint volumes-from tag host context secret ssh cidfile iidfile metadata-file",
    words: /^-[a-zA-Z]*[vfoH]/,
  },
  {
    program: /^(?:kubectl|helm)$/,
    longs: "kubeconfig filename raw token server post-renderer values set-file kustomize",
    words: /^-[a-zA-Z]*[fkos]/,
  },
  { program: /^(?:gh|glab)$/, longs: "input hostname body-file field raw-field method", words: /^-[a-zA-Z]*[FfX]/ },
  {
    program: /^(?:pip[\d.]*|pipx|uv|uvx|poetry|pdm|hatch|pipenv)$/,
    longs:
      "target src index-url extra-index-url requirement constraint editable log python cert trusted-host config-settings global-option project with with-requirements with-editable default-index index find-links user-install-dir cache-dir python-preference",
    words: /^-[a-zA-Z]*[trcefiPC]/,
  },
  {
    program: /^(?:mvnw?|gradlew?|sbt)$/,
    longs:
      "global-settings toolchains build-file project-dir include-build gradle-user-home project-cache-dir system-prop init-script",
    words:
      /^-(?:f|s|gs|t|gt|l|I|b|c|p|g|J|java-home|sbt-|ivy)|^-D(?:exec\.|maven\.(?:ext|repo|multi)|jvm|argLine|org\.gradle\.(?:java|jvm)|.*(?:executable|path|classpath|outputDirectory))/i,
  },
  {
    program: /^dotnet$/,
    longs:
      "project property configfile logger test-adapter-path results-directory diag artifacts-path source tool-path add-source",
    words: /^-(?:o|p:|p|s)\b/,
  },
  {
    program: /^(?:terraform|tofu)$/,
    words: /^--?(?:chdir|state|state-out|out|backup|plugin-dir|var-file|auto-approve|destroy)/,
  },
  {
    program: /^(?:bazel|bazelisk)$/,
    longs:
      "run_under script_path output_base output_user_root bazelrc override_repository action_env test_env host_jvm_args",
  },
  { program: /^nix$/, longs: "expr impure option override-input out-link profile include", words: /^-[cfIo]$/ },
  { program: /^deno$/, longs: "import-map location cert v8-flags lock allow-all", words: /^-[a-zA-Z]*[Acr]|^--allow-/ },
  {
    program: /^(?:php|ruby|perl|rails|bundle|composer|gem|mix)$/,
    longs: "gemfile install-dir bindir source working-dir build-root",
    words: /^-(?:d|r|I|e|S|i)/,
  },
  { program: /^(?:tox|nox)$/, longs: "override workdir noxfile conf sitepackages", words: /^-[a-zA-Z]*[cfx]/ },
  {
    program: /^(?:cmake|ctest|cpack|swift|zig|flutter|dart|stack|cabal|brew|apt|apt-get|dnf)$/,
    words: /^-(?:[CPDEBoS]|-package-path|-scratch-path|-build-path|-option|-config-file)/,
  },
  { program: /^jest$/, longs: "filter" },
  { program: codeRunner, longs: runnerLongs, words: runnerWords },
  {
    program: plainRunner,
    longs: runnerLongs.replace("project projects ", ""),
    words: /^-[a-zA-Z]*[corf]|^--cache-(?:location|file)/,
  },
  // The same options reach a runner through a script.
  {
    program: /^(?:npm|pnpm|yarn|bun)$/,
    verb: /^(?:t|test|run|run-script|lint)$/,
    longs: runnerLongs,
    words: runnerWords,
  },
  {
    program: /^(?:pytest|py\.test)$/,
    longs:
      "confcutdir override-ini pastebin basetemp junitxml junit-xml resultlog report-log html pyargs import-mode pythonpath",
    // Letters that take a value end a group of short options.
    words: /^-[^-kmnrW]*[pco]|^@|^--(?:cov-config|cov-report=\w+:|pdbcls|debug=|d[sc](?:=|$))/,
  },
];

/** Returns whether words of the command from index `from` on (those not in the rule) exceed what the rule covers. */
export function exceedsRule(words: readonly Word[], from: number, probe: FsProbe, cwd: string | null): boolean {
  const first = words[0];
  if (first === undefined) return true;
  const names = words.slice(0, Math.max(from, 1)).map(programName);
  const texts = words.map((word) => word.text);
  const head = texts.slice(1, Math.max(from, 2));
  // After options (`git --no-pager push`) the verb may be any word.
  const verbs = head.every((text) => text.startsWith("-")) ? texts : head;
  // The words after the program that npx starts belong to that program.
  const programs = names[0] === "npx" && plainRunner.test(names[1] ?? "") ? names.slice(1) : names;
  const own = [uncoveredEverywhere, ...uncoveredByProgram].filter(
    ({ program, verb }) =>
      programs.some((name) => program.test(name)) && (verb === undefined || verbs.some((text) => verb.test(text))),
  );
  const listed = names[0] === "git" ? own.filter((reach) => reach !== uncoveredEverywhere) : own;
  const branches = pushedBranches(texts);
  return words
    .slice(from)
    .some(
      (word) =>
        !branches.has(word.text) &&
        (listed.some((reach) => isUncovered(word.text, reach)) || leavesProject(word, probe, cwd)),
    );
}

/** Returns the `from:to` operands of `git push remote from:to`: not addresses when a remote name precedes them. */
function pushedBranches([program, verb, ...rest]: readonly string[]): ReadonlySet<string> {
  const none: ReadonlySet<string> = new Set();
  if (program !== "git" || verb !== "push") return none;
  const [remote, ...branches] = rest.filter((text) => !pushFlags.test(text));
  if (remote === undefined || !/^[A-Za-z][\w-]*$/.test(remote)) return none;
  const isPlain = branches.every((text) => /^[A-Za-z\d][\w./@~^-]*(?::[A-Za-z\d][\w./-]*)?$/.test(text));
  return isPlain ? new Set(branches.filter((text) => text.includes(":") && !text.includes(".."))) : none;
}

/** Options of git push that take no value. */
const pushFlags = /^(?:-[unvq]+|--(?:set-upstream|tags|follow-tags|atomic|dry-run|verbose|quiet|progress|no-verify))$/;

function isUncovered(text: string, { longs, words }: UncoveredWords): boolean {
  if (words?.test(text) === true) return true;
  const name = /^--([A-Za-z][\w.-]+)/.exec(text)?.[1];
  if (name === undefined || longs === undefined) return false;
  const listed = longs.split(" ");
  // Some programs read `--a.b-c` as `--a.bC`: the option `bC` of a group.
  const exact = new Set([name, ...[name, ...name.split(".")].map(inCamelCase)]);
  // Programs with options in camel case do not accept prefixes.
  return listed.some((long) => exact.has(long) || (name.length > 2 && long.startsWith(name) && !/[A-Z.]/.test(long)));
}

const inCamelCase = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Returns whether an operand, or part of one, is a path outside the project. Words with blanks are mostly prose. */
function leavesProject(word: Word, probe: FsProbe, cwd: string | null): boolean {
  const { text: whole } = word;
  const isFileUrl = /^\S*file:/i.test(whole);
  // An encoded or generated path can be any path.
  if (isFileUrl && /file:\S*[%{[\\]/i.test(whole)) return true;
  if (cwd === null) return isFileUrl;
  if (!isFileUrl && (/\s/.test(whole) || isNetworkAddress(whole))) return false;
  return possiblePaths(word).some(
    (text) =>
      (text.startsWith("/") || text.startsWith("~/") || /(?:^|\/)\.\.(?:\/|$)/.test(text)) &&
      !/^\/dev\/(?:null|stdout|stderr)$/.test(text) &&
      probe.locate(text, cwd).kind !== "inside",
  );
}

/** Returns whether every `://` in it has a complete scheme before it and a host after it. */
function isNetworkAddress(text: string): boolean {
  const all = text.match(/:\/\//g)?.length ?? 0;
  return all > 0 && all === text.match(/(?:^-?|[=,:@/])[a-z][a-z0-9+.-]*:\/\/(?=[^/])/gi)?.length;
}
