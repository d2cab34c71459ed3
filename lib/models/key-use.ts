/** Makes the headers that carry a connection's key, checks keys for them, and splits a key from its address. Pure. */

/** Absent = as a bearer token. */
export interface KeyUse {
  /** `password` = of Basic authentication; `header` = the value of one header. */
  readonly as: (typeof keyUses)[number];
  /** Name of the user, or of the header. */
  readonly name: string;
}

export const keyUses = ["password", "header"] as const;

/** RFC 9110. */
const token = /^[!#$%&'*+.^`|~\w-]+$/;
/** Headers that describe the request or the connection itself. */
const ownHeader =
  /^(?:accept(?:-.*)?|connection|content-.*|date|expect|host|http2-settings|keep-alive|proxy-.*|sec-.*|te|trailer|transfer-encoding|upgrade|user-agent|via)$/i;

/** Returns whether a key can be sent this way: a user name has no colon, a header is not one that every request has. */
export const isKeyUseValid = ({ as, name }: KeyUse): boolean =>
  as === "password" ? name !== "" && !/[:\p{Cc}]/u.test(name) : token.test(name) && !ownHeader.test(name);

/**
 * Returns whether a trimmed key can be sent this way: any text as a password, printable ASCII in a header, as a bearer token
 * without spaces.
 */
export function isKeyValid(key: string, use: KeyUse | undefined): boolean {
  if (use?.as === "password") return !/\p{Cc}/u.test(key);
  return (use === undefined ? /^[\x21-\x7e]+$/ : /^[\x20-\x7e]+$/).test(key);
}

const basicToken = (key: string, user: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${key}`)));

/** Returns the header of a request with this key. */
export function keyHeaders(key: string, use: KeyUse | undefined): Readonly<Record<string, string>> {
  if (use?.as === "header") return { [use.name.toLowerCase()]: key };
  return { authorization: use === undefined ? `Bearer ${key}` : `Basic ${basicToken(key, use.name)}` };
}

/** Returns the forms in which a key is sent: as it is, and encoded with its user name. */
export const keyForms = (key: string, use: KeyUse | undefined): readonly string[] =>
  use?.as === "password" ? [key, basicToken(key, use.name)] : [key];

interface SplitAddress {
  readonly address: string;
  readonly keyUse: KeyUse;
  /** Absent = the address has a user name only. */
  readonly key?: string;
}

/** Splits `user:password@host`, with or without a scheme and a path; null = the address has no user name. */
export function splitCredentials(text: string): SplitAddress | null {
  const [, before = "", user, password, after] =
    /^(\s*["']*(?:[a-z][a-z0-9+.-]*:\/\/)?)([^/?#:]+)(?::([^/?#]*))?@([^@/?#]+(?:[/?#].*)?)$/is.exec(text) ?? [];
  if (user === undefined || after === undefined) return null;
  const keyUse: KeyUse = { as: "password", name: decodePercent(user) };
  const key = password === undefined || password === "" ? {} : { key: decodePercent(password) };
  return isKeyUseValid(keyUse) ? { address: before + after, keyUse, ...key } : null;
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
