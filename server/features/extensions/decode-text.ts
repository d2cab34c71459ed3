/** Decodes the bytes of an extension's file. */

/** `isCut` = the bytes may end within a character, which is left out. null = it is not UTF-8, or has NUL characters. */
export function decodePlainText(bytes: Uint8Array, isCut = false): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
