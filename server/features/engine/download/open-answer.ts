/** A GET request for a file over https, or over http on this machine. */
import { fail, ok, type Result, thrownText } from "@/lib/events/error";
import { addressScope } from "@/server/base/address-scope";
import { type NodeResponse, nodeFetch } from "@/server/providers/wire/node-fetch";

const maxRedirects = 5;
const userAgent = "gopi-web";

/** Positions of bytes; a server may send all of them nevertheless. */
interface ByteRange {
  readonly first?: number;
  /** Absent = up to the end. */
  readonly last?: number;
}

/**
 * Requests the bytes of a range, or all; follows redirects to addresses that are as safe, and to those of private networks only
 * if the first address is private, too. Fails with download_failed (facts: `host`, and `status` if the server answered;
 * `privateHost` = where it redirected to). `send` = how a request is sent.
 */
export async function openAnswer(
  address: string,
  { first = 0, last }: ByteRange,
  signal: AbortSignal,
  send = nodeFetch,
): Promise<Result<{ readonly response: NodeResponse; readonly host: string }>> {
  let url = new URL(address);
  const { host: firstHost } = url;
  const isLocal = isThisMachine(url);
  // A name is private when it resolves to such an address, too.
  let mayBePrivate = isPrivateName(url);
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const { host } = url;
    if (url.protocol !== "https:" && !(isLocal && isThisMachine(url)))
      return fail("download_failed", `${url.origin} is not https`, { host, status: 0 });
    let isRefused = !mayBePrivate && isPrivateName(url);
    const accepts = (ip: string): boolean => {
      const isInside = isPrivateAddress(ip);
      if (redirects === 0) mayBePrivate ||= isInside;
      isRefused = isInside && !mayBePrivate;
      return !isRefused;
    };
    const refused = (): Result<never> =>
      fail("download_failed", `${url.origin} is private`, { host: firstHost, status: 0, privateHost: host });
    if (isRefused) return refused();
    // Compressed bytes could not be continued.
    const headers: Record<string, string> = { "Accept-Encoding": "identity", "User-Agent": userAgent };
    if (first > 0 || last !== undefined) headers.Range = `bytes=${first}-${last ?? ""}`;
    try {
      const response = await send(url.href, { method: "GET", headers, accepts }, signal);
      const { status } = response;
      const location = response.header("location");
      if (status === 200 || status === 206 || status === 416) return ok({ response, host });
      response.destroy();
      if (status < 300 || status > 399 || location === undefined)
        return fail("download_failed", `${status} ${response.statusText}`, { host, status });
      url = new URL(location, url);
    } catch (error) {
      if (isRefused) return refused();
      return fail("download_failed", thrownText(error), { host });
    }
  }
  return fail("download_failed", "too many redirects", { host: url.host, status: 310 });
}

const isThisMachine = ({ protocol, hostname }: URL): boolean =>
  protocol === "http:" && addressScope(hostname) === "machine";

const isPrivateName = ({ hostname }: URL): boolean => addressScope(hostname) !== "internet";

/** Special addresses are not: a proxy may give them to public names. */
const isPrivateAddress = (ip: string): boolean => ["machine", "network"].includes(addressScope(ip));
