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
  ["network", "transfer failed for https://h/x: Unknown host h: Name or service not known"],
  ["network", "java.net.UnknownHostException: h"],
  ["network", "socket.gaierror: [Errno -2] Name or service not known"],
  ["local", "wget: can't connect to remote host (127.0.0.1): Connection refused"],
  ["local", "Error: connect ECONNREFUSED 127.0.0.1:5432"],
  ["local", "curl: (7) Failed to connect to localhost port 11434 after 0 ms: Couldn't connect to server"],
  ["hidden", "git@h: Permission denied (publickey,password)."],
  ["hidden", "Host key verification failed.\nfatal: Could not read from remote repository."],
  ["hidden", "fatal: could not read Username for 'https://h': terminal prompts disabled"],
  ["hidden", "Could not open a connection to your authentication agent."],
  ["hidden", "error: gpg failed to sign the data\nfatal: failed to write commit object"],
  ["hidden", "gpg: signing failed: No secret key"],
  ["hidden", "npm error code ENEEDAUTH"],
  ["hidden", "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"],
  ["files", "error: could not write config file .git/config: Device or resource busy"],
  ["files", "error: remote unpack failed: unable to create temporary object directory"],
  [null, "1 test failed: expected 2 to be 3"],
  [null, "cat: a: No such file or directory"],
  [null, "bash: ./run.sh: Permission denied"],
  [null, ""],
])("%j is the cause of %j", (cause, output) => expect(findSandboxFailure(output, false)).toBe(cause));

test("with the network allowed, a host that is not found is no failure of the sandbox", () =>
  expect(findSandboxFailure("curl: (6) Could not resolve host: h", true)).toBeNull());
test("with the network allowed, a refused connection is no failure of the sandbox", () =>
  expect(findSandboxFailure("Error: connect ECONNREFUSED 127.0.0.1:5432", true)).toBeNull());
