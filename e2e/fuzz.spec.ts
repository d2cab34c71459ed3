// A hundred thousand requests and packets nobody should send, while a person works: the server goes on, and its log stays clean.
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import {
  brokenFrame,
  brokenPacket,
  brokenRequest,
  type Dice,
  hostileEvent,
  hostileRequest,
  makeDice,
  textFrame,
} from "./fixtures/fuzz-bytes";
import { request, socketTarget, upgradeOf, wireOf } from "./fixtures/raw-http";
import { expect, test } from "./pages/stage";

const seed = 20_261_121;
const requests = 50_000;
const packets = 50_000;
const perConnection = 50;
const atOnce = 24;
/** The server reads with a megabyte or two a connection; what is left when all are gone is its own. */
const growthMaxBytes = 200_000_000;

interface Counts {
  sent: number;
  connections: number;
  answered: number;
  /** Bytes that came back. */
  bytes: number;
}

const freshCounts = (): Counts => ({ sent: 0, connections: 0, answered: 0, bytes: 0 });

/** Writes, reads whatever comes, and resolves when the server closes or has been silent since we said we are done. */
function talk(port: number, parts: readonly Buffer[], counts: Counts, isAnswer: RegExp): Promise<void> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, "127.0.0.1");
    counts.connections += 1;
    socket.on("data", (data: Buffer) => {
      counts.bytes += data.length;
      counts.answered += data.toString("latin1").match(isAnswer)?.length ?? 0;
    });
    socket.on("error", () => {});
    socket.once("close", () => resolve());
    for (const part of parts) socket.write(part);
    socket.end();
  });
}

async function inParallel(works: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < works; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Some that are well formed and hostile, and at last one that is no request at all. */
async function fuzzHttp(dice: Dice, port: number): Promise<Counts> {
  const counts = freshCounts();
  await inParallel(requests / perConnection, async () => {
    const good = Array.from({ length: perConnection - 1 }, () => Buffer.from(hostileRequest(dice, port)));
    counts.sent += perConnection;
    await talk(port, [...good, brokenRequest(dice, port)], counts, /HTTP\/1\.1 \d{3}/g);
  });
  return counts;
}

/** Signed in, so that everything behind the door is reached; at last a packet or a frame that breaks the rules. */
async function fuzzSocket(dice: Dice, port: number, bearer: string): Promise<Counts> {
  const counts = freshCounts();
  const head = { Authorization: `Bearer ${bearer}` };
  await inParallel(packets / perConnection, async () => {
    const events = Array.from({ length: perConnection - 2 }, () => textFrame(hostileEvent(dice)));
    const last = dice.chance(0.5) ? brokenFrame(dice) : textFrame(brokenPacket(dice));
    counts.sent += perConnection;
    const parts = [Buffer.from(wireOf(port, upgradeOf(socketTarget, head))), textFrame("40"), ...events, last];
    await talk(port, parts, counts, /43\d+\[/g);
  });
  return counts;
}

const residentBytes = (pid: number): number =>
  1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);

test("a hundred thousand malformed requests and packets leave the server serving and its log clean", async ({
  bench,
  server,
  model,
}) => {
  test.setTimeout(240_000);
  model.setScript({ turns: [{ text: "Before." }, { text: "Meanwhile." }, { text: "After." }] });
  await bench.begin("Say before.");
  await expect(bench.session.conversation.getByText("Before.")).toBeVisible();
  const before = residentBytes(server.pid);
  const logBefore = server.stderr;

  const dice = makeDice(seed);
  const startedAt = performance.now();
  const fuzz = Promise.all([fuzzHttp(dice, server.port), fuzzSocket(dice, server.port, server.bearer)]);
  await bench.session.say("Say meanwhile.");
  await expect(bench.session.conversation.getByText("Meanwhile.")).toBeVisible({ timeout: 60_000 });
  const [http, socket] = await fuzz;
  const seconds = (performance.now() - startedAt) / 1_000;

  expect(http.sent + socket.sent).toBe(100_000);
  // Most were read and answered one by one; the rest came behind something that ended its connection.
  expect(http.answered).toBeGreaterThan(requests * 0.05);
  expect(socket.answered).toBeGreaterThan(packets * 0.05);
  const health = await request(server.port, { target: "/api/health" });
  expect(health.status).toBe(200);
  await bench.session.say("Say after.");
  await expect(bench.session.conversation.getByText("After.")).toBeVisible();
  const log = server.stderr.slice(logBefore.length);
  expect(log).not.toMatch(/^\s+at /m);
  expect(log).not.toMatch(/unhandled|uncaught|TypeError|RangeError/i);
  const growth = residentBytes(server.pid) - before;
  expect(growth).toBeLessThan(growthMaxBytes);
  const told = (name: string, counts: Counts): string =>
    `${name}: ${counts.sent} sent on ${counts.connections} connections, ${counts.answered} answered`;
  console.info(
    `fuzz, seed ${seed}, ${seconds.toFixed(0)} s, memory +${Math.round(growth / 1e6)} MB\n  ${told("requests", http)}\n  ${told("packets", socket)}`,
  );
});
