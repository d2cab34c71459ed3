/** Origins at which other devices reach this server. Pure. */
import { isIP } from "node:net";
import type { ServerTls } from "./server-tls";

interface AddressOrigin {
  /** Host name or address. */
  readonly address: string;
  /** Without a final slash. */
  readonly origin: string;
}

/**
 * Origins of these addresses. With https first those for which the certificate is, and its names; if it is for none of
 * them, all addresses: the browser then shows a warning.
 */
export function addressOrigins(
  addresses: readonly string[],
  port: number,
  tls: Pick<ServerTls, "covers" | "names"> | null,
): readonly AddressOrigin[] {
  const toOrigin = (address: string): AddressOrigin => ({
    address,
    origin: formatOrigin(tls === null ? "http" : "https", address, port),
  });
  if (tls === null || addresses.length === 0) return addresses.map(toOrigin);
  const names = tls.names().filter((name) => name !== "localhost" && isIP(name) === 0);
  const certified = [...names, ...addresses.filter(tls.covers)];
  return (certified.length === 0 ? addresses : certified).map(toOrigin);
}

const formatOrigin = (scheme: "http" | "https", address: string, port: number): string =>
  `${scheme}://${address.includes(":") ? `[${address}]` : address}:${port}`;
