/** Hands a text to the browser as a file to keep. */
export function saveFile(text: string, name: string, mime = "text/plain;charset=utf-8"): void {
  const address = URL.createObjectURL(new Blob([text], { type: mime }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The download holds the content from the click on.
  URL.revokeObjectURL(address);
}
