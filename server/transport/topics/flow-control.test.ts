/**
 * A topic that floods, beside a session, on real sockets: the client reads through a proxy that stops reading.
 */
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server as NetServer, type Socket as NetSocket } from "node:net";
import { Server, type Socket } from "socket.io";
import { io as connectClient } from "socket.io-client";
import { expect, onTestFinished, test } from "vitest";
import type { DurableEnvelope, Envelope } from "@/lib/events/event";
import { asId, type SessionId } from "@/lib/events/id";
import { sessionTopic, type TopicPolicy } from "@/lib/protocol/topics";
import { makeTopic } from "./topic";
import { resyncEvents } from "./backlog";

const sessionId = asId<SessionId>("s1");
const durable = (seq: number): DurableEnvelope => ({ v: 1, sessionId, at: 1, seq, event: { type: "hidden" } });

/** Output of a program; the end of it is all that a slow client needs. */
interface Output {
  readonly terminal: string;
  /** Position of the text's end in the whole output, characters. */
  readonly end: number;
  readonly text: string;
}

const keptChars = 20_000;
const windowChars = 64_000;
const outputTopic: TopicPolicy<Output> = {
  audience: "subject",
  subject: ({ terminal }) => terminal,
  join: (first, second) => ({ ...second, text: (first.text + second.text).slice(-keptChars) }),
  chars: ({ text }) => text.length,
  overflow: "join",
  windowChars,
};

const listen = (server: NetServer): Promise<number> =>
  new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    }),
  );

/** Passes bytes on; while it is paused it reads nothing from the server, whose buffers fill up. */
async function proxyTo(port: number) {
  const sockets: NetSocket[] = [];
  const upstreams: NetSocket[] = [];
  const proxy = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    sockets.push(client, upstream);
    upstreams.push(upstream);
    client.on("data", (data) => upstream.write(data)).on("error", () => upstream.destroy());
    upstream.on("data", (data) => client.write(data)).on("error", () => client.destroy());
  });
  const own = await listen(proxy);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return {
    port: own,
    pause: () => upstreams.forEach((socket) => socket.pause()),
    resume: () => upstreams.forEach((socket) => socket.resume()),
  };
}

async function setUp() {
  const http = createHttpServer();
  const io = new Server(http, { transports: ["websocket"] });
  const sentChars = { output: 0 };
  const resyncs: string[] = [];
  const waits = new Set<() => void>();
  const flushWaits = (): void => [...waits].forEach((wait) => wait());
  const resync = (_socket: Socket, subject: string): void => {
    resyncs.push(subject);
    flushWaits();
  };
  const session = makeTopic<Socket, Envelope>({
    policy: sessionTopic,
    send: (sockets, envelopes) => sockets.forEach((socket) => socket.emit("events", envelopes)),
    resync,
  });
  const output = makeTopic<Socket, Output>({
    policy: outputTopic,
    send(sockets, outputs, confirmed) {
      for (const { text } of outputs) sentChars.output += text.length;
      sockets.forEach((socket) => socket.emit("output", outputs, confirmed));
    },
    resync,
  });
  const connected = new Promise<void>((resolve) =>
    io.on("connection", (socket) => {
      session.subscribe(socket, sessionId);
      output.subscribe(socket, "t1");
      output.subscribe(socket, "t2");
      socket.conn.on("drain", () => [session, output].forEach((topic) => topic.drained(socket)));
      resolve();
    }),
  );
  const proxy = await proxyTo(await listen(http));
  const client = connectClient(`http://127.0.0.1:${proxy.port}`, { transports: ["websocket"], forceNew: true });
  onTestFinished(async () => {
    client.disconnect();
    await io.close();
  });
  const seqs: number[] = [];
  const received: Output[] = [];
  client.on("events", (batch: readonly DurableEnvelope[]) => {
    seqs.push(...batch.map(({ seq }) => seq));
    flushWaits();
  });
  client.on("output", (outputs: readonly Output[], confirm: () => void) => {
    received.push(...outputs);
    confirm();
    flushWaits();
  });
  await connected;
  const until = (isDone: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const wait = (): void => {
        if (!isDone()) return;
        waits.delete(wait);
        resolve();
      };
      waits.add(wait);
      wait();
    });
  return { session, output, proxy, sentChars, resyncs, seqs, received, until };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const floods = 2_000;
const text = "y".repeat(8_000);

test("a program that prints without end neither delays nor drops events of a session, for a client that does not read", async () => {
  const { session, output, proxy, sentChars, resyncs, seqs, received, until } = await setUp();
  proxy.pause();
  for (let count = 1; count <= floods; count += 1) {
    output.publish([{ terminal: "t1", end: count * text.length, text }]);
    if (count % 10 === 0) session.publish([durable(count / 10)]);
    if (count % 50 === 0) await turn();
  }
  output.publish([{ terminal: "t2", end: 2, text: "ok" }]);
  // 16 million characters were printed; only the window was sent, and less than the network takes.
  expect(sentChars.output).toBeLessThanOrEqual(windowChars + 2);
  proxy.resume();
  const last = floods / 10;
  await until(() => seqs.includes(last));
  expect(seqs).toEqual(Array.from({ length: last }, (_, index) => index + 1));
  // At most the window is in front of the events; the second terminal waits for nothing.
  const before = received.reduce((sum, one) => sum + one.text.length, 0);
  expect(before).toBeLessThanOrEqual(windowChars + 2 + keptChars);
  await until(() => received.some(({ terminal, end }) => terminal === "t1" && end === floods * text.length));
  expect(received.find(({ terminal }) => terminal === "t2")?.text).toBe("ok");
  expect(received.filter(({ terminal }) => terminal === "t1").at(-1)?.text).toHaveLength(keptChars);
  expect(resyncs).toEqual([]);
});

test("a client that reads gets all the output that fits, in order", async () => {
  const { output, received, until } = await setUp();
  for (let count = 1; count <= 5; count += 1) output.publish([{ terminal: "t1", end: count, text: String(count) }]);
  await until(() => received.length === 5);
  expect(received.map((one) => one.text).join("")).toBe("12345");
});

test("a session that itself exceeds the limits is resynchronised, while the output continues", async () => {
  const { session, output, proxy, resyncs, received, until } = await setUp();
  proxy.pause();
  for (let seq = 1; seq <= 2 * resyncEvents; seq += 1) session.publish([durable(seq)]);
  output.publish([{ terminal: "t1", end: 2, text: "ok" }]);
  proxy.resume();
  await until(() => received.length === 1 && resyncs.length > 0);
  expect(received[0]?.text).toBe("ok");
  expect(resyncs).toEqual([sessionId]);
});
