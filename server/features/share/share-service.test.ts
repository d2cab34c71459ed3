import { connect } from "node:net";
import { io } from "socket.io-client";
import { describe, expect, it } from "vitest";
import { commands } from "@/lib/protocol/command";
import { asId, type SessionId } from "@/lib/events/id";
import {
  type ScriptedAnswer,
  callAnswer,
  testCommandId,
  makeGate,
  textAnswer,
} from "@/server/session/testing/test-harness";
import {
  testAddresses,
  connectViewer,
  sendRequest,
  lastSeq,
  makeSharingRig,
  viewerPage,
  plantedSecret,
  type SharingRig,
  openViewer,
} from "./test-sharing";
import { wrongTriesPerHour } from "@/server/transport/auth/failed-attempts";
import { viewerPacketBytes } from "@/server/transport/share/share-viewers";

const sent = async (rig: SharingRig, text: string, ...answers: readonly ScriptedAnswer[]) => {
  rig.harness.script(...answers);
  const session = rig.harness.session("full");
  const started = session.send(text, "prompt", testCommandId());
  if (started.ok) await started.value.done;
  return session;
};

describe("a link", () => {
  it("has an address on every network, and answers at each", async () => {
    const rig = await makeSharingRig();
    const session = await sent(rig, "hello", textAnswer("good day"));
    const { links, share } = await rig.share(session);
    expect(links.map(({ address }) => address)).toEqual([...testAddresses]);
    for (const { url } of links) {
      const { origin, pathname, hash } = new URL(url);
      expect((await sendRequest(origin, pathname)).body).toBe(viewerPage);
      const looking = await openViewer({ origin, token: hash.slice(1) });
      expect(await looking.call("share.open")).toMatchObject({
        ok: true,
        value: { sessionId: session.id, kind: "live" },
      });
    }
    expect(rig.shares.list()).toMatchObject([{ id: share.id, viewers: [{ name: "Chrome, Android" }, {}] }]);
  });

  it("leads to this machine only without a network, and to the network once there is one", async () => {
    const rig = await makeSharingRig();
    const session = await sent(rig, "hello", textAnswer("good day"));
    rig.controls.machine = [];
    const offline = await rig.share(session);
    expect(offline.links.map(({ address }) => address)).toEqual(["127.0.0.1"]);
    const looking = await openViewer(offline);
    expect((await looking.open(session.id)).seq).toBe(session.view.seq);
    rig.controls.machine = [testAddresses[0]];
    const online = await rig.share(session);
    expect(online.links.map(({ address }) => address)).toEqual([testAddresses[0]]);
    expect((await sendRequest(online.origin, "/share")).body).toBe(viewerPage);
    expect((await sendRequest(offline.origin, "/share")).body).toBe(viewerPage);
  });

  it("is not created for a missing session", async () => {
    const rig = await makeSharingRig();
    const sessionId = asId<SessionId>("nothing");
    expect(await rig.shares.create({ sessionId, kind: "live", outputs: true, hours: 1 })).toMatchObject({
      error: { code: "not_found" },
    });
    expect(rig.shares.list()).toEqual([]);
  });

  it("has a listener only while it is active, and again after a restart", async () => {
    const rig = await makeSharingRig();
    const session = await sent(rig, "hello", textAnswer("good day"));
    const first = await rig.share(session);
    const second = await rig.share(session);
    await rig.shares.close();
    const shares = rig.restart();
    expect(shares.addresses()).toEqual([]);
    await shares.resume();
    const looking = await openViewer(second);
    expect(shares.revoke(first.share.id)).toBe(true);
    expect(shares.revoke(first.share.id)).toBe(false);
    expect(looking.socket.connected).toBe(true);
    expect(shares.revoke(second.share.id)).toBe(true);
    await looking.until(() => !looking.socket.connected);
    await expect(sendRequest(first.origin, "/share")).rejects.toThrow("ECONNREFUSED");
    expect(shares.addresses()).toEqual([]);
  });

  it("created during shutdown leaves no listener", async () => {
    const rig = await makeSharingRig();
    const session = await sent(rig, "hello", textAnswer("good day"));
    const input = { sessionId: session.id, kind: "live", outputs: true, hours: 1 } as const;
    const making = rig.shares.create(input);
    await rig.shares.close();
    await making;
    expect(rig.shares.addresses()).toEqual([]);
    expect(await rig.shares.create(input)).toMatchObject({ error: { code: "aborted" } });
    expect(rig.shares.addresses()).toEqual([]);
  });

  it("keeps its token out of the store and the log", async () => {
    const rig = await makeSharingRig();
    const { token, share } = await rig.share(await sent(rig, "hello", textAnswer("good day")));
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(JSON.stringify(rig.harness.store.shares.active(Date.now()))).not.toContain(token);
    expect(JSON.stringify(rig.pushes)).not.toContain(token);
    expect(rig.logged).toEqual([]);
    expect(JSON.stringify(share)).not.toContain(token);
  });
});

describe("a viewer", () => {
  it("sees the session as its owner does, from the start and live", async () => {
    const rig = await makeSharingRig();
    const session = await sent(rig, "hello", textAnswer("good day"));
    const looking = await openViewer(await rig.share(session));
    const before = await looking.open(session.id);
    expect(before.seq).toBe(session.view.seq);
    const gate = makeGate();
    rig.harness.script([{ type: "text", text: "now it goes on and " }, gate, ...textAnswer("ends")]);
    const started = session.send("more", "prompt", testCommandId());
    await gate.reached;
    await looking.until(() => looking.received().includes("now it goes on"));
    const late = await openViewer(await rig.share(session));
    expect(JSON.stringify(await late.open(session.id))).toContain("now it goes on");
    gate.open();
    if (started.ok) await started.value.done;
    for (const one of [looking, late]) {
      await one.until(() => lastSeq(one) === session.view.seq);
      expect(one.view().seq).toBe(session.view.seq);
      expect(one.view().stale).toBe(false);
      expect(JSON.stringify(one.view())).toContain("now it goes on and ends");
    }
  });

  it("sees nothing after the creation of a frozen link", async () => {
    const rig = await makeSharingRig();
    const session = await sent(rig, "hello", textAnswer("good day"));
    const shared = await rig.share(session, { kind: "frozen" });
    const seq = session.view.seq;
    const looking = await openViewer(shared);
    expect((await looking.open(session.id)).seq).toBe(seq);
    rig.harness.script(textAnswer("a later word"));
    const started = session.send("and then", "prompt", testCommandId());
    if (started.ok) await started.value.done;
    const late = await openViewer(shared);
    expect((await late.open(session.id)).seq).toBe(seq);
    await late.call("session.find", { sessionId: session.id, query: "later" });
    expect(looking.received() + late.received()).not.toContain("later word");
    expect(looking.envelopes).toEqual([]);
  });

  it("sees a run that was open at the creation of a frozen link as ended", async () => {
    const rig = await makeSharingRig();
    const session = rig.harness.session();
    const gate = makeGate();
    rig.harness.script([gate, ...textAnswer("good day")]);
    const started = session.send("hello", "prompt", testCommandId());
    await gate.reached;
    const looking = await openViewer(await rig.share(session, { kind: "frozen" }));
    const view = await looking.open(session.id);
    expect([view.run, view.turn, view.openMessages]).toEqual([null, null, {}]);
    gate.open();
    if (started.ok) await started.value.done;
  });

  it("gets no secret, home folder, approval, queue or blob", async () => {
    const rig = await makeSharingRig();
    const session = await sent(
      rig,
      `use ${plantedSecret} in ${rig.harness.userHome}/x`,
      callAnswer(["bash", { command: `echo ${plantedSecret} the-bearer-of-server-json; pwd` }]),
      callAnswer(["write", { path: "a.txt", content: `key = ${plantedSecret}\n` }]),
      callAnswer(["read", { path: ".env" }]),
      callAnswer(["bash", { command: "seq 1 20000" }]),
      textAnswer(`done: ${plantedSecret}`),
    );
    const looking = await openViewer(await rig.share(session));
    const view = await looking.open(session.id);
    expect(view.seq).toBe(session.view.seq);
    const received = looking.received();
    expect(received).toContain("use •••");
    expect(received).toContain("~/project");
    for (const secret of [plantedSecret, plantedSecret.slice(0, 12), "the-bearer-of-server-json", rig.harness.userHome])
      expect(received).not.toContain(secret);
    expect(received).not.toMatch(/"(?:blob|before|after|prompt|commandId|boundTo)":"[^"]/);
    const owners = [...JSON.stringify(session.view.entries).matchAll(/"blob":"([0-9a-f]{64})"/g)];
    expect(owners.length).toBeGreaterThan(0);
  });

  it("gets no call output if the link excludes it", async () => {
    const rig = await makeSharingRig();
    const gate = makeGate();
    rig.harness.script(callAnswer(["bash", { command: "echo printed-words" }]), [gate, ...textAnswer("done")]);
    const session = rig.harness.session("full");
    const looking = await openViewer(await rig.share(session, { outputs: false }));
    await looking.open(session.id);
    const started = session.send("go", "prompt", testCommandId());
    await gate.reached;
    gate.open();
    if (started.ok) await started.value.done;
    await looking.until(() => lastSeq(looking) === session.view.seq);
    expect(looking.received().replaceAll("echo printed-words", "")).not.toContain("printed-words");
    const ends = looking.envelopes.flatMap(({ event }) => (event.type === "tool_call_end" ? [event] : []));
    expect(ends).toMatchObject([{ output: [], cut: { shown: 0 } }]);
  });
});

describe("the viewers' listener", () => {
  const wrong = "A".repeat(32);

  it.each([wrong, "", undefined, null, 5, { token: 1 }, [wrong], "x".repeat(5_000)])(
    "refuses the token %j",
    async (token) => {
      const rig = await makeSharingRig();
      const { origin } = await rig.share(await sent(rig, "hello", textAnswer("good day")));
      expect(await connectViewer(origin, token)).toBe("share_ended");
    },
  );

  it("refuses a link that was revoked or has expired, or whose session was removed", async () => {
    const rig = await makeSharingRig();
    const session = await sent(rig, "hello", textAnswer("good day"));
    const other = await rig.share(await sent(rig, "hello", textAnswer("good day")));
    const revoked = await rig.share(session);
    const expired = await rig.share(session, { hours: 0.5 });
    const removed = await rig.share(session, { hours: 3 });
    rig.shares.revoke(revoked.share.id);
    rig.controls.jumpMs = 31 * 60_000;
    expect(await connectViewer(revoked.origin, revoked.token)).toBe("share_ended");
    expect(await connectViewer(expired.origin, expired.token)).toBe("share_ended");
    const looking = await openViewer(removed);
    rig.harness.store.sessions.remove(session.id, Date.now());
    expect(await looking.call("share.open")).toMatchObject({ error: { code: "share_ended" } });
    rig.shares.sessionRemoved(session.id);
    await looking.until(() => !looking.socket.connected);
    expect(await connectViewer(removed.origin, removed.token)).toBe("share_ended");
    expect(typeof (await connectViewer(other.origin, other.token))).toBe("object");
  });

  it("accepts only viewer commands, for the session of the link only", async () => {
    const rig = await makeSharingRig();
    const session = await sent(rig, "hello", textAnswer("good day"));
    const other = await sent(rig, "secret plan", textAnswer("hush"));
    const shared = await rig.share(session);
    await rig.share(other);
    const looking = await openViewer(shared);
    const allowed = ["share.open", "session.open", "session.close", "session.page", "session.find", "session.output"];
    for (const [name, { access }] of Object.entries(commands)) {
      expect(access).toBe(allowed.includes(name) ? "viewer" : "owner");
      if (!allowed.includes(name))
        expect([name, await looking.call(name, { sessionId: session.id })]).toMatchObject([
          name,
          { error: { code: "not_allowed" } },
        ]);
    }
    for (const name of ["session.open", "session.page", "session.find", "session.output"])
      expect(await looking.call(name, { sessionId: other.id, before: 5, query: "plan", callId: "c" })).toMatchObject({
        error: { code: "not_allowed" },
      });
    expect(await looking.call("constructor")).toMatchObject({ error: { code: "unknown_command" } });
    expect(await looking.call("session.open", { sessionId: 5 })).toMatchObject({ error: { code: "bad_input" } });
    expect(looking.received()).not.toContain("secret plan");
  });

  it("ignores other events, and survives invalid ones", async () => {
    const rig = await makeSharingRig();
    const session = await sent(rig, "hello", textAnswer("good day"));
    const shared = await rig.share(session);
    const looking = await openViewer(shared);
    for (const name of ["push", "events", "ended", "message", "call"]) looking.socket.emit(name, "session.abort", 1);
    expect((await looking.open(session.id)).seq).toBe(session.view.seq);
    const noisy = await openViewer(shared);
    noisy.socket.emit("call", "session.find", { query: "x".repeat(viewerPacketBytes) });
    await noisy.until(() => !noisy.socket.connected);
    expect(await looking.call("share.open")).toMatchObject({ ok: true });
  });

  it.each([
    ["/share", {}, "GET", 200],
    ["/share?x=1", {}, "GET", 200],
    ["/share", {}, "HEAD", 200],
    ["/_next/static/chunks/a.js", {}, "GET", 200],
    ["/icon.svg", {}, "GET", 200],
    ["/", {}, "GET", 404],
    ["/index.html", {}, "GET", 404],
    ["/share.html", {}, "GET", 404],
    ["/s/s1", {}, "GET", 404],
    ["/api/health", {}, "GET", 404],
    ["/api/call", {}, "GET", 404],
    ["/api/call", {}, "POST", 405],
    ["/api/sign-in", {}, "POST", 405],
    ["/share", {}, "POST", 405],
    ["/share", {}, "OPTIONS", 405],
    ["/socket.io/?EIO=4&transport=polling", {}, "GET", 404],
    ["/_next/static/../../index.html", {}, "GET", 400],
    ["/_next/static/%2e%2e/index.html", {}, "GET", 400],
    ["//share", {}, "GET", 400],
    ["/share", { Host: "evil.example" }, "GET", 421],
    ["/share", { Host: "localhost" }, "GET", 421],
    ["/share", { Host: `${testAddresses[0]}:1` }, "GET", 421],
    ["/share", { Host: "192.0.2.1:80", "X-Forwarded-Host": testAddresses[0] }, "GET", 421],
  ])("answers %s %j %s with %i", async (path, headers, method, status) => {
    const rig = await makeSharingRig();
    const { origin } = await rig.share(await sent(rig, "hello", textAnswer("good day")));
    const answer = await sendRequest(origin, path, headers, method);
    expect(answer.status).toBe(status);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    if (path.startsWith("/share") && status === 200) {
      expect(answer.headers["referrer-policy"]).toBe("no-referrer");
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
    }
    expect(answer.body).not.toContain("owner's page");
  });

  it.each([
    ["its own page", (origin: string) => origin, true],
    ["another client than a page", () => undefined, false],
    ["a page without origin", () => "null", false],
    ["another site", () => "http://evil.example", false],
    ["the owner's page", (origin: string) => origin.replace(/:\d+$/, ":4674"), false],
    ["the other address", (origin: string) => origin.replace(testAddresses[0], testAddresses[1]), false],
  ])("checks a socket of %s: %s", async (_who, originOf, isTaken) => {
    const rig = await makeSharingRig();
    const { origin, token } = await rig.share(await sent(rig, "hello", textAnswer("good day")));
    const from = originOf(origin);
    const extraHeaders: Record<string, string> = from === undefined ? {} : { Origin: from };
    const socket = io(origin, {
      transports: ["websocket"],
      reconnection: false,
      forceNew: true,
      auth: { token },
      extraHeaders,
    });
    const outcome = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("connect_error", () => resolve(false));
    });
    socket.disconnect();
    expect(outcome).toBe(isTaken);
  });

  it("disconnects a client that does not complete its request, and keeps viewers", async () => {
    const rig = await makeSharingRig();
    const shared = await rig.share(await sent(rig, "hello", textAnswer("good day")));
    const looking = await openViewer(shared);
    const { hostname, port } = new URL(shared.origin);
    const ended = ["", `GET /share HTTP/1.1\r\nHost: ${hostname}`].map(
      (text) =>
        new Promise<void>((resolve) => {
          const socket = connect({ host: hostname, port: Number(port) });
          socket.on("close", () => resolve()).resume();
          socket.write(text);
        }),
    );
    await Promise.all(ended);
    expect(await looking.call("share.open")).toMatchObject({ ok: true });
  });

  it("answers guessing with 429, per address", async () => {
    const rig = await makeSharingRig();
    const session = await sent(rig, "hello", textAnswer("good day"));
    const { origin, token, links } = await rig.share(session);
    for (let count = 0; count < wrongTriesPerHour; count += 1)
      expect(await connectViewer(origin, `${wrong}${count}`)).toBe("share_ended");
    const { hostname, port } = new URL(origin);
    const knock = (localAddress: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect({ host: hostname, port: Number(port), localAddress });
        socket.once("data", (data) => {
          resolve(data.toString().slice(9, 12));
          socket.destroy();
        });
        socket.write(
          `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: ${origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
        );
      });
    // A socket to an address of this machine comes from that address, unless bound otherwise.
    expect(await knock("127.0.0.1")).toBe("429");
    expect(await knock("127.0.0.99")).toBe("101");
    expect(token).not.toBe(wrong);
    expect(links).toHaveLength(2);
  });
});

describe("when a link ends", () => {
  it("viewers are notified and disconnected, even one that reads nothing", async () => {
    const rig = await makeSharingRig();
    const session = await sent(rig, "hello", textAnswer("good day"));
    const keep = await rig.share(session);
    const shared = await rig.share(session);
    const looking = await openViewer(shared);
    const silent = await openViewer(shared);
    await looking.open(session.id);
    silent.socket.io.engine.transport.pause(() => {});
    rig.shares.revoke(shared.share.id);
    await looking.until(() => !looking.socket.connected);
    expect(looking.ended()).toBe("revoked");
    await expect.poll(() => rig.shares.list().find(({ id }) => id === shared.share.id)).toBeUndefined();
    expect(rig.shares.list()).toMatchObject([{ id: keep.share.id }]);
  });

  it("viewers are notified of its expiry", async () => {
    const rig = await makeSharingRig();
    const session = await sent(rig, "hello", textAnswer("good day"));
    const looking = await openViewer(await rig.share(session, { hours: 1 }));
    // A new link makes the server read the clock again and wait for the next expiry.
    rig.controls.jumpMs = 3_600_000 - 100;
    const later = await rig.share(session, { hours: 2 });
    await looking.until(() => !looking.socket.connected);
    expect(looking.ended()).toBe("expired");
    expect(rig.shares.list().map(({ id }) => id)).toEqual([later.share.id]);
  });
});
