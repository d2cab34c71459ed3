import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { iterate } from "@/lib/view/chunks";
import { type Envelope, isDurable } from "@/lib/events/event";
import { fold } from "@/lib/view/fold";
import { type SessionSnapshot, createSessionSnapshot } from "@/lib/view/snapshot";
import { viewFromSnapshot } from "@/lib/view/view-from-snapshot";
import { arbitraryLog, durableEvents, testSessionId } from "@/lib/testing/test-log";
import { emptyView, pathEntries, type SessionView } from "@/lib/view/view";
import {
  beginOpening,
  emptyIntake,
  failOpening,
  type SessionIntake,
  receiveEnvelopes,
  takeSnapshot,
} from "./session-intake";

const all = Number.POSITIVE_INFINITY;
const foldAll = (envelopes: readonly Envelope[]): SessionView => envelopes.reduce(fold, emptyView(testSessionId));

/** The server's answer after `count` envelopes of the log. */
const snapshotAt = (envelopes: readonly Envelope[], count: number, maxEntries = all): SessionSnapshot =>
  createSessionSnapshot(foldAll(envelopes.slice(0, count)), maxEntries);

/** The view without the held range. */
const seen = (view: SessionView) => ({
  seq: view.seq,
  title: view.title,
  mode: view.mode,
  queue: view.queue,
  run: view.run,
  entries: pathEntries(view),
});

/**
 * Simulates a client: envelopes arrive from `joinAt` on, the snapshot later, some live ones never; a stale view is
 * reopened.
 */
function play(log: readonly Envelope[], joinAt: number, answerAfter: number, lost: ReadonlySet<number>): SessionIntake {
  let intake = beginOpening(emptyIntake);
  const answerAt = Math.min(log.length, joinAt + answerAfter);
  for (let at = joinAt; at <= log.length; at += 1) {
    if (intake.opening && at >= answerAt) intake = takeSnapshot(intake, snapshotAt(log, joinAt));
    // The server answers with its current state before it sends the next envelope.
    if (intake.view?.stale === true) intake = takeSnapshot(beginOpening(intake), snapshotAt(log, at));
    const envelope = log[at];
    if (envelope !== undefined && (isDurable(envelope) || !lost.has(at))) intake = receiveEnvelopes(intake, [envelope]);
  }
  return intake;
}

describe("an open session", () => {
  test("equals the fold of the durable log for any join, snapshot delay and lost live text", () => {
    fc.assert(
      fc.property(
        arbitraryLog(true),
        fc.nat(),
        fc.nat({ max: 40 }),
        fc.array(fc.nat({ max: 400 }), { maxLength: 60 }),
        ({ envelopes }, join, answerAfter, lost) => {
          const intake = play(envelopes, join % (envelopes.length + 1), answerAfter, new Set(lost));
          const whole = durableEvents({ envelopes }).reduce(fold, emptyView(testSessionId));
          expect(intake.opening).toBe(false);
          expect(seen(intake.view ?? emptyView(testSessionId))).toEqual(
            seen(viewFromSnapshot(createSessionSnapshot(whole, all))),
          );
        },
      ),
      { numRuns: 120 },
    );
  });

  test("duplicate envelopes have no effect", () => {
    fc.assert(
      fc.property(arbitraryLog(false), ({ envelopes }) => {
        const start = takeSnapshot(beginOpening(emptyIntake), snapshotAt(envelopes, 0));
        const once = receiveEnvelopes(start, envelopes);
        const twice = envelopes.reduce(
          (intake, envelope) => receiveEnvelopes(receiveEnvelopes(intake, [envelope]), [envelope]),
          start,
        );
        expect(twice.view).toEqual(once.view);
      }),
      { numRuns: 100 },
    );
  });

  test("envelopes are buffered while a snapshot is pending, and dropped if the request failed", () => {
    const [first] = durableEvents({ envelopes: logOf(1) });
    if (first === undefined) throw new Error("the log is empty");
    const waiting = receiveEnvelopes(beginOpening(emptyIntake), [first]);
    expect(waiting.view).toBeNull();
    expect(waiting.waiting).toHaveLength(1);
    expect(failOpening(waiting)).toEqual({ view: null, opening: false, waiting: [] });
  });

  test("after a reopen, loaded pages stay if there is no gap", () => {
    fc.assert(
      fc.property(arbitraryLog(true), fc.integer({ min: 1, max: 4 }), ({ envelopes }, window) => {
        const whole = takeSnapshot(beginOpening(emptyIntake), snapshotAt(envelopes, envelopes.length));
        const again = takeSnapshot(beginOpening(whole), snapshotAt(envelopes, envelopes.length, window));
        const fresh = viewFromSnapshot(snapshotAt(envelopes, envelopes.length, window));
        const ofPath = pathEntries(again.view ?? fresh);
        // At least the fresh view, and nothing outside the whole path.
        expect(ofPath).toEqual(expect.arrayContaining([...pathEntries(fresh)]));
        const shownSeqs = new Set(pathEntries(whole.view ?? fresh).map((entry) => entry.seq));
        expect(ofPath.every((entry) => shownSeqs.has(entry.seq))).toBe(true);
        const seqs = [...iterate((again.view ?? fresh).entries)].map((entry) => entry.seq);
        expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
      }),
      { numRuns: 100 },
    );
  });
});

function logOf(count: number): readonly Envelope[] {
  const [sample] = fc.sample(arbitraryLog(true), 1);
  return (sample?.envelopes ?? []).slice(0, count);
}
