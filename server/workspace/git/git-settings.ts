/** Parses git's list of settings, and finds the programs that a repository names in its own. Pure. */

/** Arguments of git that list all settings, those of included files too. */
export const listSettingsWords = ["config", "--includes", "--show-scope", "--list", "-z"] as const;

export interface GitSetting {
  /** Section and key are in lower case, a subsection is as it was written. */
  readonly name: string;
  /** A key without a value is true. */
  readonly value: string;
  /** It is the repository's own or the work tree's, not the user's or the system's. */
  readonly isOwn: boolean;
}

export type GitSettingOverride = readonly [name: string, value: string];

/** Parses the list: repeated `scope NUL name LF value NUL`. What a command overrides is left out. */
export function parseGitSettings(listed: Buffer): readonly GitSetting[] {
  const fields = listed.toString("utf8").split("\0");
  const settings: GitSetting[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const scope = fields[index];
    const field = fields[index + 1] ?? "";
    const end = field.includes("\n") ? field.indexOf("\n") : field.length;
    if (scope !== "command")
      settings.push({
        name: field.slice(0, end),
        value: end === field.length ? "true" : field.slice(end + 1),
        isOwn: scope === "local" || scope === "worktree",
      });
  }
  return settings;
}

/** Returns the value in force; undefined = it is not set. */
export const settingValue = (settings: readonly GitSetting[], name: string): string | undefined =>
  settings.findLast((setting) => setting.name === name)?.value;

export interface OwnPrograms {
  /** Names of the filters that the repository defines. The user's are not among them, unless it redefines them. */
  readonly filters: ReadonlySet<string>;
  /** Settings by which none of its programs runs. */
  readonly overrides: readonly GitSettingOverride[];
}

/** Merges like git does without a driver. */
const textMerge = "git merge-file -L ours -L base -L theirs --marker-size=%L %A %O %B";

const signingPrograms: { readonly [name: string]: string | undefined } = {
  "gpg.program": "gpg",
  "gpg.openpgp.program": "gpg",
  "gpg.x509.program": "gpgsm",
  "gpg.ssh.program": "ssh-keygen",
  "gpg.ssh.defaultkeycommand": "false",
};

/** Git has two names for one setting. */
const toSynonym = (name: string): string => (name === "gpg.openpgp.program" ? "gpg.program" : name);

/** A program that signs is replaced by the user's own. */
export function findOwnPrograms(settings: readonly GitSetting[]): OwnPrograms {
  const filters = new Set<string>();
  const overrides = new Map<string, string>();
  const usersOwn = settings.flatMap((one) => (one.isOwn ? [] : [{ ...one, name: toSynonym(one.name) }]));
  for (const { name } of settings.filter(({ isOwn }) => isOwn)) {
    const filter = /^filter\.(.*)\.[^.]*$/s.exec(name)?.[1];
    if (filter !== undefined) filters.add(filter);
    if (/^merge\..*\.driver$/s.test(name)) overrides.set(name, textMerge);
    const signing = signingPrograms[name];
    if (signing !== undefined) overrides.set(name, settingValue(usersOwn, toSynonym(name)) ?? signing);
  }
  // Hooks of settings do not depend on the folder of hooks.
  for (const { name } of settings) {
    const hook = /^hook\.(.*)\.[^.]*$/s.exec(name)?.[1];
    if (hook !== undefined) overrides.set(`hook.${hook}.enabled`, "false");
  }
  for (const name of filters) {
    for (const key of ["clean", "smudge", "process"]) overrides.set(`filter.${name}.${key}`, "");
    overrides.set(`filter.${name}.required`, "false");
  }
  return { filters, overrides: [...overrides] };
}
