/** Downloads a text as a file. */
export function saveFile(text: string, name: string, mime = "text/plain;charset=utf-8"): void {
  const address = URL.createObjectURL(new Blob([text], { type: mime }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The download keeps its content once it has started.
  URL.revokeObjectURL(address);
}
