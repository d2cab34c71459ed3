/** The header that names a file for the browser. */

/** Returns the name as RFC 6266 writes it: in ASCII for old programs, then in UTF-8. */
export function formatDisposition(name: string, isDownload: boolean): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${isDownload ? "attachment" : "inline"}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
