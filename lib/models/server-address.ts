/** Validation of addresses as typed by the user. */

const hostLabel = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?$/u;

/**
 * True for a valid http(s) address. Scheme, user, port and path are optional; surrounding quotes (left by shells) and
 * an empty text are accepted.
 */
export function isServerAddress(text: string): boolean {
  const plain = text.trim().replace(/^["']+|["']+$/g, "");
  if (plain === "") return true;
  const [, scheme, rest = ""] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(plain) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return false;
  if (/[\s\p{Cc}\\]/u.test(rest)) return false;
  const host = (rest.split(/[/?#]/)[0] ?? "").replace(/^.*@/, "");
  const [, address, port] = /^(\[[0-9a-f:.]+\]|[^:]*)(?::(\d{1,5}))?$/i.exec(host) ?? [];
  // IPv6 without brackets.
  if (address === undefined) return /^[0-9a-f:.]*::?[0-9a-f:.]*$/i.test(host) && URL.canParse(`http://[${host}]`);
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false;
  if (address === "") return port !== undefined;
  if (address.startsWith("[")) return URL.canParse(`http://${address}`);
  return address.split(".").every((part) => hostLabel.test(part)) && URL.canParse(`http://${address}`);
}

/** True for an address that files may be downloaded from: https, or http on this machine; and for an empty text. */
export function isDownloadAddress(text: string): boolean {
  if (text === "") return true;
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username !== "" || password !== "" || search !== "" || hash !== "") return false;
  return protocol === "https:" || (protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname));
}
