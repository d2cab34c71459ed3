import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { asId, type ClientId, type SessionId } from "@/lib/events/id";
import type { CommandClient } from "@/server/handlers/handlers";
import { makeEgress, publicEgressOptions } from "@/server/providers/egress/egress";
import { makeTestHarness } from "@/server/session/testing/test-harness";
import { hasPushDevices, isPushEndpoint } from "./push-devices";
import { makePushService } from "./push-service";

interface Received {
  readonly path: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** The service over a real store, with a push service on this machine that answers with `status`. */
async function makePush(status = 201) {
  const { store } = await makeTestHarness();
  const received: Received[] = [];
  let arrived = (_message: Received): void => {};
  let held = Promise.resolve();
  const clock = { now: 5_000 };
  const answered = new EventEmitter();
  const egress = makeEgress({ ...publicEgressOptions, accepts: () => true });
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const message = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(parts) };
    received.push(message);
    arrived(message);
    await held;
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  let changed = (): void => {};
  const service = makePushService(
    { store, now: () => clock.now, push: () => changed(), log: () => {} },
    {
      egress: {
        send: (request, signal) =>
          egress.send(request, signal).finally(() => setImmediate(() => answered.emit("done"))),
      },
      mayBePrivate: true,
    },
  );
  onTestFinished(() => {
    service.close();
    server.close();
  });
  const browser = createECDH("prime256v1");
  browser.generateKeys();
  const auth = randomBytes(16);
  const device = store.signIns.create({ tokenHash: "h", label: "Firefox, Linux", now: 1, expiresAt: 10_000 }).id;
  const client: CommandClient = {
    id: asId<ClientId>("tab"),
    access: "owner",
    device,
    join: () => {},
    leave: () => {},
  };
  const subscription = {
    endpoint: `${origin}/push/1`,
    p256dh: browser.getPublicKey("base64url"),
    auth: auth.toString("base64url"),
  };
  return {
    store,
    service,
    client,
    subscription,
    device,
    clock,
    subscribe: (path = "/push/1") =>
      service.commands["notices.subscribe"]({ ...subscription, endpoint: `${origin}${path}` }, client),
    /** Answers messages when the returned function is called. */
    hold() {
      const gate = new EventEmitter();
      held = once(gate, "open").then(() => {});
      return () => gate.emit("open");
    },
    answer: () => once(answered, "done"),
    send: () =>
      service.places()[0]?.deliver({ id: "1", kind: "asks", title: "Secret title", sessionId, seq: 1, at: 0 }),
    received,
    arrival: () => new Promise<Received>((resolve) => (arrived = resolve)),
    change: () => new Promise<void>((resolve) => (changed = resolve)),
    decrypt: (body: Buffer) => decrypt(body, browser, auth),
  };
}

const sessionId = asId<SessionId>("s_1");

/** Decrypts a message as a browser does: RFC 8291 and 8188. */
function decrypt(body: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const keyEnd = 21 + (body[20] ?? 0);
  const sender = body.subarray(21, keyEnd);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync("sha256", browser.computeSecret(sender), auth, info, 32));
  const derive = (name: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync("sha256", secret, salt, `Content-Encoding: ${name}\0`, bytes));
  const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  decipher.setAuthTag(body.subarray(-16));
  const padded = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString("utf8");
}

test("a device gets an encrypted message with the id of the session and nothing else", async () => {
  const push = await makePush();
  expect(push.service.places()).toEqual([]);
  expect(await push.subscribe()).toMatchObject({ ok: true });
  const arrival = push.arrival();
  push.send();
  const { path, headers, body } = await arrival;
  expect([path, headers["content-encoding"], headers.urgency]).toEqual(["/push/1", "aes128gcm", "high"]);
  expect(headers.authorization).toMatch(/^vapid t=[\w.-]+, k=/);
  expect(push.decrypt(body)).toBe(JSON.stringify({ session: "s_1" }));
  const { commands } = push.service;
  expect(await commands["notices.devices"]({}, push.client)).toMatchObject({
    value: { devices: [{ label: "Firefox, Linux", isCurrent: true, createdAt: 5_000 }] },
  });
});

test.each([404, 410])("a device whose subscription has ended (%i) is forgotten", async (status) => {
  const push = await makePush(status);
  await push.subscribe();
  const change = push.change();
  push.send();
  await change;
  expect(hasPushDevices(push.store)).toBe(false);
});

test("many notices within a minute are a few messages, and one about none of the sessions", async () => {
  const push = await makePush();
  await push.subscribe();
  let answers = 0;
  for (let sent = 0; sent < 100; sent += 1) push.send();
  while (answers < 6) {
    await push.answer();
    answers += 1;
  }
  push.clock.now = 9_999;
  push.send();
  const texts = push.received.map(({ body }) => push.decrypt(body));
  expect(texts).toHaveLength(6);
  expect(texts.filter((text) => text === "{}")).toHaveLength(1);
});

test("a device that subscribes again while its old subscription ends stays subscribed", async () => {
  const push = await makePush(410);
  await push.subscribe();
  const release = push.hold();
  const arrival = push.arrival();
  push.send();
  await arrival;
  await push.subscribe("/push/2");
  const answer = push.answer();
  release();
  await answer;
  expect(hasPushDevices(push.store)).toBe(true);
});

test("a device whose sign-in has expired gets no more messages", async () => {
  const push = await makePush();
  await push.subscribe();
  push.clock.now = 10_000;
  expect(push.service.places()).toEqual([]);
});

test("a device that is signed out, or removed, gets no more messages", async () => {
  const push = await makePush();
  await push.subscribe();
  push.service.removeDevice(push.device);
  expect(push.service.places()).toEqual([]);
  await push.subscribe();
  push.store.signIns.remove(push.device);
  push.service.prune();
  expect(hasPushDevices(push.store)).toBe(false);
});

test("only a signed-in browser can subscribe", async () => {
  const push = await makePush();
  const { device: _device, ...commandLine } = push.client;
  expect(await push.service.commands["notices.subscribe"](push.subscription, commandLine)).toMatchObject({
    error: { code: "not_allowed" },
  });
});

test.each([
  ["https://fcm.googleapis.com/fcm/send/abc", true],
  ["https://web.push.apple.com/x", true],
  ["http://fcm.googleapis.com/fcm/send/abc", false],
  ["https://127.0.0.1/x", false],
  ["https://localhost/x", false],
  ["https://192.168.1.4/x", false],
  ["https://[::1]/x", false],
  ["https://[::ffff:10.0.0.1]/x", false],
  ["https://router.lan/x", false],
  ["https://2130706433/x", false],
  ["https://user:secret@fcm.googleapis.com/x", false],
  ["file:///etc/passwd", false],
  ["nonsense", false],
])("messages are sent to %s: %s", (endpoint, isAllowed) => {
  expect(isPushEndpoint(endpoint, false)).toBe(isAllowed);
});
