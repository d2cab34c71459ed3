/** Where a host is, by the name in its address alone: nothing is resolved. */
import { isIP } from "node:net";

/** This machine, its network, or anything else. */
type AddressScope = "machine" | "network" | "internet";

const networkNames = /(?:^|\.)(?:local|lan|internal|home\.arpa)$/;
const networkIPv4 =
  /^(?:0|10)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
const networkIPv6 = /^\[(?:f[cd]|fe[89ab])/;

/** `name` is the `hostname` of a URL, with IPv6 in brackets. A name without a dot is in the network. */
export function addressScope(name: string): AddressScope {
  if (isIP(name) === 4) return name.startsWith("127.") ? "machine" : networkIPv4.test(name) ? "network" : "internet";
  if (name.startsWith("[")) return name === "[::1]" ? "machine" : networkIPv6.test(name) ? "network" : "internet";
  if (name === "localhost" || name.endsWith(".localhost")) return "machine";
  return !name.includes(".") || networkNames.test(name) ? "network" : "internet";
}
