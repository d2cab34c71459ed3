import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { dayMs } from "@/lib/time/duration";
import type { PublicAddress } from "@/server/base/public-address";
import { openStore } from "@/server/store/open-store";
import { cookieName, secretHash } from "./guard";
import { makeSignIns, type SignedIn, signInMs, cookieDays } from "./sign-in";
import { wrongTriesPerHour } from "./failed-attempts";

/** Address of the browser. */
const address = "192.0.2.7";

/** A real store in its own folder, and a clock that moves only on request. */
function setUp(publicAddress?: PublicAddress) {
  let now = 1_000_000;
  let wallJump = 0;
  const home = mkdtempSync(join(tmpdir(), "gopi-sign-in-"));
  const opened = openStore({ home, now: () => now });
  if (!opened.ok) throw new Error(opened.error.code);
  const store = opened.value;
  onTestFinished(() => {
    store.close();
    rmSync(home, { recursive: true });
  });
  const restarted = (port = 4674) =>
    makeSignIns({
      store: store.signIns,
      port: () => port,
      publicAddress,
      bearer: "b".repeat(32),
      now: () => now + wallJump,
      elapsed: () => now,
    });
  /** Headers the browser sends from then on. */
  const sent = (
    signedIn: SignedIn | "slow_down" | null,
  ): { readonly cookie: string; readonly "x-gopi-page": string } => {
    if (signedIn === null || signedIn === "slow_down") throw new Error("not signed in");
    return { cookie: signedIn.cookie.split(";", 1).join(""), "x-gopi-page": signedIn.page };
  };
  return {
    signIns: restarted(),
    restarted,
    store,
    sent,
    pass: (ms: number) => (now += ms),
    setWallClock: (ms: number) => (wallJump = ms),
  };
}

describe("a sign-in link", () => {
  it("signs one browser in, once, for thirty days", () => {
    const { signIns, sent, pass } = setUp();
    const token = signIns.freshLinkToken();
    const signedIn = signIns.exchange(token, "Firefox", address);
    expect(signedIn).toEqual({
      cookie: expect.stringMatching(/^gopi_4674=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/),
      page: expect.stringMatching(/^[\w-]{32}$/),
    });
    expect(signIns.access(sent(signedIn))).toBe("cookie");
    expect(signIns.exchange(token, "Firefox", address)).toBeNull();
    pass(cookieDays * 86_400_000 + 1);
    expect(signIns.access(sent(signedIn))).toBeNull();
  });

  it("gives https a cookie of its own, which plain http does not get", () => {
    const { signIns, sent } = setUp();
    const plain = sent(signIns.exchange(signIns.freshLinkToken(), "Firefox", address));
    const signedIn = signIns.exchange(signIns.freshLinkToken(), "Firefox", address, true);
    expect(signedIn).toMatchObject({ cookie: expect.stringMatching(/^__Host-gopi_4674=[^;]+; Path=\/;.*; Secure$/) });
    const encrypted = sent(signedIn);
    const both = `${plain.cookie}; ${encrypted.cookie}`;
    expect(signIns.access({ ...plain, cookie: both })).toBe("cookie");
    expect(signIns.access({ ...encrypted, cookie: both })).toBe("cookie");
    expect(signIns.access({ ...encrypted, cookie: plain.cookie })).toBeNull();
  });

  it("has a cookie of its own for each prefix, of which the browser sends those of the path", () => {
    const { signIns, sent } = setUp({ origins: [], prefix: "/user/a" });
    const plain = signIns.exchange(signIns.freshLinkToken(), "Firefox", address);
    expect(plain).toMatchObject({ cookie: expect.stringMatching(/^gopi_[0-9a-f]{12}=[^;]+; Path=\/user\/a\/; /) });
    const encrypted = signIns.exchange(signIns.freshLinkToken(), "Firefox", address, true);
    expect(encrypted).toMatchObject({
      cookie: expect.stringMatching(/^__Secure-gopi_[0-9a-f]{12}=[^;]+; Path=\/user\/a\/;.*; Secure$/),
    });
    const credentials = sent(plain);
    const two = setUp({ origins: [], prefix: "/user/a/two" });
    const nested = two.sent(two.signIns.exchange(two.signIns.freshLinkToken(), "Firefox", address));
    const both = `${credentials.cookie}; ${nested.cookie}`;
    expect(signIns.access({ ...credentials, cookie: both })).toBe("cookie");
    expect(two.signIns.access({ ...nested, cookie: both })).toBe("cookie");
  });

  it("at a public address is valid for the server at another port as well, and not at another address", () => {
    const { signIns, sent, restarted } = setUp({ origins: ["https://a.example.org"], prefix: "" });
    const signedIn = signIns.exchange(signIns.freshLinkToken(), "Firefox", address, true);
    expect(signedIn).toMatchObject({ cookie: expect.stringMatching(/^__Host-gopi_[0-9a-f]{12}=/) });
    expect(restarted(40_123).access(sent(signedIn))).toBe("cookie");
    const other = setUp({ origins: ["https://b.example.org"], prefix: "" });
    const elsewhere = other.sent(other.signIns.exchange(other.signIns.freshLinkToken(), "Firefox", address, true));
    const [name] = elsewhere.cookie.split("=", 1);
    expect(sent(signedIn).cookie).not.toContain(`${name}=`);
  });

  it("is invalid after its time", () => {
    const { signIns, pass } = setUp();
    const token = signIns.freshLinkToken();
    pass(signInMs + 1);
    expect(signIns.exchange(token, "Firefox", address)).toBeNull();
  });

  it("has its full lifetime when the wall clock is set an hour ahead or back, and so has its cookie", () => {
    const { signIns, sent, pass, setWallClock } = setUp();
    const [one, other] = [signIns.freshLinkToken(), signIns.freshLinkToken()];
    setWallClock(3_600_000);
    const credentials = sent(signIns.exchange(one, "Firefox", address));
    expect(signIns.access(credentials)).toBe("cookie");
    setWallClock(-3_600_000);
    expect(signIns.access(credentials)).toBe("cookie");
    pass(signInMs + 1);
    expect(signIns.exchange(other, "Firefox", address)).toBeNull();
  });

  it("is stored only as a hash", async () => {
    const { signIns, store, sent } = setUp();
    const credentials = sent(signIns.exchange(signIns.freshLinkToken(), "Firefox", address));
    const secret = credentials.cookie.slice(`${cookieName(4674)}=`.length);
    const rows = store.signIns.list();
    expect(rows.map((row) => row.tokenHash)).toEqual([secretHash(`${secret}.${credentials["x-gopi-page"]}`)]);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(rows)).not.toContain(credentials["x-gopi-page"]);
  });
});

it("a link reports the browser that it signed in, once", () => {
  const { signIns, sent } = setUp();
  const used: string[] = [];
  const token = signIns.freshLinkToken((device) => void used.push(device));
  const credentials = sent(signIns.exchange(token, "Firefox", address));
  expect(signIns.exchange(token, "Firefox", address)).toBeNull();
  expect(used).toEqual([signIns.device(credentials)]);
});

describe("wrong attempts", () => {
  it("are slowed down after a while, but a valid link still works", () => {
    const { signIns, pass } = setUp();
    for (let count = 0; count < wrongTriesPerHour; count += 1)
      expect(signIns.exchange("wrong", "x", address)).toBeNull();
    expect(signIns.exchange("wrong", "x", address)).toBe("slow_down");
    expect(signIns.exchange(signIns.freshLinkToken(), "x", address)).toMatchObject({
      cookie: expect.stringMatching(/^gopi_/),
    });
    expect(signIns.exchange("wrong", "x", "192.0.2.8")).toBeNull();
    pass(3_600_001);
    expect(signIns.exchange("wrong", "x", address)).toBeNull();
  });
});

describe("access", () => {
  it.each([
    [{}, null],
    [{ cookie: "gopi_4674=nothing" }, null],
    [{ authorization: `Bearer ${"b".repeat(32)}` }, "bearer"],
    [{ authorization: `Bearer ${"c".repeat(32)}` }, null],
    [{ authorization: "Basic x" }, null],
  ])("of %j is %s", (headers, access) => {
    expect(setUp().signIns.access(headers)).toBe(access);
  });

  it("needs the cookie and the secret of its own page, never one of them alone", () => {
    const { signIns, sent } = setUp();
    const credentials = sent(signIns.exchange(signIns.freshLinkToken(), "Firefox", address));
    const other = sent(signIns.exchange(signIns.freshLinkToken(), "Chromium", address));
    const page = credentials["x-gopi-page"];
    expect(signIns.access(credentials)).toBe("cookie");
    expect(signIns.access({ cookie: credentials.cookie }, page)).toBe("cookie");
    for (const wrong of [
      { cookie: credentials.cookie },
      { "x-gopi-page": page },
      { cookie: credentials.cookie, "x-gopi-page": other["x-gopi-page"] },
      { cookie: other.cookie, "x-gopi-page": page },
      { cookie: credentials.cookie, "x-gopi-page": "" },
      { cookie: credentials.cookie, "x-gopi-page": credentials.cookie },
      { cookie: credentials.cookie, "x-gopi-page": `${page}, ${page}` },
    ]) {
      expect(signIns.access(wrong)).toBeNull();
      expect(signIns.device(wrong)).toBeNull();
    }
  });

  it("is not granted by an old cookie stored without a page", () => {
    const { signIns, store } = setUp();
    store.signIns.create({ tokenHash: secretHash("s".repeat(32)), label: "x", now: 1, expiresAt: 9_000_000_000_000 });
    const cookie = `gopi_4674=${"s".repeat(32)}`;
    for (const page of ["", "s".repeat(32), "."]) expect(signIns.access({ cookie }, page)).toBeNull();
  });

  it("is granted by a valid cookie also when nothing can be written", () => {
    const { signIns, store, sent } = setUp();
    const credentials = sent(signIns.exchange(signIns.freshLinkToken(), "x", address));
    const other = new Database(store.path);
    other.exec("CREATE TRIGGER refuse BEFORE UPDATE ON sign_ins BEGIN SELECT RAISE(ABORT, 'no room'); END");
    other.close();
    expect(signIns.access(credentials)).toBe("cookie");
  });

  it("is not granted by a cookie together with a wrong bearer token", () => {
    const { signIns, sent } = setUp();
    const credentials = sent(signIns.exchange(signIns.freshLinkToken(), "x", address));
    expect(signIns.access({ ...credentials, authorization: `Bearer ${"c".repeat(32)}` })).toBeNull();
  });
});

describe("a signed-in browser", () => {
  it("is recognized by its cookie alone until its row is deleted, without access", () => {
    const { signIns, sent } = setUp();
    const credentials = sent(signIns.exchange(signIns.freshLinkToken(), "Firefox", address));
    const other = sent(signIns.exchange(signIns.freshLinkToken(), "Chromium", address));
    const { cookie } = credentials;
    expect([signIns.isKnown({ cookie }), signIns.access({ cookie })]).toEqual([true, null]);
    signIns.forget(signIns.device(credentials) ?? "");
    expect(signIns.isKnown({ cookie })).toBe(false);
    expect(signIns.isKnown({ cookie: other.cookie })).toBe(true);
    expect(signIns.access(credentials)).toBe("cookie");
    expect(signIns.isKnown({ cookie })).toBe(true);
    expect(signIns.isKnown({})).toBe(false);
    expect(signIns.isKnown({ cookie, authorization: `Bearer ${"b".repeat(32)}` })).toBe(false);
  });

  it("has an issued cookie after a restart and until its row is deleted or has expired, without access", () => {
    const { signIns, store, sent, pass, restarted } = setUp();
    const { cookie } = sent(signIns.exchange(signIns.freshLinkToken(), "Firefox", address));
    const again = restarted();
    expect([again.isIssued({ cookie }), again.isKnown({ cookie }), again.access({ cookie })]).toEqual([
      true,
      false,
      null,
    ]);
    for (const wrong of [{}, { cookie: `${cookie}x` }, { cookie: cookie.replace("gopi_4674", "gopi_4675") }])
      expect(again.isIssued(wrong)).toBe(false);
    expect(again.isIssued({ cookie, authorization: `Bearer ${"c".repeat(32)}` })).toBe(false);
    pass(cookieDays * dayMs);
    expect(again.isIssued({ cookie })).toBe(false);
    pass(-dayMs);
    expect(again.isIssued({ cookie })).toBe(true);
    store.signIns.remove(store.signIns.list()[0]?.id ?? "");
    expect(again.isIssued({ cookie })).toBe(false);
  });

  it("of an older version has an issued cookie once it was used with its page", () => {
    const { signIns, store, pass } = setUp();
    pass(dayMs);
    const [secret, page] = ["s".repeat(32), "p".repeat(32)];
    const tokenHash = secretHash(`${secret}.${page}`);
    store.signIns.create({ tokenHash, label: "x", now: 1, expiresAt: 9_000_000_000_000 });
    const cookie = `gopi_4674=${secret}`;
    expect(signIns.isIssued({ cookie })).toBe(false);
    expect(signIns.access({ cookie }, page)).toBe("cookie");
    expect(signIns.isIssued({ cookie })).toBe(true);
  });

  it("was last used when it was last used with its page, to the hour", async () => {
    const { signIns, store, sent, pass } = setUp();
    const credentials = sent(signIns.exchange(signIns.freshLinkToken(), "Firefox", address));
    const lastUsed = async (): Promise<number | undefined> => (await store.signIns.list())[0]?.lastUsedAt;
    pass(60 * 60_000);
    signIns.access({ cookie: credentials.cookie });
    expect(await lastUsed()).toBe(1_000_000);
    signIns.access(credentials);
    expect(await lastUsed()).toBe(1_000_000 + 60 * 60_000);
    pass(60_000);
    signIns.access(credentials);
    expect(await lastUsed()).toBe(1_000_000 + 60 * 60_000);
  });
});
