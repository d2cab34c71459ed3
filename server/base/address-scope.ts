/** Locates a host by its name or address alone: nothing is resolved. */
import { BlockList, isIP } from "node:net";

/**
 * This machine; its network; a public host; or another special address (multicast, reserved, documentation, a translator
 * to an address that is not public …), which is neither local nor public.
 */
type AddressScope = "machine" | "network" | "internet" | "special";

const networkNames = /(?:^|\.)(?:local|lan|internal|home\.arpa)$/;

/** Ranges of private networks, and the unspecified addresses. */
const networkRanges = makeRanges(
  ["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"],
  ["::/128", "fc00::/7", "fe80::/9"],
);

/** Other ranges without public hosts: those of IANA's registries of special addresses, and one of a cloud. */
const specialRanges = makeRanges(
  [
    // The host of a virtual machine of Azure, which answers to it alone.
    "168.63.129.16/32",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/3",
  ],
  // Only those in the global unicast range. A range around ::ffff:0:0/96 would contain every IPv4 address.
  ["2001::/23", "2001:db8::/32", "3fff::/20"],
);

/** Range from which a proxy with "fake IP" gives every name an address (Clash, Surge): it is for benchmarks and has no host. */
const proxyRange = makeRanges(["198.18.0.0/15"], []);

/** Whether an address from DNS is one that a proxy of this machine or its network made up for a name. */
export const isProxyAddress = (address: string): boolean => isIP(address) === 4 && proxyRange.check(address);

function makeRanges(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const ranges = new BlockList();
  for (const [family, list] of [["ipv4", ipv4] as const, ["ipv6", ipv6] as const])
    for (const range of list) {
      const [network = "", bits] = range.split("/");
      ranges.addSubnet(network, Number(bits), family);
    }
  return ranges;
}

/**
 * `name` is the `hostname` of a URL, or an address from DNS, with or without the brackets of IPv6. A name without a dot
 * is in the network.
 */
export function addressScope(name: string): AddressScope {
  const host = name.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const family = isIP(host);
  if (family === 4) return scopeOfIPv4(host);
  if (family === 6) return scopeOfIPv6(host);
  if (host === "localhost" || host.endsWith(".localhost")) return "machine";
  return !host.includes(".") || networkNames.test(host) ? "network" : "internet";
}

/** Whether an address from DNS is one of a public host. */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) !== 0 && addressScope(address) === "internet";

const scopeOfIPv4 = (address: string): AddressScope =>
  address.startsWith("127.") ? "machine" : scopeByRange(address, "ipv4");

function scopeByRange(address: string, family: "ipv4" | "ipv6"): AddressScope {
  if (networkRanges.check(address, family)) return "network";
  return specialRanges.check(address, family) ? "special" : "internet";
}

function scopeOfIPv6(address: string): AddressScope {
  const groups = parseGroups(address);
  const prefix = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(":");
  const [first = 0, second = 0, third = 0] = groups;
  const [seventh = 0, eighth = 0] = groups.slice(6);
  if (prefix === "0:0:0:0:0:0" && seventh === 0 && eighth === 1) return "machine";
  if (prefix === "0:0:0:0:0:ffff") return scopeOfIPv4(formatIPv4(seventh, eighth));
  // A translator (NAT64, 6to4) sends to the IPv4 address inside.
  const inner =
    prefix === "64:ff9b:0:0:0:0" ? ([seventh, eighth] as const) : first === 0x2002 ? ([second, third] as const) : null;
  if (inner !== null) return scopeOfIPv4(formatIPv4(...inner)) === "internet" ? "internet" : "special";
  const scope = scopeByRange(address.replace(/%.*$/, ""), "ipv6");
  const isGlobalUnicast = first >> 13 === 1;
  return scope === "internet" && !isGlobalUnicast ? "special" : scope;
}

/** Returns the eight groups of a valid IPv6 address. */
function parseGroups(address: string): readonly number[] {
  const plain = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = plain.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

const formatIPv4 = (high: number, low: number): string => [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
