import { describe, expect, test } from "vitest";
import { addressScope } from "./address-scope";

type Row = readonly [kind: string, names: readonly string[]];

const machine: readonly Row[] = [
  ["names", ["localhost", "app.localhost", "LOCALHOST", "localhost.", "app.localhost."]],
  ["IPv4", ["127.0.0.1", "127.9.9.9", "127.255.255.255"]],
  [
    "IPv4 in odd spellings",
    ["127.1", "0x7f.1", "0177.0.0.1", "2130706433", "0x7f000001", "127.0.0.1.", "１２７.0.0.1"],
  ],
  ["IPv6", ["[::1]", "[0:0:0:0:0:0:0:1]"]],
  ["IPv4-mapped", ["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:7f09:909]"]],
];

const network: readonly Row[] = [
  ["names", ["nas", "nas.local", "nas.lan", "host.docker.internal", "printer.home.arpa", "NAS.LOCAL", "nas.local."]],
  ["unspecified, this network", ["0.0.0.0", "0", "0.255.255.255", "[::]", "[::ffff:0.0.0.0]"]],
  ["private", ["10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.0", "192.168.255.255"]],
  ["private in odd spellings", ["10.1", "0xa.1", "012.0.0.1", "167772161", "0xc0a80101", "192.168.257"]],
  ["link-local", ["169.254.0.0", "169.254.169.254", "169.254.255.255", "[fe80::1]", "[febf:ffff::1]"]],
  ["CGNAT", ["100.64.0.0", "100.100.100.200", "100.127.255.255"]],
  ["unique local, site-local", ["[fc00::1]", "[fd00::1]", "[fdff:ffff::1]", "[fec0::1]", "[feff::1]"]],
  ["IPv4-mapped", ["[::ffff:10.0.0.1]", "[::ffff:a00:1]", "[::ffff:169.254.169.254]"]],
];

const special: readonly Row[] = [
  ["IETF, 6to4 relays", ["192.0.0.0", "192.0.0.170", "192.0.0.255", "192.88.99.1"]],
  [
    "documentation",
    ["192.0.2.1", "198.51.100.255", "203.0.113.0", "[2001:db8::1]", "[2001:db8:ffff::]", "[3fff:fff::1]"],
  ],
  ["benchmarks", ["198.18.0.0", "198.19.255.255", "[2001:2::1]", "[2001:2:0:ffff::]"]],
  ["multicast", ["[::ffff:224.0.0.1]", "224.0.0.1", "239.255.255.255", "[ff00::]", "[ff02::1]", "[ffff::1]"]],
  ["reserved, broadcast", ["240.0.0.0", "255.255.255.254", "255.255.255.255", "4294967295"]],
  ["outside of global unicast", ["[::2]", "[1::]", "[100::1]", "[1fff:ffff::1]", "[4000::1]", "[5f00::1]"]],
  ["Teredo, ORCHID", ["[2001::1]", "[2001:0:4136:e378::1]", "[2001:10::1]", "[2001:20::1]", "[2001:1ff:ffff::1]"]],
  ["IPv4-compatible, -translated", ["[::127.0.0.1]", "[::8.8.8.8]", "[::ffff:0:10.0.0.1]", "[::fffe:8.8.8.8]"]],
  ["NAT64", ["[64:ff9b::10.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::8.8.8.8]"]],
  ["6to4", ["[2002:a00:1::1]", "[2002:7f00:1::]", "[2002:c0a8:101::1]", "[2002:6440::1]", "[2002::1]"]],
];

const internet: readonly Row[] = [
  [
    "names",
    ["example.com", "localhost.example.com", "127.0.0.1.example.com", "notlan.com", "10.example", "example.com."],
  ],
  ["IPv4", ["8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.0", "126.255.255.255", "128.0.0.0", "223.255.255.255"]],
  ["IPv4 beside special ranges", ["100.63.255.255", "100.128.0.1", "169.253.255.255", "169.255.0.0", "172.15.255.255"]],
  ["IPv4 beside special ranges", ["172.32.0.1", "192.0.1.0", "192.0.3.0", "192.88.98.255", "192.88.100.0"]],
  ["IPv4 beside special ranges", ["192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.114.0"]],
  ["IPv6", ["[2606:4700:4700::1111]", "[2001:200::1]", "[2001:4860:4860::8888]", "[2000::1]", "[3ffe:ffff::1]"]],
  ["IPv6 beside special ranges", ["[2001:db7:ffff::1]", "[2001:db9::1]", "[3fff:1000::1]", "[2003::1]"]],
  ["IPv4-mapped", ["[::ffff:8.8.8.8]", "[::ffff:808:808]"]],
  ["NAT64, 6to4", ["[64:ff9b::8.8.8.8]", "[64:ff9b::808:808]", "[2002:808:808::1]"]],
];

describe.each([
  ["machine", machine],
  ["network", network],
  ["special", special],
  ["internet", internet],
])("in the scope %s", (scope, rows) => {
  test.each(rows)("%s", (_kind, names) => {
    expect(names.map((name) => [name, addressScope(new URL(`http://${name}`).hostname)])).toEqual(
      names.map((name) => [name, scope]),
    );
  });
});

test.each([
  ["::1", "machine"],
  ["::ffff:127.0.0.1", "machine"],
  ["::ffff:10.0.0.1", "network"],
  ["fe80::1%eth0", "network"],
  ["FD00::1", "network"],
  ["64:ff9b::10.0.0.1", "special"],
  ["2606:4700:4700:0:0:0:0:1111", "internet"],
  ["::ffff:8.8.8.8", "internet"],
])("%s, as DNS returns it, is in the scope %s", (address, scope) => expect(addressScope(address)).toBe(scope));
