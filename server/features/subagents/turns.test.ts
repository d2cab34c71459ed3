/** Turns on model servers: their order, how many there are, and how they are lent. */
import { expect, test } from "vitest";
import { asId, type SessionId } from "@/lib/events/id";
import { makeTurns, type Turn } from "./turns";

const never = new AbortController().signal;

/** The parent of a subagent is the first letter of its name. */
function makeRig(slots = 1) {
  const turns = makeTurns();
  const begun: string[] = [];
  const open = new Map<string, { readonly turn: Turn; end(): void }>();
  return {
    begun,
    begin: (name: string, signal: AbortSignal = never, host = "host"): Promise<void> =>
      turns.hold(
        { host, slots },
        asId<SessionId>(name.slice(0, 1)),
        (turn) =>
          new Promise<void>((resolve) => {
            begun.push(name);
            open.set(name, { turn, end: resolve });
          }),
        signal,
      ),
    turn: (name: string): Turn => open.get(name)?.turn ?? expect.fail(),
    end: (name: string): void => open.get(name)?.end(),
    settle: () => new Promise(setImmediate),
  };
}

test("one works at a time on a server, in request order; another server has its own", async () => {
  const { begin, begun, end, settle } = makeRig();
  const ends = [begin("a"), begin("b"), begin("c"), begin("other", never, "elsewhere")];
  await settle();
  expect(begun).toEqual(["a", "other"]);
  for (const name of ["a", "b", "c", "other"]) {
    end(name);
    await settle();
  }
  expect(begun).toEqual(["a", "other", "b", "c"]);
  await Promise.all(ends);
});

test("as many work at once as the server has turns", async () => {
  const { begin, begun, end, settle } = makeRig(2);
  const ends = [begin("a"), begin("b"), begin("c")];
  await settle();
  expect(begun).toEqual(["a", "b"]);
  for (const name of ["b", "a", "c"]) {
    end(name);
    await settle();
  }
  await Promise.all(ends);
  expect(begun).toEqual(["a", "b", "c"]);
});

test("one that waits lends its turn once, and has one again at once; no further one starts meanwhile", async () => {
  const { begin, begun, turn, end, settle } = makeRig();
  const ends = [begin("a"), begin("b"), begin("c")];
  await settle();
  turn("a").setWaiting(true);
  turn("a").setWaiting(true);
  await settle();
  expect(begun).toEqual(["a", "b"]);
  turn("a").setWaiting(false);
  end("b");
  await settle();
  expect(begun).toEqual(["a", "b"]);
  end("a");
  await settle();
  expect(begun).toEqual(["a", "b", "c"]);
  turn("c").setWaiting(true);
  end("c");
  await Promise.all(ends);
  const last = begin("d");
  await settle();
  end("d");
  await last;
});

test("one that has lent its turn counts again, also after the borrower has ended", async () => {
  const { begin, begun, turn, end, settle } = makeRig();
  const ends = [begin("a"), begin("b")];
  await settle();
  turn("a").setWaiting(true);
  await settle();
  end("b");
  await settle();
  turn("a").setWaiting(false);
  ends.push(begin("c"));
  await settle();
  expect(begun).toEqual(["a", "b"]);
  end("a");
  await settle();
  expect(begun).toEqual(["a", "b", "c"]);
  end("c");
  await Promise.all(ends);
});

test("those of one session work one after another, also while one of them waits for the user", async () => {
  const { begin, begun, turn, end, settle } = makeRig();
  const ends = [begin("a1"), begin("a2"), begin("b1")];
  await settle();
  turn("a1").setWaiting(true);
  await settle();
  expect(begun).toEqual(["a1", "b1"]);
  turn("a1").setWaiting(false);
  end("b1");
  await settle();
  expect(begun).toEqual(["a1", "b1"]);
  end("a1");
  await settle();
  expect(begun).toEqual(["a1", "b1", "a2"]);
  end("a2");
  await Promise.all(ends);
});

test("one that gives up while it waits leaves the order, and takes no turn", async () => {
  const { begin, begun, end, settle } = makeRig();
  const cancel = new AbortController();
  const first = begin("a");
  const second = begin("b", cancel.signal);
  const third = begin("c");
  cancel.abort();
  await expect(second).rejects.toThrow();
  end("a");
  await first;
  await settle();
  expect(begun).toEqual(["a", "c"]);
  end("c");
  await third;
});
