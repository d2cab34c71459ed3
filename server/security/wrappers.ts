/** Programs that run another command given in their words, and how to find it. Used by shell-parser.ts. */
import { plainWord, type Word } from "./shell-words";

/** What a wrapper runs. */
export interface Inner {
  /** The command it runs, word by word. */
  readonly words: readonly Word[];
  /** A text it hands to a shell. */
  readonly script: string | null;
  /** Further words come at run time. */
  readonly tail: boolean;
  /** Why not all of it can be known; null when it can. */
  readonly unreadable: string | null;
  /** Words one of which may be the command, when the options could not be read. */
  readonly suspects: readonly string[];
  /** The wrapper itself has no effect of its own. */
  readonly transparent: boolean;
}

interface WrapperOptions {
  /** Short options without a value. */
  readonly flags?: string;
  /** Short options with a value. */
  readonly values?: string;
  /** Long options without a value, blank-separated. */
  readonly longs?: string;
  /** Long options with a value, blank-separated. */
  readonly longValues?: string;
  /** Words of its own before the command. */
  readonly operands?: number;
  readonly transparent?: boolean;
  readonly tail?: boolean;
  /** `NAME=value` words may stand before the command. */
  readonly assigns?: boolean;
}

const wrappers: { readonly [name: string]: WrapperOptions } = {
  command: { flags: "p", transparent: true },
  builtin: { transparent: true },
  exec: { flags: "cl", values: "a" },
  time: { flags: "pv", transparent: true },
  timeout: {
    flags: "v",
    values: "ks",
    longs: "foreground preserve-status verbose",
    longValues: "kill-after signal",
    operands: 1,
    transparent: true,
  },
  gtimeout: { values: "ks", operands: 1 },
  nice: { values: "n", longValues: "adjustment", transparent: true },
  nohup: {},
  ionice: { flags: "t", values: "cn", longValues: "class classdata" },
  chrt: { flags: "bfior", operands: 1 },
  taskset: { flags: "a", operands: 1 },
  setsid: { flags: "cfw", longs: "fork wait ctty" },
  stdbuf: { values: "ioe", longValues: "input output error" },
  unbuffer: { flags: "p" },
  env: { flags: "i0v", values: "u", longs: "ignore-environment null debug", longValues: "unset", assigns: true },
  sudo: { flags: "AbEeHKknPSVils", values: "ugpCTrthURD", longValues: "user group prompt chdir host", assigns: true },
  doas: { flags: "nLs", values: "uC" },
  pkexec: { longs: "disable-internal-agent", longValues: "user" },
  runuser: { values: "ugG" },
  setpriv: { longs: "clear-groups no-new-privs reset-env", longValues: "reuid regid groups" },
  xargs: {
    flags: "0rtxop",
    values: "IdnPLsaE",
    longs: "null no-run-if-empty verbose interactive exit",
    longValues: "replace delimiter max-args max-procs max-lines max-chars arg-file",
    tail: true,
  },
  busybox: {},
  toybox: {},
  watch: { flags: "bcdegtxw", values: "n", longs: "differences exec color beep no-title", longValues: "interval" },
  strace: { flags: "fFqrtTvxyCciknw", values: "eopsaEuPSI", longs: "follow-forks" },
  ltrace: { flags: "fcCirStT", values: "eopsaulnx" },
  valgrind: { flags: "vq" },
  chroot: { longValues: "userspec groups", operands: 1 },
  unshare: { flags: "mipunUrfCT", longs: "mount uts ipc net pid user fork map-root-user" },
  nsenter: { flags: "amuinpUCr", values: "tSG" },
  flock: {
    flags: "sxenuFv",
    values: "wE",
    longs: "shared exclusive nonblock verbose",
    longValues: "timeout",
    operands: 1,
  },
  setarch: { flags: "R" },
  linux32: {},
  linux64: {},
  "systemd-run": { flags: "tPqGr", values: "pu", longs: "user scope pty quiet wait", longValues: "unit property" },
  entr: { flags: "acdnprsxz" },
  proxychains: { flags: "q", values: "f" },
  proxychains4: { flags: "q", values: "f" },
  fakeroot: {},
  torsocks: {},
  "dbus-run-session": {},
  "ssh-agent": {},
  "xvfb-run": { flags: "al", values: "efnpsw" },
  caffeinate: { flags: "dimsu", values: "tw" },
  "cross-env": { assigns: true },
  parallel: { flags: "k0X", values: "jaIN", longs: "bar keep-order dry-run", longValues: "jobs", tail: true },
};

/** Package runners: the program they start stands behind the verb, or first where there is none. They stay programs of their own. */
const runners: { readonly [name: string]: readonly string[] } = {
  npx: [],
  bunx: [],
  pnpx: [],
  uvx: [],
  uv: ["run"],
  poetry: ["run"],
  pipenv: ["run"],
  pnpm: ["exec", "dlx"],
  npm: ["exec", "x"],
  yarn: ["exec", "dlx"],
  bundle: ["exec"],
  rye: ["run"],
  hatch: ["run"],
  direnv: ["exec"],
  mise: ["exec", "x"],
  nvm: ["exec"],
  conda: ["run"],
  dotenvx: ["run"],
  perf: ["stat", "record", "trace"],
  gdb: ["--args"],
};

/** The names Homebrew gives to the GNU programs. */
const gnuNames = /^g(?=(?:chroot|env|find|nice|nohup|stdbuf|time|xargs)$)/;

/** Commands of Windows alone: behind a runner such a name is a script of the project. */
const windowsNames: ReadonlySet<string> = new Set(["format", "del", "erase"]);

const shells: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "zsh",
  "dash",
  "ash",
  "ksh",
  "mksh",
  "fish",
  "csh",
  "tcsh",
  "rbash",
]);

/** The base name a word runs by: after quote removal, without folder, case and Windows ending. */
export function programName(word: Word): string {
  const base = word.text.slice(word.text.lastIndexOf("/") + 1).toLowerCase();
  return base.replace(/\.(?:exe|com|cmd|bat)$/, "");
}

/** `sh -c`, `bash` … */
export const isShell = (name: string): boolean => shells.has(name);

/** Every command these words run besides the program they name; empty when it is no wrapper. */
export function unwrap(words: readonly Word[]): readonly Inner[] {
  const first = words[0];
  if (first === undefined || !first.literal) return [];
  const name = programName(first).replace(gnuNames, "");
  const rest = words.slice(1);
  if (name === "find" || name === "fd" || name === "fdfind") return finderCommands(rest);
  if (isShell(name)) return [shellScript(rest)];
  if (name === "eval") return [joinedScript(rest)];
  if (name === "trap") return trapScript(rest);
  if (/^(?:su|sg|script)$/.test(name) || (name === "runuser" && rest.some((word) => word.text === "-c")))
    return [scriptOption(rest)];
  if (name === "command" && /^-[pvV]*[vV]/.test(rest[0]?.text ?? "")) return [];
  if (name === "busybox" || name === "toybox") return [found(rest, {})];
  if (Object.hasOwn(runners, name)) return runnerProgram(words);
  if (/^ld(?:-linux|-musl|64)?[\w-]*\.so/.test(name))
    return [behindOptions(rest, { longValues: "library-path preload" })];
  const options = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  if (options === undefined) return [];
  if (name === "env") return [envCommand(rest, options)];
  if (name === "watch" || name === "parallel" || name === "entr") return [typedCommand(rest, options)];
  if (name === "flock") return [lockedCommand(behindOptions(rest, options))];
  // The architecture may be left out.
  if (name === "setarch") return [rest, rest.slice(1)].map((own) => behindOptions(own, options));
  return [behindOptions(name === "nice" || name === "ionice" ? withoutNumbers(rest) : rest, options)];
}

const found = (words: readonly Word[], options: WrapperOptions): Inner => ({
  words,
  script: null,
  tail: options.tail === true,
  unreadable: words[0] !== undefined && !words[0].literal ? "dynamic" : null,
  suspects: [],
  transparent: options.transparent === true,
});

const unclear = (words: readonly Word[], why: string): Inner => ({
  words: [],
  script: null,
  tail: true,
  unreadable: why,
  suspects: words.filter((word) => !word.text.startsWith("-")).map(programName),
  transparent: false,
});

const ofScript = (word: Word | undefined, why: string): Inner =>
  word?.literal && !word.glob
    ? { words: [], script: word.text, tail: false, unreadable: null, suspects: [], transparent: false }
    : unclear([], why);

const list = (names: string | undefined): readonly string[] => names?.split(" ") ?? [];

/** How many words an option takes with it; null when it is none this wrapper is known to have. */
function optionLength(text: string, options: WrapperOptions): number | null {
  if (text.startsWith("--")) {
    const [name = "", value] = text.slice(2).split(/=(.*)/s);
    if (list(options.longValues).includes(name)) return value === undefined ? 2 : 1;
    return list(options.longs).includes(name) && value === undefined ? 1 : null;
  }
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (options.values?.includes(letter)) return at === text.length - 1 ? 2 : 1;
    if (!options.flags?.includes(letter)) return null;
  }
  return 1;
}

function behindOptions(words: readonly Word[], options: WrapperOptions): Inner {
  let at = 0;
  for (let word = words[at]; word !== undefined; word = words[at]) {
    if (!word.literal || word.glob) return unclear(words.slice(at), "dynamic");
    if (word.text === "--") {
      at += 1;
      break;
    }
    if (options.assigns === true && /^[A-Za-z_]\w*=/.test(word.text)) {
      at += 1;
      continue;
    }
    if (!word.text.startsWith("-") || word.text === "-") break;
    const length = optionLength(word.text, options);
    if (length === null) return unclear(words.slice(at), "option");
    at += length;
  }
  const operands = options.operands ?? 0;
  if (words.slice(at, at + operands).some((word) => !word.literal || word.glob))
    return unclear(words.slice(at), "dynamic");
  at += operands;
  return found(words.slice(at), options);
}

/** What stands behind a runner and its verb, options first; null when it is no runner, or runs nothing here. */
function behindRunner(words: readonly Word[]): readonly Word[] | null {
  const name = words[0] === undefined ? "" : programName(words[0]);
  const verbs = Object.hasOwn(runners, name) ? runners[name] : undefined;
  if (verbs === undefined) return null;
  const verb = words.findIndex((word, at) => at > 0 && verbs.includes(word.text));
  return verbs.length > 0 && verb < 0 ? null : words.slice(Math.max(verb, 0) + 1);
}

/** The command a package runner starts, word by word; null for every other program. */
export function runnerCommand(words: readonly Word[]): readonly Word[] | null {
  const own = behindRunner(words);
  const program = own?.findIndex((word) => !word.text.startsWith("-")) ?? -1;
  return own === null || program < 0 ? null : own.slice(program);
}

/** A rule is for the runner, a blocked word stays blocked, and what a shell or wrapper behind it runs is seen. */
function runnerProgram(words: readonly Word[]): readonly Inner[] {
  const own = behindRunner(words) ?? [];
  const script = own.findIndex((word) => /^(?:-c|--call)(?:=|$)/.test(word.text));
  const program = own.findIndex((word) => !word.text.startsWith("-"));
  if (script >= 0 && (program < 0 || script < program)) return [unclear(own, "script")];
  const command = own.slice(program);
  const first = command[0];
  if (program < 0 || first === undefined) return [];
  const name = programName(first);
  const suspects = windowsNames.has(name) ? [] : [name];
  return [{ ...found([], {}), suspects, unreadable: first.literal ? null : "dynamic" }, ...unwrap(command)];
}

/** `flock file -c text` hands the text to a shell. */
function lockedCommand(inner: Inner): Inner {
  const [first, script] = inner.words;
  return first?.text === "-c" || first?.text === "--command" ? ofScript(script, "dynamic") : inner;
}

function envCommand(words: readonly Word[], options: WrapperOptions): Inner {
  const at = words.findIndex((word) => /^(?:-[i0v]*S|--split-string)/.test(word.text));
  const command = behindOptions(words, options);
  if (at < 0 || words.slice(0, at).some((word) => !word.text.startsWith("-") && !word.text.includes("=")))
    return command;
  const option = words[at];
  const attached = option?.text.replace(/^(?:-[i0v]*S|--split-string)=?/, "") ?? "";
  const script = attached === "" ? words.slice(at + 1) : [plainWord(attached), ...words.slice(at + 2)];
  // env splits by rules of its own: the inner command is judged as far as it can be seen, and asked for.
  return { ...joinedScript(script), unreadable: "option" };
}

/** `nice -10 x` and `nice -n 10 x`. */
const withoutNumbers = (words: readonly Word[]): readonly Word[] =>
  words[0] !== undefined && /^-\d+$/.test(words[0].text) ? words.slice(1) : words;

/** watch and parallel hand their words, joined, to a shell. */
function typedCommand(words: readonly Word[], options: WrapperOptions): Inner {
  const inner = behindOptions(words, options);
  return inner.unreadable !== null || inner.words.length === 0
    ? inner
    : { ...joinedScript(inner.words), tail: inner.tail };
}

function joinedScript(words: readonly Word[]): Inner {
  if (words.some((word) => !word.literal || word.glob)) return unclear(words, "dynamic");
  return ofScript(plainWord(words.map((word) => word.text).join(" ")), "dynamic");
}

function trapScript(words: readonly Word[]): readonly Inner[] {
  const first = words[0]?.text === "--" ? words[1] : words[0];
  return first === undefined || (first.literal && /^-(?:[lp].*)?$/.test(first.text))
    ? []
    : [ofScript(first, "dynamic")];
}

/** `sh -c text`: the first word after the options is the script. A script file is no inner command. */
function shellScript(words: readonly Word[]): Inner {
  const none: Inner = { words: [], script: null, tail: false, unreadable: null, suspects: [], transparent: false };
  let command = false;
  for (const [at, word] of words.entries()) {
    if (!word.literal) return unclear(words.slice(at), "dynamic");
    if (/^[-+]o$/.test(words[at - 1]?.text ?? "")) continue;
    if (/^--(?:norc|noprofile|posix|login|verbose)$/.test(word.text)) continue;
    if (word.text === "--" || !/^[-+]./.test(word.text)) {
      const script = word.text === "--" ? words[at + 1] : word;
      if (command) return ofScript(script, "dynamic");
      return script === undefined || script.text === "-" || script.text.startsWith("/dev/")
        ? unclear([], "stdin")
        : none;
    }
    if (!/^[-+][a-zA-Z]+$/.test(word.text)) return unclear(words.slice(at), "option");
    if (/^-[a-zA-Z]*s/.test(word.text)) return unclear([], "stdin");
    command ||= /^-[a-zA-Z]*c/.test(word.text);
  }
  return unclear([], command ? "option" : "stdin");
}

function scriptOption(words: readonly Word[]): Inner {
  const at = words.findIndex((word) => /^(?:-[a-z]*c|--command)$/.test(word.text));
  return at < 0 ? unclear(words, "stdin") : ofScript(words[at + 1], "dynamic");
}

const execActions: ReadonlySet<string> = new Set([
  "-exec",
  "-execdir",
  "-ok",
  "-okdir",
  "-x",
  "-X",
  "--exec",
  "--exec-batch",
]);

/** Every `-exec … ;` or `-exec … +` of find and fd. */
function finderCommands(words: readonly Word[]): readonly Inner[] {
  const commands: Inner[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!execActions.has(words[at]?.text ?? "")) continue;
    const from = at + 1;
    while (at < words.length && words[at]?.text !== ";" && !(words[at]?.text === "+" && words[at - 1]?.text === "{}"))
      at += 1;
    commands.push(found(words.slice(from, at), { tail: true }));
  }
  return commands;
}
