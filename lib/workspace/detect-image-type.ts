/** Detects image formats supported by models from the first bytes. */

const hasBytesAt = (bytes: Uint8Array, at: number, text: string): boolean =>
  bytes.length >= at + text.length && [...text].every((unit, index) => bytes[at + index] === unit.charCodeAt(0));

/** Returns the media type of a PNG, JPEG, GIF or WebP image; null for any other content. */
export function detectImageType(bytes: Uint8Array): string | null {
  if (hasBytesAt(bytes, 0, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (hasBytesAt(bytes, 0, "\xff\xd8\xff")) return "image/jpeg";
  if (hasBytesAt(bytes, 0, "GIF87a") || hasBytesAt(bytes, 0, "GIF89a")) return "image/gif";
  return hasBytesAt(bytes, 0, "RIFF") && hasBytesAt(bytes, 8, "WEBP") ? "image/webp" : null;
}
