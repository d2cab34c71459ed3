/** Notifications about sessions: while the user looks at something else, once for all tabs. */
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { mainJobTurns } from "../fixtures/mime-project";
import { allowFirstEdit, mainJobPrompt } from "../pages/main-job";
import { expect, ownServerTest, test } from "../pages/mime-stage";

/** Notifications that the page passed to the browser, and the test's actions in place of the user. */
interface NotificationRecorder {
  readonly shown: { readonly title: string; readonly body: string; readonly tag: string }[];
  readonly closed: string[];
  readonly clickLast: () => void;
  away: boolean;
}

declare global {
  interface Window {
    notificationRecorder: NotificationRecorder;
  }
}

/** Replaces the browser's notifications by a recorder; `away` makes the tab one that the user does not look at. */
async function recordNotifications(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const opened: RecordedNotification[] = [];
    class RecordedNotification extends EventTarget {
      static readonly permission = "granted";
      constructor(title: string, options: { readonly body: string; readonly tag: string }) {
        super();
        opened.push(this);
        window.notificationRecorder.shown.push({ title, body: options.body, tag: options.tag });
      }
      close(): void {
        window.notificationRecorder.closed.push("closed");
      }
    }
    window.notificationRecorder = {
      shown: [],
      closed: [],
      clickLast: () => void opened.at(-1)?.dispatchEvent(new Event("click")),
      away: false,
    };
    Object.defineProperty(window, "Notification", { value: RecordedNotification });
    Object.defineProperty(Document.prototype, "hasFocus", { value: () => !window.notificationRecorder.away });
    Object.defineProperty(Document.prototype, "visibilityState", {
      get: () => (window.notificationRecorder.away ? "hidden" : "visible"),
    });
  });
  await page.reload();
}

const setAway = (page: Page, away: boolean): Promise<void> =>
  page.evaluate((isAway) => {
    window.notificationRecorder.away = isAway;
    document.dispatchEvent(new Event("visibilitychange"));
  }, away);
const bodies = (page: Page): Promise<string[]> =>
  page.evaluate(() => window.notificationRecorder.shown.map(({ body }) => body));

test("a session that waits and one that ends notify a hidden tab, and a click opens the session", async ({
  bench,
  page,
  model,
}) => {
  await recordNotifications(page);
  model.setScript({ turns: [...mainJobTurns.slice(0, 2), { text: "The end." }] });
  await bench.expectOnline();
  await bench.begin(mainJobPrompt);
  await expect(bench.session.card.once).toBeVisible();
  expect(await bodies(page)).toEqual([]);

  await allowFirstEdit(bench.session);
  await expect(bench.session.conversation.getByText("The end.")).toBeVisible();
  await bench.session.expectIdle();
  expect(await bodies(page)).toEqual([]);

  model.setScript({ turns: [{ text: "Slow.", holdAfter: 1 }, ...mainJobTurns.slice(1, 2), { text: "Again." }] });
  await bench.session.sendMessage("Once more");
  await expect(bench.session.stop).toBeVisible();
  const url = page.url();
  await setAway(page, true);
  model.release();
  await expect.poll(() => bodies(page)).toEqual(["Run finished"]);
  await expect(page).toHaveTitle(/^Done: /);
  // As the framework does when it hydrates the head after the page.
  await page.evaluate(() => void (document.title = "gopi-web"));
  await expect(page).toHaveTitle(/^Done: /);
  await page.evaluate(() => history.pushState(null, "", "/history"));
  await page.evaluate(() => window.notificationRecorder.clickLast());
  await expect(page).toHaveURL(url);
  await setAway(page, false);
  await expect(page).not.toHaveTitle(/^Done: /);
});

ownServerTest(
  "two tabs notify once, an answer closes the notification, and quiet hours are checked",
  onlyInFull,
  async ({ bench, page, context, model, server }) => {
    await recordNotifications(page);
    const other = await context.newPage();
    await other.goto(server.origin);
    await recordNotifications(other);
    await bench.inTab(other).expectOnline();
    model.setScript({ turns: [{ text: "Slow.", holdAfter: 1, ...mainJobTurns[1] }, { text: "The end." }] });
    await bench.expectOnline();
    await bench.begin(mainJobPrompt);
    await expect(bench.session.stop).toBeVisible();
    await setAway(page, true);
    await setAway(other, true);
    model.release();
    const all = async (): Promise<string[]> => [...(await bodies(page)), ...(await bodies(other))];
    await expect.poll(all).toEqual(["Waiting for your approval"]);
    await allowFirstEdit(bench.session);
    await bench.session.expectIdle();
    await expect.poll(all).toContain("Run finished");
    const closed = (tab: Page): Promise<number> => tab.evaluate(() => window.notificationRecorder.closed.length);
    await expect.poll(async () => (await closed(page)) + (await closed(other))).toBe(1);
    expect(await all()).toHaveLength(2);

    await setAway(page, false);
    await page.goto(new URL("/settings/notifications", server.origin).href);
    const quiet = page.getByRole("textbox", { name: "Quiet hours" });
    await quiet.fill("at night");
    await quiet.press("Enter");
    await expect(page.getByText("Write it like 22:00-07:00")).toBeVisible();
    await quiet.fill("0:00-23:59");
    await quiet.press("Enter");
    await expect(quiet).toHaveValue("00:00-23:59");
  },
);
