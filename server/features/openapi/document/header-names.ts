/** Names of headers and cookies that a document may give to values of the model, and to keys of the owner. Pure. */

/** Headers that belong to the connection, or to the request as a whole. */
const requestHeaders: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "cookie",
  "date",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "origin",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "set-cookie",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
]);

const isRequestHeader = (name: string): boolean => requestHeaders.has(name.toLowerCase());

/** A header that no parameter sets: one of the request, or the one for the owner's keys. */
export const isOwnHeader = (name: string): boolean => isRequestHeader(name) || name.toLowerCase() === "authorization";

export const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);

/** A header that can carry a key of the owner. */
export const isKeyHeader = (name: string): boolean => isHeaderName(name) && !isRequestHeader(name);

/** No character of it ends a cookie's name. */
export const isCookieName = (name: string): boolean => /^[^\s=;,"\\\u0000-\u001f\u007f-\uffff]+$/.test(name);
