/** Programs that run another command, as data. */

/** Options by which the words before the command are parsed. */
export interface WrapperOptions {
  /** Short options without a value. */
  readonly flags?: string;
  /** Short options with a value. */
  readonly values?: string;
  /** Long options without a value, blank-separated. */
  readonly longs?: string;
  /** Long options with a value, blank-separated. */
  readonly longValues?: string;
  /** Long options whose value can only be attached: `--replace={}`. */
  readonly longAttached?: string;
  /** Number of operands of the wrapper itself before the command. */
  readonly operands?: number;
  readonly transparent?: boolean;
  readonly openEnded?: boolean;
  /** `NAME=value` words may precede the command. */
  readonly assigns?: boolean;
}

/** Programs that run the command in their words. */
export const wrappers: { readonly [name: string]: WrapperOptions } = {
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
    longValues: "delimiter max-args max-procs max-chars arg-file",
    longAttached: "replace max-lines eof",
    openEnded: true,
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
  uname26: {},
  i386: {},
  i686: {},
  x86_64: {},
  arm64: {},
  aarch64: {},
  choom: { values: "np", longValues: "adjust pid" },
  "systemd-cat": { values: "tp", longValues: "identifier priority stderr-priority level-prefix" },
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
  parallel: { flags: "k0X", values: "jaIN", longs: "bar keep-order dry-run", longValues: "jobs", openEnded: true },
};

/**
 * Package runners and their verbs: the program they start follows the verb, or comes first where there is no verb. A
 * runner is also judged as a program of its own.
 */
export const runners: { readonly [name: string]: readonly string[] } = {
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
  bun: ["x"],
  lerna: ["exec"],
  nx: ["exec"],
  pdm: ["run"],
  pipx: ["run"],
  dotenv: ["run"],
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
export const gnuNames = /^g(?=(?:chroot|env|find|nice|nohup|stdbuf|time|xargs)$)/;

/** Windows-only commands: after a runner such a name is a script of the project. */
export const windowsNames: ReadonlySet<string> = new Set(["format", "del", "erase"]);

/** Programs that take a script with `-c`. */
export const shells: ReadonlySet<string> = new Set([
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
  "yash",
  "oksh",
  "loksh",
  "pdksh",
  "posh",
]);

/** Programs that start another one, with options of many kinds: any word may be the program, or a script. */
export const looseWrappers: ReadonlySet<string> = new Set([
  "at",
  "batch",
  "bwrap",
  "capsh",
  "catchsegv",
  "chpst",
  "chronic",
  "concurrently",
  "cpulimit",
  "daemonize",
  "dumb-init",
  "firejail",
  "flatpak-spawn",
  "gosu",
  "hyperfine",
  "ifne",
  "nodemon",
  "numactl",
  "pee",
  "prlimit",
  "rlwrap",
  "run-parts",
  "screen",
  "sem",
  "setuidgid",
  "softlimit",
  "sshpass",
  "start-stop-daemon",
  "su-exec",
  "tini",
  "tmux",
  "ts",
  "watchexec",
  "xterm",
]);

/** Words that begin or end a statement; unquoted, never programs. */
export const keywords: ReadonlySet<string> = new Set([
  "if",
  "then",
  "elif",
  "else",
  "fi",
  "for",
  "while",
  "until",
  "do",
  "done",
  "case",
  "esac",
  "select",
  "in",
  "function",
  "{",
  "}",
  "!",
  "[[",
  "]]",
  "coproc",
]);

/** Programs that change the meaning of later words, or run a file in this shell. */
export const meaningChangers: ReadonlySet<string> = new Set([
  "alias",
  "unalias",
  "source",
  ".",
  "enable",
  "hash",
  "shopt",
  "bind",
  "complete",
  "fc",
  "history",
]);
