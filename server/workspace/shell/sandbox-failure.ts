/** Recognizes from its output that a command probably failed because of the sandbox. */
import type { SandboxFailure } from "@/lib/events/tool-kind";

/** Messages of programs and C libraries about a path that may not be written. */
const fileErrors = /read-only file system|\bEROFS\b|operation not permitted|\bEPERM\b/i;

/** Messages of resolvers, sockets and the usual programs where there is no network. */
const networkErrors = new RegExp(
  [
    "network is (?:unreachable|down)",
    "\\bENETUNREACH\\b",
    "temporary failure in name resolution",
    "(?:could not|couldn't|cannot|failed to|unable to) resolve (?:host|proxy|hostname|address|the remote name)",
    "could not resolve",
    "name or service not known",
    "nodename nor [a-z]+ provided",
    "no address associated with hostname",
    "\\bENOTFOUND\\b",
    "\\bEAI_(?:AGAIN|NONAME|FAIL)\\b",
    "getaddrinfo",
    "dial (?:tcp|udp)[^\\n]*(?:lookup|connect)",
    "failed to lookup address",
    "no such host",
  ].join("|"),
  "i",
);

/**
 * Returns what the sandbox probably denied to a command that failed; null = its output has no sign of it. `network` =
 * the sandbox allowed the network.
 */
export function findSandboxFailure(output: string, network: boolean): SandboxFailure | null {
  if (!network && networkErrors.test(output)) return "network";
  return fileErrors.test(output) ? "files" : null;
}
