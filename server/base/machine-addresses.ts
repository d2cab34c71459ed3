/** This machine's own addresses on its networks, as the system tells them now. Used by sharing and by the listener for devices. */
import { networkInterfaces } from "node:os";

/** Without loopback, and without those that need the name of an interface. IPv4 first. */
export const machineAddresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses.filter(({ internal, scopeid }) => !internal && !scopeid))
    .toSorted((a, b) => a.family.localeCompare(b.family))
    .map(({ address }) => address);
