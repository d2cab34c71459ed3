/** Records in the page what the conversation showed at every seq, so that two tabs can be compared after the run. */
import { expect, type Page } from "@playwright/test";

/** The part of the conversation on which two tabs must agree whenever they are at the same seq. */
interface LoggedScreen {
  readonly seq: number;
  readonly text: string;
}

/**
 * Runs in the page. Excludes rows of a message that is streaming (they change by live events, a frame earlier or later,
 * also when its next part begins), the phase line and the user's message before it is in the log. Durations of running
 * items come from a clock.
 */
function recordScreens(): void {
  const screens = new Map<number, string>();
  const recordChanges = (): void => {
    const root = document.querySelector("section[data-session][data-seq]");
    const seq = Number(root?.getAttribute("data-seq") ?? "");
    if (root === null || seq === 0) return;
    const all = [...root.querySelectorAll<HTMLElement>("[role=log] [data-seq]")];
    const streaming = new Set(
      all.filter((row) => row.querySelector("[data-live]") !== null).map((row) => row.dataset.seq),
    );
    const rows = all
      .filter((row) => Number(row.dataset.seq) <= seq && !streaming.has(row.dataset.seq))
      .filter((row) => row.querySelector("[data-state=running]") === null)
      .sort(
        (a, b) =>
          Number(a.closest<HTMLElement>("[data-index]")?.dataset.index) -
          Number(b.closest<HTMLElement>("[data-index]")?.dataset.index),
      );
    screens.set(seq, rows.map((row) => row.innerText.replace(/\s+/g, " ").trim()).join("\n"));
  };
  const observer = new MutationObserver(recordChanges);
  observer.observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ["data-seq", "data-state", "data-live"],
  });
  recordChanges();
  Object.assign(window, { screenLog: () => [...screens].map(([seq, text]) => ({ seq, text })) });
}

/** Starts recording, both in the current document and from the next load on. */
export async function startScreenLog(page: Page): Promise<void> {
  await page.addInitScript(recordScreens);
  await page.evaluate(recordScreens);
}

/** Returns the last text shown at each seq, in order. */
export async function readScreenLog(page: Page): Promise<readonly LoggedScreen[]> {
  const screens = await page.evaluate((): { seq: number; text: string }[] => {
    const log: unknown = Reflect.get(window, "screenLog");
    return typeof log === "function" ? log() : [];
  });
  return screens.sort((a, b) => a.seq - b.seq);
}

/** Waits until both tabs are idle at the same seq with the same text. Returns that seq. */
export async function expectSameIdleScreen(one: Page, other: Page): Promise<number> {
  let seq = 0;
  await expect(async () => {
    const [a, b] = await Promise.all([readScreenLog(one), readScreenLog(other)]);
    expect(a.at(-1)).toEqual(b.at(-1));
    seq = a.at(-1)?.seq ?? 0;
  }).toPass();
  return seq;
}

/**
 * Checks that both tabs showed the same at every seq that both have shown. Returns those seqs: which ones a tab paints
 * between two idle states depends on its frames, so only the idle states are certain to be among them.
 */
export async function expectSameScreens(one: Page, other: Page): Promise<readonly number[]> {
  const [a, b] = await Promise.all([readScreenLog(one), readScreenLog(other)]);
  const otherTexts = new Map(b.map(({ seq, text }) => [seq, text]));
  const common = a.filter(({ seq }) => otherTexts.has(seq));
  expect(common).toEqual(common.map(({ seq }) => ({ seq, text: otherTexts.get(seq) })));
  return common.map(({ seq }) => seq);
}
