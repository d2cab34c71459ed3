/** Commands written as text for bash: words quoted, a folder entered. Pure; used by aliases and foreign-arguments. */

/** One word that bash reads as exactly this text. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** `command` in `folder`, without moving the shell; nothing of it runs when the folder cannot be entered. */
export function inFolder(command: string, folder: string): string {
  if (/^(?:\.\/?)?$/.test(folder) || command.trim() === "") return command;
  return `(cd ${quoted(folder.startsWith("-") ? `./${folder}` : folder)} || exit\n${command}\n)`;
}
