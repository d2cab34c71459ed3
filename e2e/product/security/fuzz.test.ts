// Sends many invalid requests and packets while a user works: the server continues to serve, and its log stays clean.
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import {
  brokenFrame,
  brokenPacket,
  brokenRequest,
  type ByteGenerator,
  hostileEvent,
  hostileRequest,
  makeByteGenerator,
  textFrame,
} from "../../fixtures/hostile-bytes";
import { isFullRun, longTestMs } from "../../fixtures/full-run";
import { expect, test } from "../../fixtures/product-test";
import { sendRawRequest, socketTarget, upgradeRequest, formatRequest } from "../../fixtures/raw-http";

import { Ledger } from "../../soak/ledger";
import { sendSoakMessage } from "../../soak/phases";
import type { SoakProduct } from "../../soak/soak-product";

const seed = 20_261_121;
/** Requests and packets: a hundred thousand in the full run. */
const [requests, packets] = isFullRun ? [20_000, 80_000] : [2_000, 8_000];
/** A refusal closes a connection, so each carries few requests; packets are answered and the next one is read. */
const requestsEach = 2;
const packetsEach = 200;
const atOnce = 32;
/**
 * The server uses a megabyte or two per connection while reading; memory that remains after all are closed is its own.
 */
const growthMaxBytes = 200_000_000;

interface FuzzCounts {
  sent: number;
  connections: number;
  answered: number;
  /** Bytes received. */
  bytes: number;
}

const freshCounts = (): FuzzCounts => ({ sent: 0, connections: 0, answered: 0, bytes: 0 });

/** Data to send once the server has sent `after`. */
interface ExchangeStep {
  readonly after: string;
  readonly parts: readonly Buffer[];
}

/** Sends all steps in turn, reads the answers, and resolves when the server has closed. */
function exchange(port: number, steps: readonly ExchangeStep[], counts: FuzzCounts, isAnswer: RegExp): Promise<void> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, "127.0.0.1");
    let received = "";
    let next = 0;
    const speak = (): void => {
      for (let step = steps[next]; step !== undefined && received.includes(step.after); step = steps[next]) {
        socket.write(Buffer.concat(step.parts));
        next += 1;
      }
      if (next === steps.length) socket.end();
    };
    counts.connections += 1;
    socket.on("data", (data: Buffer) => {
      received += data.toString("latin1");
      if (next < steps.length) speak();
    });
    socket.on("error", () => {});
    socket.once("close", () => {
      counts.answered += received.match(isAnswer)?.length ?? 0;
      counts.bytes += received.length;
      resolve();
    });
    speak();
  });
}

async function inParallel(works: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < works; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Sends hostile but well-formed requests, and ones that are not valid requests. */
async function fuzzHttp(dice: ByteGenerator, port: number): Promise<FuzzCounts> {
  const counts = freshCounts();
  await inParallel(requests / requestsEach, async () => {
    const first = [Buffer.from(hostileRequest(dice, port)), brokenRequest(dice, port)];
    counts.sent += requestsEach;
    await exchange(port, [{ after: "", parts: first }], counts, /HTTP\/1\.1 \d{3}/g);
  });
  return counts;
}

/**
 * Sends packets on a signed-in socket, so that everything behind authentication is reached, and finally a packet or a
 * frame that violates the protocol.
 */
async function fuzzSocket(dice: ByteGenerator, port: number, bearer: string): Promise<FuzzCounts> {
  const counts = freshCounts();
  const head = { Authorization: `Bearer ${bearer}` };
  await inParallel(packets / packetsEach, async () => {
    const events = Array.from({ length: packetsEach - 2 }, () => textFrame(hostileEvent(dice)));
    const last = dice.chance(0.5) ? brokenFrame(dice) : textFrame(brokenPacket(dice));
    counts.sent += packetsEach;
    const steps = [
      { after: "", parts: [Buffer.from(formatRequest(port, upgradeRequest(socketTarget, head)))] },
      { after: '0{"sid"', parts: [textFrame("40")] },
      { after: '40{"sid"', parts: [...events, textFrame('42999999999["call","nothing",{}]')] },
      // Everything before it was read: a client that disconnects earlier gets no answer.
      { after: "43999999999[", parts: [last] },
    ];
    await exchange(port, steps, counts, /43\d+\[/g);
  });
  return counts;
}

const residentBytes = (pid: number): number =>
  1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);

/** Returns a function that sends a message and waits for the answer, as a tab sees it. */
async function openChat(subject: SoakProduct) {
  const sessionId = await subject.newSession("ask");
  const follower = subject.follow(sessionId);
  const ledger = new Ledger();
  return {
    async ask(text: string, answer: string): Promise<void> {
      expect((await sendSoakMessage({ subject, ledger }, sessionId, text)).seq).not.toBeNull();
      await follower.until((view) => view.run === null && JSON.stringify(view).includes(answer));
    },
    close: () => follower.close(),
  };
}

test(
  "malformed requests and packets leave the server serving and its log clean",
  async ({ subject }) => {
    const { server } = subject;
    subject.model.setScript({
      turns: [{ text: "First answer." }, { text: "Second answer." }, { text: "Third answer." }],
    });
    const chat = await openChat(subject);
    await chat.ask("Begin.", "First answer.");
    const before = residentBytes(server.pid);
    const logBefore = server.stderr;

    const dice = makeByteGenerator(seed);
    const fuzz = Promise.all([fuzzHttp(dice, server.port), fuzzSocket(dice, server.port, server.bearer)]);
    await chat.ask("Go on.", "Second answer.");
    const [http, socket] = await fuzz;

    expect(http.sent + socket.sent).toBe(requests + packets);
    // Shows that they were read individually: half of the packets request an answer, and a broken request often gets
    // none.
    expect(http.answered).toBeGreaterThan(requests * 0.4);
    expect(socket.answered).toBeGreaterThan(packets * 0.25);
    const health = await sendRawRequest(server.port, { target: "/api/health" });
    expect(health.status).toBe(200);
    await chat.ask("End.", "Third answer.");
    chat.close();
    const log = server.stderr.slice(logBefore.length);
    expect(log).not.toMatch(/^\s+at /m);
    expect(log).not.toMatch(/unhandled|uncaught|TypeError|RangeError/i);
    const growth = residentBytes(server.pid) - before;
    expect(growth).toBeLessThan(growthMaxBytes);
  },
  longTestMs,
);
