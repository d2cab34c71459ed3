/** Escapes text for HTML, between tags or in a quoted attribute. */
const entityByCharacter: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters, lone surrogates and bidirectional formatting characters. */
const invisibleCharacters = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes HTML and replaces invisible characters with U+FFFD; line ends and tabs are kept. */
export const escapeHtml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (character) => entityByCharacter[character] ?? "")
    .replace(invisibleCharacters, (character) => ("\n\t\r".includes(character) ? character : "\ufffd"));
