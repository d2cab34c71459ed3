/** Text for a place in HTML, between tags or in a quoted attribute. Used by the exports. */
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters, halves of pairs, and what turns the direction of the text behind it. */
const unseen = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** What cannot be seen is shown as something that cannot be read; line ends and tabs stay. */
export const escapeHtml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (character) => entities[character] ?? "")
    .replace(unseen, (character) => ("\n\t\r".includes(character) ? character : "\ufffd"));
