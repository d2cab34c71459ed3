/** Detects image formats supported by models from the first bytes. */

const starts = (bytes: Uint8Array, at: number, text: string): boolean =>
  bytes.length >= at + text.length && [...text].every((unit, index) => bytes[at + index] === unit.charCodeAt(0));

/** Returns the media type of a PNG, JPEG, GIF or WebP image; null for any other content. */
export function imageType(bytes: Uint8Array): string | null {
  if (starts(bytes, 0, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (starts(bytes, 0, "\xff\xd8\xff")) return "image/jpeg";
  if (starts(bytes, 0, "GIF87a") || starts(bytes, 0, "GIF89a")) return "image/gif";
  return starts(bytes, 0, "RIFF") && starts(bytes, 8, "WEBP") ? "image/webp" : null;
}
