/**
 * Tests of commands about a session whose log is still being read: each client sees them as if it had been in memory.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CommandOutput } from "@/lib/protocol/command";
import { type Envelope, isDurable } from "@/lib/events/event";
import { asId, type ClientId, type SessionId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { executeCommand, type CommandClient, type Handlers } from "@/server/handlers/handlers";
import { sessionReady } from "@/server/handlers/handler-table";
import { sessionHandlers } from "@/server/handlers/session/session-handlers";
import {
  promptAndWait,
  testCommandId,
  type TestHarness,
  makeTestHarness,
  textAnswer,
} from "@/server/session/testing/test-harness";
import { makeOwnerTopics, type OwnerWire } from "../topics/owner-topics";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A session with a long log, and the handlers of a process that has just started. */
async function longSession() {
  const harness = await makeTestHarness();
  const session = harness.session();
  harness.script(textAnswer("Hello."));
  await promptAndWait(session, "go");
  await harness.restart();
  const from = harness.store.events.read(session.id).length;
  const rows = Array.from({ length: 3 * serverLimits.loadEvents }, (_, index) => ({
    seq: from + index + 1,
    at: 1_000 + index,
    event: { type: "session_update", title: `Title ${index}` } as const,
  }));
  harness.store.events.commit({ sessionId: session.id, rows });
  return {
    harness,
    id: session.id,
    async started() {
      await harness.restart();
      const core = harness.services();
      const { sessions } = core;
      const handlers: Handlers = {
        table: sessionHandlers(core),
        ready: sessionReady({ sessions }),
        clientDisconnected: () => {},
        reportBug: () => {},
      };
      return { handlers, topics: makeOwnerTopics(sessions, () => ({})) };
    },
  };
}

type Started = Awaited<ReturnType<Awaited<ReturnType<typeof longSession>>["started"]>>;

/** One connection: its commands, their responses and the envelopes it was sent. */
function connect({ handlers, topics }: Started, id: SessionId) {
  /** Seqs it was sent since it last joined. */
  let sent: number[] = [];
  let joined = false;
  let opened = 0;
  const requests: Promise<void>[] = [];
  const answered: number[] = [];
  const controller = new AbortController();
  const wire: OwnerWire = {
    events: (envelopes: readonly Envelope[]) =>
      void sent.push(...envelopes.flatMap((one) => (isDurable(one) ? [one.seq] : []))),
    push: () => {},
  };
  const client: CommandClient = {
    id: asId<ClientId>("tab-of-a-test"),
    access: "owner",
    disconnected: controller.signal,
    join(topic, session) {
      joined = true;
      sent = [];
      topics.join(wire, topic, session);
    },
    leave(topic, session) {
      joined = false;
      topics.leave(wire, topic, session);
    },
  };
  const call = (name: string, input: object, then: (answer: unknown) => void = () => {}): void => {
    const index = requests.length;
    requests.push(
      executeCommand(handlers, name, input, client).then((answer) => {
        answered.push(index);
        if (answer.ok) then(answer.value);
        else expect([answer.error.code, controller.signal.aborted]).toEqual(["aborted", true]);
      }),
    );
  };
  const isOpened = (value: unknown): value is CommandOutput<"session.open"> =>
    typeof value === "object" && value !== null && "snapshot" in value;
  return {
    open: () =>
      call("session.open", { sessionId: id }, (value) => {
        opened = isOpened(value) ? value.snapshot.seq : 0;
      }),
    close: () => call("session.close", { sessionId: id }),
    rename: () => call("session.update", { sessionId: id, commandId: testCommandId(), title: "Another" }),
    cut() {
      controller.abort();
      topics.remove(wire);
    },
    isCut: () => controller.signal.aborted,
    requests,
    answered,
    state: () => ({ joined, opened, sent }),
  };
}

const kinds = ["open", "open", "close", "rename", "cut", "prepare", "append", "turn", "turn", "turn"] as const;
const step = fc.record({ kind: fc.constantFrom(...kinds), which: fc.constantFrom(0, 1) });

/** A change by a part of the server that does not wait: a share link, a rule. */
const append = (harness: TestHarness, id: SessionId): void =>
  void harness.registry().get(id)?.update({ title: "By the server" }, testCommandId());

test("opens, closes and changes while the log is read have the same result as in sequence", async () => {
  const { harness, id, started } = await longSession();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const services = await started();
      const clients = [connect(services, id), connect(services, id)];
      const last: (boolean | undefined)[] = [];
      for (const { kind, which: clientIndex } of steps) {
        const client = clients[clientIndex];
        if (kind === "turn") await turn();
        else if (kind === "prepare") harness.registry().prepare(id);
        else if (kind === "append") append(harness, id);
        else if (client !== undefined && !client.isCut()) {
          if (kind === "open" || kind === "close") last[clientIndex] = kind === "open";
          client[kind]();
        }
      }
      await Promise.all(clients.flatMap(({ requests }) => requests));
      append(harness, id);
      const end = harness.store.sessions.get(id)?.lastSeq ?? 0;
      for (const [clientIndex, client] of clients.entries()) {
        if (client.isCut()) continue;
        const { joined, opened, sent } = client.state();
        expect(client.answered).toEqual(client.answered.toSorted((a, b) => a - b));
        expect(joined).toBe(last[clientIndex] ?? false);
        if (joined) expect(sent).toEqual(Array.from({ length: end - opened }, (_, index) => opened + index + 1));
      }
      services.topics.close();
      await harness.registry().close();
    }),
    { numRuns: 40 },
  );
});

test("a client that opens, closes and opens again before the log is read has joined the session at the end", async () => {
  const { harness, id, started } = await longSession();
  const client = connect(await started(), id);
  client.open();
  client.close();
  client.open();
  await Promise.all(client.requests);
  append(harness, id);
  const { joined, opened, sent } = client.state();
  expect(joined).toBe(true);
  expect(sent).toEqual([opened + 1]);
});

test("a client disconnected while the log is read joins nothing, and the other one is served", async () => {
  const { id, started } = await longSession();
  const services = await started();
  const [first, second] = [connect(services, id), connect(services, id)];
  first.open();
  second.open();
  await turn();
  first.cut();
  await Promise.all([...first.requests, ...second.requests]);
  expect([first.state().joined, second.state().joined]).toEqual([false, true]);
});
