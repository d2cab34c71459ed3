import { describe, expect, it } from "vitest";
import {
  parseBearer,
  findCookie,
  type ListenAddress,
  hostAllowed,
  loopbackNames,
  mayChange,
  originAllowed,
  reachedAddress,
  sameSecret,
  targetAllowed,
} from "./guard";

const address: ListenAddress = { port: 4674, names: loopbackNames };

describe("the Host header", () => {
  it.each([
    ["localhost:4674", true],
    ["LOCALHOST:4674", true],
    ["127.0.0.1:4674", true],
    ["[::1]:4674", true],
    [undefined, false],
    ["", false],
    ["localhost", false],
    ["localhost:80", false],
    ["localhost:46740", false],
    ["evil.example:4674", false],
    ["localhost.evil.example:4674", false],
    ["evil.localhost:4674", false],
    ["127.0.0.1.evil.example:4674", false],
    ["127.0.0.2:4674", false],
    ["0.0.0.0:4674", false],
    ["127.1:4674", false],
    ["localhost:4674@evil.example", false],
    ["localhost:4674, evil.example", false],
    [" localhost:4674", false],
    ["localhost.:4674", false],
  ])("%s is allowed: %s", (host, allowed) => {
    expect(hostAllowed(host, address)).toBe(allowed);
  });

  it("may omit the port if it is the default one", () => {
    expect(hostAllowed("localhost", { ...address, port: 80 })).toBe(true);
  });
});

describe("a public address", () => {
  const published = {
    ...address,
    publicAddress: { origins: ["https://ide.example.org", "http://box:8080"], prefix: "/x" },
  };
  it.each([
    // Proxies leave the Host header, or replace it by this server's own.
    ["https://ide.example.org", "ide.example.org", true],
    ["https://ide.example.org", "localhost:4674", true],
    ["http://box:8080", "box:8080", true],
    ["http://localhost:4674", "localhost:4674", true],
    // Proxies name the port, too, though it is the usual one of https.
    ["https://ide.example.org", "ide.example.org:443", true],
    ["https://ide.example.org", "ide.example.org:80", false],
    ["https://ide.example.org", "ide.example.org:", false],
    ["http://box:8080", "box:80", false],
    ["http://ide.example.org", "ide.example.org", false],
    ["https://ide.example.org:8443", "ide.example.org", false],
    ["https://ide.example.org.evil.example", "ide.example.org", false],
    ["https://evil.example", "ide.example.org", false],
    ["https://ide.example.org", "evil.example", false],
    ["https://ide.example.org/x", "ide.example.org", false],
    ["null", "ide.example.org", false],
    ["http://box", "box:8080", false],
  ])("%s at %s may change something: %s", (origin, host, allowed) => {
    expect(originAllowed(origin, host, published)).toBe(allowed);
  });

  it("is reached over https only where this server has a certificate and the network lies between", () => {
    const withTls = { ...published, covers: () => true };
    const remote = { localAddress: "10.0.0.5" };
    expect(hostAllowed("ide.example.org", reachedAddress(remote, withTls))).toBe(false);
    expect(hostAllowed("ide.example.org", reachedAddress({ ...remote, encrypted: true }, withTls))).toBe(true);
  });
});

describe("a server whose front door tells no name", () => {
  const overSocket = reachedAddress({}, { ...address, covers: () => true, isOverSocket: () => true });
  const ofHub = reachedAddress({}, { ...address, publicAddress: { origins: [], prefix: "/x" } });
  it.each([
    ["https://ide.example.org", "ide.example.org", true],
    ["http://ide.example.org:8000", "ide.example.org:8000", true],
    ["http://evil.example", "ide.example.org", false],
    ["https://ide.example.org", "ide.example.org:8000", false],
    ["https://ide.example.org.evil.example", "ide.example.org", false],
    ["ftp://ide.example.org", "ide.example.org", false],
    ["null", "null", false],
    [undefined, "ide.example.org", false],
    ["https://ide.example.org", undefined, false],
  ])("a page of %s at %s may change something: %s", (origin, host, allowed) => {
    for (const reached of [overSocket, ofHub]) expect(originAllowed(origin, host, reached)).toBe(allowed);
  });

  it("accepts the named origins only, if there are some", () => {
    const publicAddress = { origins: ["https://ide.example.org"], prefix: "" };
    const named = reachedAddress({}, { ...address, publicAddress, isOverSocket: () => true });
    expect(originAllowed("https://ide.example.org", "backend", named)).toBe(true);
    expect(originAllowed("https://backend", "backend", named)).toBe(false);
    expect(originAllowed("http://localhost:4674", "localhost:4674", named)).toBe(true);
  });
});

describe("the Origin header", () => {
  it.each([
    ["http://localhost:4674", "localhost:4674", true],
    ["http://127.0.0.1:4674", "127.0.0.1:4674", true],
    ["HTTP://LOCALHOST:4674", "localhost:4674", true],
    [undefined, "localhost:4674", false],
    ["null", "localhost:4674", false],
    ["https://localhost:4674", "localhost:4674", false],
    ["http://localhost:3000", "localhost:4674", false],
    ["http://127.0.0.1:4674", "localhost:4674", false],
    ["http://localhost:4674.evil.example", "localhost:4674", false],
    ["http://evil.example", "localhost:4674", false],
    ["chrome-extension://abcdef", "localhost:4674", false],
    ["file://", "localhost:4674", false],
    ["http://evil.example:4674", "evil.example:4674", false],
    ["http://localhost:4674/", "localhost:4674", false],
  ])("%s to %s is this server's own page: %s", (origin, host, allowed) => {
    expect(originAllowed(origin, host, address)).toBe(allowed);
  });

  it("may be absent only with the bearer token", () => {
    expect(mayChange({ host: "localhost:4674" }, true, address)).toBe(true);
    expect(mayChange({ host: "localhost:4674" }, false, address)).toBe(false);
    expect(mayChange({ host: "evil.example:4674" }, true, address)).toBe(false);
  });

  it("of another page is refused even with the bearer token", () => {
    expect(mayChange({ host: "localhost:4674", origin: "http://evil.example" }, true, address)).toBe(false);
  });
});

describe("the request target", () => {
  it.each([
    ["/", true],
    ["/s/s123", true],
    ["/settings/model?x=%2f", true],
    ["/_next/static/a.js", true],
    [undefined, false],
    ["", false],
    ["*", false],
    ["http://evil.example/", false],
    ["//evil.example/x", false],
    ["/a\\b", false],
    ["/a#b", false],
    ["/%2e%2e/etc/passwd", false],
    ["/%2E%2E/x", false],
    ["/a/../b", false],
    ["/a/./b", false],
    ["/..", false],
    ["/%252e%252e/", false],
    ["/a%2fb", false],
    ["/a%5cb", false],
    ["/a%00b", false],
    [`/${"a".repeat(5_000)}`, false],
  ])("%s is allowed: %s", (url, allowed) => {
    expect(targetAllowed(url)).toBe(allowed);
  });
});

describe("secrets", () => {
  it("are read only from the cookie of this port", () => {
    expect(findCookie("a=b; gopi_4674=secret; gopi_46740=other", "gopi_4674")).toBe("secret");
    expect(findCookie("xgopi_4674=secret", "gopi_4674")).toBeNull();
    expect(findCookie(undefined, "gopi_4674")).toBeNull();
  });

  it.each([
    ["Bearer abcdefghijklmnop", "abcdefghijklmnop"],
    ["bearer abcdefghijklmnop", null],
    ["Bearer short", null],
    ["Basic abcdefghijklmnop", null],
    ["Bearer abcdefghijklmnop extra", null],
    [undefined, null],
  ])("%s carries the token %s", (header, token) => {
    expect(parseBearer(header)).toBe(token);
  });

  it("are compared as a whole", () => {
    expect(sameSecret("abc", "abc")).toBe(true);
    expect(sameSecret("abc", "abcd")).toBe(false);
    expect(sameSecret("", "abc")).toBe(false);
  });
});
