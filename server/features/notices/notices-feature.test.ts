import { expect, onTestFinished, test } from "vitest";
import type { Notice } from "@/lib/notices/notice";
import type { SessionStatus } from "@/lib/protocol/session-row";
import type { Settings } from "@/lib/settings/settings";
import { makeTestHarness } from "@/server/session/testing/test-harness";
import type { NoticePlace } from "../feature";
import { noticesFeature } from "./notices-feature";

/** Longer than a test. */
const neverMs = 3_600_000;

interface Options {
  readonly delayMs?: number;
  readonly settings?: Partial<Settings>;
  readonly isUnattended?: boolean;
  readonly at?: string;
}

/** The feature over a real store, with a place that records what it gets. */
async function makeNotices({ delayMs = 0, settings = {}, isUnattended = false, at = "2026-11-29T12:00:00" }: Options) {
  const harness = await makeTestHarness();
  const steps: string[] = [];
  const pushed: (readonly Notice[])[] = [];
  let stepped = (): void => {};
  let wasPushed = (): void => {};
  const place = (name: NoticePlace["place"]): NoticePlace => ({
    place: name,
    deliver({ kind }) {
      steps.push(`${name} gets ${kind}`);
      stepped();
    },
    withdraw: () => void steps.push(`${name} withdraws`),
  });
  const places = [place("push"), place("channel")];
  const feature = noticesFeature(
    {
      store: harness.store,
      settings: () => ({ ...harness.settings.current, ...settings }),
      log: () => {},
      now: () => Date.parse(at),
      push(push) {
        if (push.type === "notices") pushed.push(push.notices);
        wasPushed();
      },
      reportBug: (_name, error) => {
        throw error;
      },
      noticePlaces: () => places,
      unattendedTerms: () => (isUnattended ? { rules: [], maxSteps: 1, maxRunMinutes: 1, isBackground: true } : null),
    },
    delayMs,
  );
  const stop = new AbortController();
  const running = feature.start(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  const session = harness.session();
  const row = harness.store.sessions.get(session.id);
  if (row === undefined) throw new Error("no row");
  let seq = 10;
  return {
    feature,
    steps,
    pushed,
    /** Resolves with the steps when the next notice was delivered. */
    delivered: () =>
      new Promise<readonly string[]>((resolve) => (stepped = () => queueMicrotask(() => resolve(steps)))),
    /** Resolves with all messages to the tabs when the next one was sent. */
    nextPush: () => new Promise<typeof pushed>((resolve) => (wasPushed = () => resolve(pushed))),
    show(...statuses: readonly SessionStatus[]) {
      for (const status of statuses) feature.sessionListener.row({ ...row, status, lastSeq: (seq += 1) });
    },
    showMuted: (status: SessionStatus) =>
      feature.sessionListener.row({ ...row, status, lastSeq: (seq += 1), muted: true }),
    see: (ids: readonly string[]) => feature.commands["notices.seen"]({ ids: [...ids] }),
  };
}

test("a session that waits reaches the places of its kind, once, and is withdrawn when it is answered", async () => {
  const { show, delivered, feature } = await makeNotices({});
  const next = delivered();
  show("running", "waiting", "waiting");
  expect(feature.openNotices()).toHaveLength(1);
  expect(await next).toEqual(["push gets asks", "channel gets asks"]);
  show("running");
  expect(await next).toEqual(["push gets asks", "channel gets asks", "push withdraws", "channel withdraws"]);
  expect(feature.openNotices()).toEqual([]);
});

test("a notice that was seen at a tab within the delay reaches no other place", async () => {
  const { show, see, steps, nextPush, feature } = await makeNotices({ delayMs: neverMs });
  show("running", "waiting");
  const [open] = (await nextPush()).at(-1) ?? [];
  expect(open).toMatchObject({ kind: "asks" });
  see([open?.id ?? ""]);
  expect(feature.openNotices()).toEqual([]);
  expect((await nextPush()).at(-1)).toEqual([]);
  expect(steps).toEqual([]);
});

test("many changes are one message to the tabs, with the last state", async () => {
  const { feature, nextPush } = await makeNotices({ settings: { noticePaused: ["tab"] } });
  for (let seq = 1; seq <= 50; seq += 1) feature.notify({ kind: "paused", title: "Nightly", seq });
  const pushed = await nextPush();
  expect(pushed.map((notices) => notices.length)).toEqual([50]);
});

test("a card of an unattended run is passed on without the delay", async () => {
  const { show, delivered } = await makeNotices({ delayMs: neverMs, isUnattended: true });
  const next = delivered();
  show("running", "waiting");
  expect(await next).toContain("push gets asks");
});

test.each<[string, Options, readonly SessionStatus[], readonly string[]]>([
  [
    "only the chosen places get a kind",
    { settings: { noticeFailed: ["channel"] } },
    ["error"],
    ["channel gets failed"],
  ],
  [
    "a run that has finished stays in the tab by default",
    {},
    ["idle", "running", "error"],
    ["push gets failed", "channel gets failed"],
  ],
  [
    "a run that the user stopped is no notice",
    {},
    ["aborted", "running", "limit"],
    ["push gets failed", "channel gets failed"],
  ],
])("%s", async (_what, options, statuses, expected) => {
  const { show, delivered } = await makeNotices(options);
  const next = delivered();
  show("running", ...statuses);
  expect(await next).toEqual(expected);
});

test("quiet hours and a muted session keep every place quiet", async () => {
  const quiet = await makeNotices({ settings: { quietHours: "22:00-07:00" }, at: "2026-11-29T23:00:00" });
  quiet.show("running", "waiting");
  const muted = await makeNotices({});
  muted.show("running");
  muted.showMuted("waiting");
  // A later notice of an awake session shows that the earlier ones had their time.
  const awake = await makeNotices({});
  const next = awake.delivered();
  awake.show("running", "waiting");
  await next;
  expect([quiet.steps, muted.steps]).toEqual([[], []]);
  expect(muted.feature.openNotices()).toEqual([]);
});

test("a notice that only the server has is open for the tabs although no other place wants it", async () => {
  const { feature, steps } = await makeNotices({ settings: { noticePaused: ["tab"] } });
  feature.notify({ kind: "paused", title: "Nightly", seq: 1 });
  expect(feature.openNotices()).toMatchObject([{ kind: "paused", title: "Nightly" }]);
  expect(steps).toEqual([]);
});
