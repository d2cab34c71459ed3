/** Recognizes from its output that a command probably failed because of the sandbox. */
import type { SandboxFailure } from "@/lib/events/tool-kind";

/** Messages of programs and C libraries about a path that may not be written. */
const fileErrors =
  /read-only file system|\bEROFS\b|operation not permitted|\bEPERM\b|unable to create temporary|\bEBUSY\b|device or resource busy/i;

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
    "unknown ?host",
  ].join("|"),
  "i",
);

/** Without the network only a connection to this machine is refused, where a command reaches what it has started itself. */
const localErrors = /connection refused|\bECONNREFUSED\b|couldn't connect to server/i;

/** Messages of programs that miss a key, a password or the socket of another program. */
const hiddenErrors = new RegExp(
  [
    "permission denied \\([^)\\n]*publickey",
    "host key verification failed",
    "could not read (?:username|password) for",
    "(?:could not open|error connecting to|unable to connect to)[^\\n]*\\bagent\\b",
    "failed to sign the data",
    "\\bno secret key\\b",
    "\\b(?:ENEEDAUTH|E401)\\b",
    "(?:cannot|unable to|failed to) connect to (?:the )?(?:docker|podman|d-?bus|session bus)",
  ].join("|"),
  "i",
);

/**
 * Returns what the sandbox probably denied to a command that failed; null = its output has no sign of it. `network` =
 * the sandbox allowed the network.
 */
export function findSandboxFailure(output: string, network: boolean): SandboxFailure | null {
  if (hiddenErrors.test(output)) return "hidden";
  if (!network && networkErrors.test(output)) return "network";
  if (!network && localErrors.test(output)) return "local";
  return fileErrors.test(output) ? "files" : null;
}
