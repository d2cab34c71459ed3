/** Names of files that are not UTF-8: no path in this program leads to them. */

/** Returns whether bytes of the name were replaced when it was read (U+FFFD). */
export const isUnreadableName = (name: string): boolean => name.includes("\ufffd");

/** Formats the note for the model about names that are not in a result; none = no note. */
export const unreadableNamesNotes = (count: number): readonly string[] =>
  count === 0 ? [] : [`[${count} ${count === 1 ? "name is" : "names are"} not UTF-8 and left out]`];
