/** Composes commands for bash: quotes words, changes the folder. Pure. */

/** Quotes a word so that bash reads exactly this text. */
export const quoteShellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/**
 * Runs `command` in `folder` in a subshell, so that the logical shell's folder does not change; runs nothing if the
 * folder cannot be entered.
 */
export function runInSubfolder(command: string, folder: string): string {
  if (/^(?:\.\/?)?$/.test(folder) || command.trim() === "") return command;
  return `(cd ${quoteShellWord(folder.startsWith("-") ? `./${folder}` : folder)} || exit\n${command}\n)`;
}
