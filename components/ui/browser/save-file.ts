/** Downloads a text, or pieces of bytes, as a file. */
export function saveFile(
  content: string | readonly Uint8Array<ArrayBuffer>[],
  name: string,
  mime = "text/plain;charset=utf-8",
): void {
  const address = URL.createObjectURL(new Blob(typeof content === "string" ? [content] : [...content], { type: mime }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The download keeps its content once it has started.
  URL.revokeObjectURL(address);
}
