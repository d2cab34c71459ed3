// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Settings, settingsDefaults } from "@/lib/settings/settings";
import { makeSessionRow } from "@/lib/testing/test-session-row";
import { deliverNotice } from "./deliver-notice";
import type { SessionNoticeKind } from "@/lib/notices/session-notices";

let shown: string[] = [];

class ShownNotification extends EventTarget {
  static permission = "granted";
  constructor(title: string, options: { readonly body: string }) {
    super();
    shown.push(`${title}: ${options.body}`);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  ShownNotification.permission = "granted";
  Object.defineProperty(window, "isSecureContext", { value: true, configurable: true });
  Object.defineProperty(globalThis, "Notification", { value: ShownNotification, configurable: true });
  // As in browsers over plain http; the end-to-end test has the locks.
  Object.defineProperty(navigator, "locks", { value: undefined, configurable: true });
});
afterEach(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(globalThis, "Notification");
});

/** Lets the time pass that other tabs have for the same notice. */
const deliver = async (
  kind: SessionNoticeKind,
  part: { settings?: Partial<Settings>; isInView?: boolean; isCurrent?: boolean; muted?: true } = {},
) => {
  const delivery = deliverNotice(
    { kind, row: makeSessionRow({ muted: part.muted }) },
    {
      settings: { ...settingsDefaults, ...part.settings },
      title: "Parser",
      locale: "en",
      isInView: part.isInView ?? false,
      isCurrent: () => part.isCurrent ?? true,
      onOpen: () => {},
    },
  );
  await vi.runAllTimersAsync();
  await delivery;
};

test.each<[SessionNoticeKind, Parameters<typeof deliver>[1], string[]]>([
  ["waiting", {}, ["Parser: Waiting for your approval"]],
  ["done", {}, ["Parser: Run finished"]],
  ["failed", {}, ["Parser: Run failed"]],
  ["waiting", { settings: { noticeWaiting: ["push"] } }, []],
  ["done", { settings: { noticeDone: [] } }, []],
  ["failed", { settings: { noticeFailed: [] } }, []],
  ["limit", { settings: { noticeDone: [] } }, ["Parser: Run paused: it reached a limit"]],
  ["limit", { settings: { noticeFailed: [] } }, []],
  ["done", { settings: { noticeFailed: [] } }, ["Parser: Run finished"]],
  ["waiting", { muted: true }, []],
  ["waiting", { isInView: true }, []],
  ["waiting", { isCurrent: false }, []],
])("a notice %s with %j shows %j", async (kind, part, expected) => {
  await deliver(kind, part);
  expect(shown).toEqual(expected);
});

test.each([
  ["2026-03-04T06:59:00", []],
  ["2026-03-04T07:00:00", ["Parser: Waiting for your approval"]],
])("in quiet hours until 07:00, a notice at %s shows %j", async (time, expected) => {
  vi.setSystemTime(new Date(time));
  await deliver("waiting", { settings: { quietHours: "22:00-07:00" } });
  expect(shown).toEqual(expected);
});

test("without the user's permission nothing is shown", async () => {
  ShownNotification.permission = "default";
  await deliver("waiting");
  expect(shown).toEqual([]);
});
