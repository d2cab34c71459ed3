/** Network addresses of this machine. */
import { networkInterfaces } from "node:os";

/** Returns the current addresses without loopback and without scoped (link-local) ones, IPv4 first. */
export const machineAddresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses.filter(({ internal, scopeid }) => !internal && !scopeid))
    .toSorted((a, b) => a.family.localeCompare(b.family))
    .map(({ address }) => address);
