/** Finds the address for the requests of an operation: never at another host than the one that the owner confirmed. Pure. */
import type { ApiOperation, RequestPlan } from "../operations/operation";

/**
 * Returns the confirmed address, or the operation's own one at the same host; null = the operation has addresses of its own,
 * all at other hosts. Without a final slash.
 */
export function requestAddress({ addresses, basePath }: RequestPlan, confirmed: string): string | null {
  if (addresses === undefined && basePath === undefined) return confirmed;
  const { origin } = new URL(confirmed);
  if (addresses === undefined) return origin + basePath;
  return addresses.find((address) => new URL(address).origin === origin) ?? null;
}

/** Whether an operation can be sent to the address; to none, "", every one may be. */
export const isAtAddress = ({ request }: ApiOperation, address: string): boolean =>
  address === "" || requestAddress(request, address) !== null;
