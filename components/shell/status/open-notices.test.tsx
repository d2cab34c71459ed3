// @vitest-environment happy-dom
import { act, waitFor } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { asId, type SessionId } from "@/lib/events/id";
import type { Notice } from "@/lib/notices/notice";
import { settingsDefaults } from "@/lib/settings/settings";
import { connectClient, renderForUser } from "../frame/test-dom";
import { OpenNotices } from "./open-notices";

const notice = (part: Partial<Notice>): Notice => ({
  id: "s_1 asks 3",
  kind: "asks",
  sessionId: asId<SessionId>("s_1"),
  title: "Parser",
  seq: 3,
  at: 0,
  ...part,
});

/** Renders the open notices of a tab that the user looks at, or not, with notices only in other places. */
async function show(notices: readonly Notice[], sessionId: string | null, isLooking = true) {
  const focus = vi.spyOn(document, "hasFocus").mockReturnValue(isLooking);
  onTestFinished(() => focus.mockRestore());
  const connected = await connectClient(() => undefined);
  connected.client.serverState.merge({ settings: { ...settingsDefaults, noticeWaiting: ["push"] } });
  await renderForUser(connected.client, <OpenNotices notices={notices} sessionId={sessionId} />);
  return { ...connected, focus };
}

test("a notice is reported as seen in the tab that shows its session, once the user looks at that", async () => {
  const { inputsOf, focus } = await show(
    [notice({}), notice({ id: "other", sessionId: asId<SessionId>("s_2") })],
    "s_1",
    false,
  );
  expect(inputsOf("notices.seen")).toEqual([]);
  focus.mockReturnValue(true);
  act(() => void dispatchEvent(new Event("focus")));
  await waitFor(() => expect(inputsOf("notices.seen")).toEqual([{ ids: ["s_1 asks 3"] }]));
});

test("a paused automation is shown in the tab, with the way to it", async () => {
  const paused = notice({ id: "p", kind: "paused", title: "Nightly", sessionId: undefined });
  const { client, inputsOf } = await show([paused], null);
  await waitFor(() => expect(client.toasts.get()).toHaveLength(1));
  expect(client.toasts.get()[0]?.text).toContain('"Nightly"');
  await waitFor(() => expect(inputsOf("notices.seen")).toEqual([{ ids: ["p"] }]));
});
