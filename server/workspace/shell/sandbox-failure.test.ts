import { expect, test } from "vitest";
import { findSandboxFailure } from "./sandbox-failure";

test.each([
  ["files", "bash: /etc/x: Read-only file system"],
  ["files", "Error: EROFS: read-only file system, open '/opt/a'"],
  ["files", "OSError: [Errno 30] Read-only file system: '/usr/lib/x'"],
  ["files", "touch: /Users/u/x: Operation not permitted"],
  ["files", "error: could not lock config file /home/u/.gitconfig: Read-only file system"],
  ["network", "fatal: unable to access 'https://h/': Could not resolve host: h"],
  ["network", "ssh: Could not resolve hostname h: Temporary failure in name resolution"],
  ["network", "npm error code EAI_AGAIN"],
  ["network", "Error: getaddrinfo ENOTFOUND registry.test"],
  ["network", "bash: connect: Network is unreachable"],
  ["network", "go: dial tcp: lookup proxy.test: no such host"],
  ["network", "wget: unable to resolve host address 'h'"],
  ["network", "socket.gaierror: [Errno -2] Name or service not known"],
  [null, "1 test failed: expected 2 to be 3"],
  [null, "cat: a: No such file or directory"],
  [null, "bash: ./run.sh: Permission denied"],
  [null, ""],
])("%j is the cause of %j", (cause, output) => expect(findSandboxFailure(output, false)).toBe(cause));

test("with the network allowed, a host that is not found is no failure of the sandbox", () =>
  expect(findSandboxFailure("curl: (6) Could not resolve host: h", true)).toBeNull());
