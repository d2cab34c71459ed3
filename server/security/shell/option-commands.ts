/** Finds commands inside the options of programs that are not wrappers: git, tar, rsync, editors. */
import { literalWord, type Word } from "./shell-words";
import { wrappedWords, type WrappedCommand, wrappedScript, programName, unreadableCommand } from "./wrapped-commands";

interface CommandCarrier {
  readonly program: RegExp;
  /**
   * Long options that carry or load a command. A prefix of at least three letters matches, as in the programs
   * themselves.
   */
  readonly longs?: readonly string[];
  /** Words, as written, that carry or load a command. */
  readonly words?: RegExp;
  /** Short options that take a command as the next word or attached. */
  readonly shorts?: RegExp;
}

const commandCarriers: readonly CommandCarrier[] = [
  {
    program: /^(?:bsd|g)?tar$/,
    longs: [
      "to-command",
      "checkpoint-action",
      "use-compress-program",
      "info-script",
      "new-volume-script",
      "rsh-command",
      "rmt-command",
    ],
    shorts: /^-[a-zA-Z]*[IF]/,
  },
  { program: /^rsync$/, longs: ["rsh", "rsync-path"], shorts: /^-[a-zA-Z]*e/ },
  {
    program: /^(?:g?vim?|nvim|view|vimdiff|gvimdiff|rvim|ex|emacs|emacsclient|nano|micro|kak|hx)$/,
    longs: ["cmd", "eval", "execute", "load", "funcall", "script"],
    words: /^\+/,
    shorts: /^-(?:[cSsuWl]|f$)/,
  },
  {
    program: /^(?:ssh|scp|sftp|autossh|mosh)$/,
    words: /(?:Proxy|Local|KnownHosts)Command|^--ssh/i,
    shorts: /^-[a-zA-Z]*F/,
  },
  { program: /^g?sort$/, longs: ["compress-program"] },
  { program: /^rg$/, longs: ["pre", "hostname-bin"] },
  {
    program: /^(?:gdb|lldb|cgdb)$/,
    longs: ["eval-command", "command", "init-command", "init-eval-command", "one-line", "source"],
    words: /^-{1,2}(?:ex|iex|x|ix|o|O|s|S|k)$/,
  },
  {
    program: /^(?:sqlite3?|litecli)$/,
    words: /(?:^|[\s;])\.(?:shell|system|load|import|output|once|excel)\b/,
    shorts: /^-(?:cmd|init)/,
  },
  { program: /^(?:psql|mysql|mariadb)$/, words: /\\!|\\o\s*\||(?:^|;)\s*system\b/ },
  { program: /^man$/, longs: ["pager", "html", "browser", "preprocessor"], shorts: /^-[PH]/ },
  { program: /^zip$/, longs: ["unzip-command"], shorts: /^-[a-zA-Z]*TT/ },
  { program: /^(?:g?make|gnumake)$/, longs: ["eval"], words: /^(?:SHELL|MAKE|MAKEFLAGS)[:+?!]?=/ },
  { program: /^just$/, longs: ["command", "shell"], shorts: /^-c/ },
  { program: /^cargo$/, longs: ["shell"], shorts: /^-s$/ },
  { program: /^(?:fzf|sk)$/, longs: ["preview", "bind", "execute"] },
  { program: /^(?:nc|ncat|netcat)$/, longs: ["exec", "sh-exec", "lua-exec"], shorts: /^-[a-zA-Z]*[ec]/ },
  { program: /^socat$/, words: /(?:EXEC|SYSTEM|SHELL):/i },
  { program: /^curl$/, longs: ["config"], shorts: /^-[a-zA-Z]*K/ },
  { program: /^wget$/, longs: ["use-askpass", "execute", "config"], shorts: /^-[a-zA-Z]*e/ },
  {
    program: /^git$/,
    longs: ["exec-path", "config-env"],
    words: /^--(?:upload-pack|receive-pack)\b|(?:^|=)(?:ext|fd)::/,
  },
];

/** Returns the commands that these words pass to a shell; empty when none is recognised. */
export function optionCommands(words: readonly Word[]): readonly WrappedCommand[] {
  const first = words[0];
  if (first === undefined || !first.literal) return [];
  const name = programName(first);
  const rest = words.slice(1);
  const own = commandCarriers
    .filter((carrier) => carrier.program.test(name))
    .flatMap((carrier) => carrierCommands(carrier, rest));
  return name === "git" ? [...own, ...gitCommands(rest)] : own;
}

function carrierCommands(carrier: CommandCarrier, words: readonly Word[]): readonly WrappedCommand[] {
  return words.flatMap((word, at) => {
    const { text } = word;
    const long = /^--([a-z][a-z-]{2,})(?:=(.*))?$/s.exec(text);
    const name = long?.[1] ?? "";
    if (long !== null && carrier.longs?.some((one) => one.startsWith(name)) === true)
      return optionScript(long[2] === undefined ? words[at + 1] : literalWord(long[2].replace(/^exec=/, "")));
    if (carrier.shorts?.test(text) === true) return optionScript(words[at + 1]);
    return carrier.words?.test(text) === true ? optionScript(undefined) : [];
  });
}

/**
 * Marks the part as unreadable, because it is not known how the program interprets the value. Blocked words in the
 * value stay blocked.
 */
const optionScript = (word: Word | undefined): readonly WrappedCommand[] => [
  unreadableCommand([], "option"),
  ...(word?.literal === true && /^[\w./-]/.test(word.text) ? [wrappedScript(word, "dynamic")] : []),
];

/** Git settings whose value git runs, or that name a folder of programs. */
const runningSettings =
  /^(?:alias\.|core\.(?:fsmonitor|pager|editor|sshcommand|hookspath|askpass|gitproxy|attributesfile)|pager\.|sequence\.|diff\..*(?:external|command|textconv)|diff\.external|filter\.|merge\..*driver|mergetool\.|difftool\.|credential|gpg\.|interactive\.|uploadpack|remote\..*(?:uploadpack|receivepack|vcs)|protocol\.|include|init\.templatedir|submodule\.|url\.|sendemail|browser\.|web\.|man\.|help\.|trailer\.|hook)/i;

const runningGitOption =
  /^(?:-x|--(?:exec|extcmd|setup|httpd|browser|access-hook|smtp-server|[a-z]+-cmd|[a-z-]+-filter)(?:=.*)?)$/s;

function gitCommands(words: readonly Word[]): readonly WrappedCommand[] {
  const inners: WrappedCommand[] = [];
  for (const [at, { text }] of words.entries()) {
    const next = words[at + 1];
    if (text === "-c" && (next?.literal !== true || runningSettings.test(next.text)))
      inners.push(unreadableCommand([], "option"));
    else if (runningGitOption.test(text) && !text.includes("=") && next !== undefined)
      inners.push(wrappedScript(next, "dynamic"));
    else if (runningGitOption.test(text))
      inners.push(wrappedScript(literalWord(text.slice(text.indexOf("=") + 1)), "dynamic"));
    else if (/^(?:-x|-O|--open-files-in-pager=).+/.test(text) || /^--upl?o?a?d?-?p?a?c?k?$/.test(text))
      inners.push(unreadableCommand([], "option"));
    else if (/^(?:-u|-c|--config)/.test(text) && words.slice(0, at).some((word) => word.text === "clone"))
      inners.push(unreadableCommand([], "option"));
    else if (runningSettings.test(text) && words.slice(0, at).some((word) => word.text === "config"))
      inners.push(...configuredCommand(words.slice(at + 1)));
    else if (text === "foreach" || (text === "run" && words[at - 1]?.text === "bisect"))
      inners.push(...joinedCommand(words.slice(at + 1)));
  }
  return inners;
}

/** `git config alias.x value`: git runs the value later. Without a value it only prints. */
const configuredCommand = (words: readonly Word[]): readonly WrappedCommand[] =>
  words.some((word) => !word.text.startsWith("-")) ? [unreadableCommand([], "option")] : [];

/** Returns the command of `foreach` or `bisect run`: git joins the words and passes them to a shell. */
function joinedCommand(words: readonly Word[]): readonly WrappedCommand[] {
  const command = words.slice(words.findIndex((word) => !word.text.startsWith("-")));
  const [only] = command;
  if (only === undefined) return [];
  return command.length === 1 && /\s/.test(only.text) ? [wrappedScript(only, "dynamic")] : [wrappedWords(command, {})];
}
