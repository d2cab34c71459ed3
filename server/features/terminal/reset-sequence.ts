/** What undoes the modes of a terminal. */

const escape = "\u001b";

/** Ends an unfinished control sequence or string. */
const endOfSequence = `\u0018${escape}\\`;
/** Alternate screen, mouse, focus reports and bracketed paste, which a soft reset leaves on. */
const modesOff = `${escape}[?47;9;1000;1002;1003;1004;1005;1006;1015;2004l`;
/** Cursor, margins, attributes, character sets, keypad and cursor keys. */
const softReset = `${escape}[!p${escape}>${escape}[?1l${escape}(B\u000f${escape}[?7h${escape}[?25h`;

/** Returns the screen to the state of a new terminal and begins a line; the text stays. */
export const resetSequence = `${endOfSequence}${modesOff}${softReset}${escape}[0m\r\n`;
