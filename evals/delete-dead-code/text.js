/** Words of a text. */
export const words = (text) => text.split(/\s+/).filter((word) => word !== "");

/** Reverses the characters of a text. */
export function reverse(text) {
  return [...text].reverse().join("");
}

export const capitalize = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Cuts a text after a whole word. */
export function shorten(text, most) {
  let result = "";
  for (const word of words(text)) {
    const longer = result === "" ? word : `${result} ${word}`;
    if (longer.length > most) return `${result}…`;
    result = longer;
  }
  return result;
}
