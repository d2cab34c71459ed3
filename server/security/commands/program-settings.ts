/** Recognizes commands that change the settings of a program, so that it later starts another one. */
import type { Word } from "../shell/shell-words";
import { programName } from "../shell/wrapped-commands";

/** Verbs that store a setting outside the project, or register a program with the system. */
const settingCommands: readonly (readonly [program: RegExp, words: RegExp])[] = [
  [/^(?:npm|pnpm|yarn)$/, /^(?:-\S+ (?:[^-\s]\S* )??)*(?:(?:config|c) (?:-\S+ )*(?:set|edit)|set)(?: |$)/],
  [/^pip[\d.]*$/, /^config (?:\S+ )*?(?:set|edit)(?: |$)/],
  [/^go$/, /^env (?:\S+ )*?-w(?: |$)/],
  [/^(?:gh|glab)$/, /^(?:alias (?:set|import)|config set|extension install)(?: |$)/],
  [/^aws$/, /^(?:-\S+ (?:[^-\s]\S* )?)*configure set(?: |$)/],
  [/^kubectl$/, /^config (?:\S+ )*?set-credentials(?: |$)/],
  [/^conda$/, /^config (?:\S+ )*?--(?:add|set|append|prepend)(?: |$)/],
  [/^composer$/, /^(?:global config|(?:\S+ )*?config (?:\S+ )*?(?:-g|--global))(?: |$)/],
  [/^gem$/, /^sources (?:\S+ )*?(?:-a|--add)(?: |$)/],
  [/^(?:code|codium|cursor)$/, /^(?:\S+ )*?--install-extension(?:[ =]|$)/],
  [/^systemctl$/, /^(?:\S+ )*?(?:enable|link|edit|set-property)(?: |$)/],
  [/^launchctl$/, /^(?:load|bootstrap|submit)(?: |$)/],
  [/^defaults$/, /^(?:\S+ )*?write(?: |$)/],
  [/^(?:at|batch)$/, /^(?:\S+ )*?-f/],
  [/^update-alternatives$/, /^(?:\S+ )*?--(?:install|set|config)(?: |$)/],
  [/^(?:chsh|visudo)$/, /^/],
  [/^usermod$/, /^(?:\S+ )*?(?:-s|--shell)(?:[ =]|$)/],
];

/** Settings of git that start no program and lead nowhere. */
const plainGitSettings =
  /^(?:user\.(?:name|email)|init\.defaultbranch|color\..*|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)|core\.(?:autocrlf|eol|filemode|ignorecase|quotepath)|advice\..*|rebase\.auto\w+|merge\.conflictstyle|fetch\.prune|branch\..*|commit\.verbose|log\.\w+)$/i;

/** Returns whether these words store a setting of a program by which it may start another one. */
export function setsProgramSetting(words: readonly Word[]): boolean {
  const [program, ...rest] = words.map((word) => word.text);
  const name = programName({ text: program ?? "" });
  if (name === "git") return setsGitSetting(rest);
  if (name === "crontab") return !rest.includes("-l");
  const line = rest.join(" ");
  return settingCommands.some(([wanted, setting]) => wanted.test(name) && setting.test(line));
}

function setsGitSetting(rest: readonly string[]): boolean {
  const verb = rest.indexOf("config");
  if (verb < 0 || rest.slice(0, verb).some((text) => /^[a-z]/.test(text) && !text.includes("="))) return false;
  const operands = rest.slice(verb + 1);
  if (
    operands.some((text) =>
      /^(?:-e|--edit|edit|--add|--replace-all|--unset(?:-all)?|--rename-section|--remove-section)$/.test(text),
    )
  )
    return true;
  const [setting, value] = operands.filter((text) => !text.startsWith("-") && text !== "set");
  return (
    value !== undefined &&
    !/^--get|^-l$|^--list$|^(?:get|list)$/.test(operands.join(" ")) &&
    !plainGitSettings.test(setting ?? "")
  );
}
