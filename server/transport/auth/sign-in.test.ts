import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "@/server/store/open-store";
import { cookieName, secretHash } from "./guard";
import { makeSignIns, type SignedIn, signInMs, cookieDays } from "./sign-in";
import { wrongTriesPerHour } from "./failed-attempts";

/** Address of the browser. */
const here = "192.0.2.7";

/** A real store in its own folder, and a clock that moves only on request. */
function setUp() {
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
  const signIns = makeSignIns({
    store: store.signIns,
    port: () => 4674,
    bearer: "b".repeat(32),
    now: () => now + wallJump,
    elapsed: () => now,
  });
  /** Headers the browser sends from then on. */
  const sent = (given: SignedIn | "slow_down" | null): { readonly cookie: string; readonly "x-gopi-page": string } => {
    if (given === null || given === "slow_down") throw new Error("not signed in");
    return { cookie: given.cookie.split(";", 1).join(""), "x-gopi-page": given.page };
  };
  return { signIns, store, sent, pass: (ms: number) => (now += ms), setWallClock: (ms: number) => (wallJump = ms) };
}

describe("a sign-in link", () => {
  it("signs one browser in, once, for thirty days", () => {
    const { signIns, sent, pass } = setUp();
    const token = signIns.freshLinkToken();
    const given = signIns.exchange(token, "Firefox", here);
    expect(given).toEqual({
      cookie: expect.stringMatching(/^gopi_4674=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/),
      page: expect.stringMatching(/^[\w-]{32}$/),
    });
    expect(signIns.access(sent(given))).toBe("cookie");
    expect(signIns.exchange(token, "Firefox", here)).toBeNull();
    pass(cookieDays * 86_400_000 + 1);
    expect(signIns.access(sent(given))).toBeNull();
  });

  it("is invalid after its time", () => {
    const { signIns, pass } = setUp();
    const token = signIns.freshLinkToken();
    pass(signInMs + 1);
    expect(signIns.exchange(token, "Firefox", here)).toBeNull();
  });

  it("has its full lifetime when the wall clock is set an hour ahead or back, and so has its cookie", () => {
    const { signIns, sent, pass, setWallClock } = setUp();
    const [one, other] = [signIns.freshLinkToken(), signIns.freshLinkToken()];
    setWallClock(3_600_000);
    const given = sent(signIns.exchange(one, "Firefox", here));
    expect(signIns.access(given)).toBe("cookie");
    setWallClock(-3_600_000);
    expect(signIns.access(given)).toBe("cookie");
    pass(signInMs + 1);
    expect(signIns.exchange(other, "Firefox", here)).toBeNull();
  });

  it("is stored only as a hash", async () => {
    const { signIns, store, sent } = setUp();
    const given = sent(signIns.exchange(signIns.freshLinkToken(), "Firefox", here));
    const secret = given.cookie.slice(`${cookieName(4674)}=`.length);
    const rows = store.signIns.list();
    expect(rows.map((row) => row.tokenHash)).toEqual([secretHash(`${secret}.${given["x-gopi-page"]}`)]);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(rows)).not.toContain(given["x-gopi-page"]);
  });
});

describe("wrong attempts", () => {
  it("are slowed down after a while, but a valid link still works", () => {
    const { signIns, pass } = setUp();
    for (let count = 0; count < wrongTriesPerHour; count += 1) expect(signIns.exchange("wrong", "x", here)).toBeNull();
    expect(signIns.exchange("wrong", "x", here)).toBe("slow_down");
    expect(signIns.exchange(signIns.freshLinkToken(), "x", here)).toMatchObject({
      cookie: expect.stringMatching(/^gopi_/),
    });
    expect(signIns.exchange("wrong", "x", "192.0.2.8")).toBeNull();
    pass(3_600_001);
    expect(signIns.exchange("wrong", "x", here)).toBeNull();
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
    const mine = sent(signIns.exchange(signIns.freshLinkToken(), "Firefox", here));
    const other = sent(signIns.exchange(signIns.freshLinkToken(), "Chromium", here));
    const page = mine["x-gopi-page"];
    expect(signIns.access(mine)).toBe("cookie");
    expect(signIns.access({ cookie: mine.cookie }, page)).toBe("cookie");
    for (const wrong of [
      { cookie: mine.cookie },
      { "x-gopi-page": page },
      { cookie: mine.cookie, "x-gopi-page": other["x-gopi-page"] },
      { cookie: other.cookie, "x-gopi-page": page },
      { cookie: mine.cookie, "x-gopi-page": "" },
      { cookie: mine.cookie, "x-gopi-page": mine.cookie },
      { cookie: mine.cookie, "x-gopi-page": `${page}, ${page}` },
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
    const given = sent(signIns.exchange(signIns.freshLinkToken(), "x", here));
    const other = new Database(store.path);
    other.exec("CREATE TRIGGER refuse BEFORE UPDATE ON sign_ins BEGIN SELECT RAISE(ABORT, 'no room'); END");
    other.close();
    expect(signIns.access(given)).toBe("cookie");
  });

  it("is not granted by a cookie together with a wrong bearer token", () => {
    const { signIns, sent } = setUp();
    const given = sent(signIns.exchange(signIns.freshLinkToken(), "x", here));
    expect(signIns.access({ ...given, authorization: `Bearer ${"c".repeat(32)}` })).toBeNull();
  });
});

describe("a signed-in browser", () => {
  it("is recognized by its cookie alone until its row is deleted, without access", () => {
    const { signIns, sent } = setUp();
    const mine = sent(signIns.exchange(signIns.freshLinkToken(), "Firefox", here));
    const other = sent(signIns.exchange(signIns.freshLinkToken(), "Chromium", here));
    const { cookie } = mine;
    expect([signIns.isKnown({ cookie }), signIns.access({ cookie })]).toEqual([true, null]);
    signIns.forget(signIns.device(mine) ?? "");
    expect(signIns.isKnown({ cookie })).toBe(false);
    expect(signIns.isKnown({ cookie: other.cookie })).toBe(true);
    expect(signIns.access(mine)).toBe("cookie");
    expect(signIns.isKnown({ cookie })).toBe(true);
    expect(signIns.isKnown({})).toBe(false);
    expect(signIns.isKnown({ cookie, authorization: `Bearer ${"b".repeat(32)}` })).toBe(false);
  });

  it("was last used when it was last used with its page, to the hour", async () => {
    const { signIns, store, sent, pass } = setUp();
    const mine = sent(signIns.exchange(signIns.freshLinkToken(), "Firefox", here));
    const lastUsed = async (): Promise<number | undefined> => (await store.signIns.list())[0]?.lastUsedAt;
    pass(60 * 60_000);
    signIns.access({ cookie: mine.cookie });
    expect(await lastUsed()).toBe(1_000_000);
    signIns.access(mine);
    expect(await lastUsed()).toBe(1_000_000 + 60 * 60_000);
    pass(60_000);
    signIns.access(mine);
    expect(await lastUsed()).toBe(1_000_000 + 60 * 60_000);
  });
});
