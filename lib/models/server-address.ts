/** Validation of model server addresses as typed by the user. */

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
