import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { limits } from "@/lib/settings";
import { openStore } from "../store/open-store";
import { cookieName, secretHash } from "./guard";
import { makeSignIns } from "./sign-in";

/** Where the browser is. */
const here = "192.0.2.7";

/** A real store in a folder of its own, and a clock that stands until it is moved. */
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
  const cookie = (setCookie: string | null): string => setCookie?.split(";", 1)[0] ?? "";
  return { signIns, store, cookie, pass: (ms: number) => (now += ms), setWallClock: (ms: number) => (wallJump = ms) };
}

describe("a sign-in link", () => {
  it("signs one browser in, once, for thirty days", () => {
    const { signIns, cookie, pass } = setUp();
    const token = signIns.freshLinkToken();
    const given = signIns.exchange(token, "Firefox", here);
    expect(given).toMatch(/^gopi_4674=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
    expect(signIns.access({ cookie: cookie(given) })).toBe("cookie");
    expect(signIns.exchange(token, "Firefox", here)).toBeNull();
    pass(limits.cookieDays * 86_400_000 + 1);
    expect(signIns.access({ cookie: cookie(given) })).toBeNull();
  });

  it("is worth nothing after its time", () => {
    const { signIns, pass } = setUp();
    const token = signIns.freshLinkToken();
    pass(limits.signInMs + 1);
    expect(signIns.exchange(token, "Firefox", here)).toBeNull();
  });

  it("is worth what it says when the wall clock is set an hour ahead or back, and so is the cookie it gave", () => {
    const { signIns, cookie, pass, setWallClock } = setUp();
    const [one, other] = [signIns.freshLinkToken(), signIns.freshLinkToken()];
    setWallClock(3_600_000);
    const given = cookie(signIns.exchange(one, "Firefox", here));
    expect(signIns.access({ cookie: given })).toBe("cookie");
    setWallClock(-3_600_000);
    expect(signIns.access({ cookie: given })).toBe("cookie");
    pass(limits.signInMs + 1);
    expect(signIns.exchange(other, "Firefox", here)).toBeNull();
  });

  it("is stored only as a hash", async () => {
    const { signIns, store, cookie } = setUp();
    const given = cookie(signIns.exchange(signIns.freshLinkToken(), "Firefox", here));
    const secret = given.slice(`${cookieName(4674)}=`.length);
    const rows = await store.signIns.list();
    expect(rows.map((row) => row.tokenHash)).toEqual([secretHash(secret)]);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

describe("wrong tries", () => {
  it("are slowed down after a while, but a good link still counts", () => {
    const { signIns, pass } = setUp();
    for (let count = 0; count < limits.wrongTriesPerHour; count += 1)
      expect(signIns.exchange("wrong", "x", here)).toBeNull();
    expect(signIns.exchange("wrong", "x", here)).toBe("slow_down");
    expect(signIns.exchange(signIns.freshLinkToken(), "x", here)).toMatch(/^gopi_/);
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

  it("is given by a good cookie also when nothing can be written", () => {
    const { signIns, store, cookie } = setUp();
    const given = cookie(signIns.exchange(signIns.freshLinkToken(), "x", here));
    const other = new Database(store.path);
    other.exec("CREATE TRIGGER refuse BEFORE UPDATE ON sign_ins BEGIN SELECT RAISE(ABORT, 'no room'); END");
    other.close();
    expect(signIns.access({ cookie: given })).toBe("cookie");
  });

  it("is not given by a cookie to who shows a wrong bearer token", () => {
    const { signIns, cookie } = setUp();
    const given = cookie(signIns.exchange(signIns.freshLinkToken(), "x", here));
    expect(signIns.access({ cookie: given, authorization: `Bearer ${"c".repeat(32)}` })).toBeNull();
  });
});
