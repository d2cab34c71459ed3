/** Addresses that the requests of a sign-in may reach. */
import { isIP, type LookupFunction } from "node:net";
import { describe, expect, test } from "vitest";
import { McpError } from "../failure";
import { checkOauthAddress, findOauthReach, makeOauthFetch, type OauthReach } from "./oauth-fetch";
import { SignInError } from "./sign-in-failure";

const never = new AbortController().signal;

/** Addresses that a public server must not lead to. */
const refused = [
  "127.0.0.1",
  "10.0.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "0.0.0.0",
  "169.254.169.254",
  "168.63.129.16",
  "192.0.0.192",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::1",
  "::",
  "fe80::1",
  "fd00:ec2::254",
  "::ffff:10.0.0.1",
  "::ffff:169.254.169.254",
  "64:ff9b::7f00:1",
  "64:ff9b::a00:1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b::a83f:8110",
  "64:ff9b:1::a00:1",
  "2002:7f00:1::",
  "2002:a00:1::1",
  "2002:a9fe:a9fe::",
  "2001:db8::1",
  "ff02::1",
];

const toHost = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address);

/** Resolves every name to this address. */
const resolveTo =
  (address: string): LookupFunction =>
  (_name, { all }, callback) => {
    const family = isIP(address);
    if (all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };

describe.each(refused)("%s", (address) => {
  test("is not used in an address that a public server names", () => {
    expect(() => checkOauthAddress(new URL(`https://${toHost(address)}/token`), "internet")).toThrow(SignInError);
  });

  test("is not reached by a name that a public server names", async () => {
    const request = makeOauthFetch("internet", never, resolveTo(address))("https://accounts.example.com/token");
    await expect(request).rejects.toThrow(SignInError);
  });
});

test.each(["router.local", "printer", "metadata.google.internal", "localhost"])("the name %s is not used", (name) => {
  expect(() => checkOauthAddress(new URL(`https://${name}/token`), "internet")).toThrow(SignInError);
});

test.each(["accounts.example.com", "8.8.8.8", "[2606:4700::1111]", "[64:ff9b::808:808]"])("%s may be used", (host) => {
  expect(() => checkOauthAddress(new URL(`https://${host}/token`), "internet")).not.toThrow();
});

test("a server of a private network may name others of it", async () => {
  expect(() => checkOauthAddress(new URL("https://192.168.1.1/token"), "private")).not.toThrow();
  // Nothing listens there: the connection was tried.
  const request = makeOauthFetch("private", never, resolveTo("127.0.0.1"))("https://accounts.example.com:9/token");
  await expect(request).rejects.toThrow(McpError);
});

describe("behind a proxy that makes up an address for each name", () => {
  const resolveAll =
    (addresses: readonly string[], looked = (): void => {}): LookupFunction =>
    (_name, _options, callback) => {
      callback(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      );
      looked();
    };

  test.each<readonly [server: string, addresses: readonly string[], isPrivate: boolean, reach: OauthReach]>([
    ["https://mcp.example.com/mcp", ["198.18.0.7"], false, "proxy"],
    ["https://mcp.example.com/mcp", ["198.19.255.254", "198.18.0.8"], false, "proxy"],
    ["https://mcp.example.com/mcp", ["198.18.0.7"], true, "private"],
    ["https://mcp.example.com/mcp", ["198.18.0.7", "93.184.215.14"], false, "internet"],
    ["https://mcp.example.com/mcp", ["198.20.0.1"], false, "internet"],
    ["https://mcp.example.com/mcp", ["10.0.0.1"], false, "internet"],
    ["https://mcp.example.com/mcp", [], false, "internet"],
    // The user wrote the address himself: no name was resolved.
    ["https://198.18.0.7/mcp", ["198.18.0.7"], false, "internet"],
  ])("the reach of %s at %j is found", async (server, addresses, isPrivate, reach) => {
    expect(await findOauthReach(new URL(server), isPrivate, never, resolveAll(addresses))).toBe(reach);
  });

  test("a name that cannot be resolved has the reach of a public one", async () => {
    const failing: LookupFunction = (_name, _options, callback) => callback(new Error("ENOTFOUND"), []);
    expect(await findOauthReach(new URL("https://mcp.example.com"), false, never, failing)).toBe("internet");
  });

  test.each(refused)("%s is reached by name only if the proxy can have made it up", async (address) => {
    const stop = new AbortController();
    const request = makeOauthFetch(
      "proxy",
      stop.signal,
      resolveAll([address], () => stop.abort()),
    );
    const isMadeUp = address === "198.18.0.1";
    const error: unknown = await Promise.resolve(request("https://accounts.example.com/token")).catch((one) => one);
    expect(error instanceof SignInError).toBe(!isMadeUp);
    expect(() => checkOauthAddress(new URL(`https://${toHost(address)}/token`), "proxy")).toThrow(SignInError);
  });
});
