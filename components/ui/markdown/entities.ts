/** Decodes character references as in CommonMark; unknown names stay as written. */

const entityPattern = /&(?:#[xX][0-9a-fA-F]{1,6}|#\d{1,7}|[A-Za-z][A-Za-z0-9]{1,31});/g;

export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  // The browser has all names. The pattern lets no other markup through.
  const element = document.createElement("i");
  return text.replace(entityPattern, (reference) => {
    element.innerHTML = reference;
    const character = element.textContent;
    // HTML reads the start of an unknown name as a shorter one without a semicolon.
    return character.length > 1 && character.endsWith(";") ? reference : character;
  });
}
