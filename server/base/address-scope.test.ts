import { expect, test } from "vitest";
import { addressScope } from "./address-scope";

test.each([
  ["machine", ["localhost", "app.localhost", "127.0.0.1", "127.9.9.9", "[::1]"]],
  [
    "network",
    ["nas", "nas.local", "nas.lan", "host.docker.internal", "printer.home.arpa", "0.0.0.0", "10.1.2.3", "172.16.0.1"],
  ],
  [
    "network",
    ["172.31.255.255", "192.168.1.9", "169.254.169.254", "100.64.0.1", "100.127.0.1", "[fd00::1]", "[fe80::1]"],
  ],
  ["internet", ["example.com", "localhost.example.com", "8.8.8.8", "172.32.0.1", "100.128.0.1", "[2001:db8::1]"]],
  ["internet", ["127.0.0.1.example.com", "notlan.com", "11.0.0.1"]],
])("addresses in the scope %s", (scope, names) => {
  expect(names.map((name) => [name, addressScope(new URL(`http://${name}`).hostname)])).toEqual(
    names.map((name) => [name, scope]),
  );
});
