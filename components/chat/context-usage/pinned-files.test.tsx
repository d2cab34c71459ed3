// @vitest-environment happy-dom
/** The chips of the pinned files: their names and states in each language, by keyboard and by pointer. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { PinnedFileState } from "@/lib/protocol/answers";
import { en } from "../../messages/en";
import * as enLate from "../../messages/en-late";
import { StaticLateMessages } from "../../messages/full-messages";
import { StaticMessages } from "../../messages/messages";
import { zhCN } from "../../messages/zh-CN";
import * as zhCNLate from "../../messages/zh-CN-late";
import { renderForUser } from "../../shell/frame/test-dom";
import { testClient } from "../../shell/frame/test-render";
import { PinnedFiles } from "./pinned-files";

const files: readonly PinnedFileState[] = [
  { path: "src/a.ts", state: "sent", tokens: 120 },
  { path: "src/b.ts", state: "changed", tokens: 30 },
  { path: "src/c.ts", state: "new", tokens: 40 },
  { path: "src/d.ts", state: "evicted", tokens: 900 },
  { path: "src/e.ts", state: "unreadable", error: { code: "not_found" } },
  { path: "src/f.ts", state: "unreadable", error: { code: "protected" } },
];

async function renderChips(catalogue: "en" | "zh-CN" = "en") {
  const opened: string[] = [];
  const unpinned: string[] = [];
  const [messages, late] = catalogue === "en" ? [en, enLate] : [zhCN, zhCNLate];
  const user = await renderForUser(
    testClient(),
    <StaticMessages messages={messages}>
      <StaticLateMessages messages={late}>
        <PinnedFiles
          report={{ files, maxTokens: 1_000 }}
          onOpen={(path) => opened.push(path)}
          onUnpin={(path) => unpinned.push(path)}
        />
      </StaticLateMessages>
    </StaticMessages>,
  );
  return { user, opened, unpinned, late, messages };
}

test.each(["en", "zh-CN"] as const)(
  "each chip has its file, its size and what the model has of it, in %s",
  async (locale) => {
    const { late, messages } = await renderChips(locale);
    const list = screen.getByRole("list", { name: late.pins.title });
    const [sent, changed, fresh, evicted, deleted, unreadable] = within(list).getAllByRole("listitem");
    expect(sent?.textContent).toBe("a.ts120");
    expect(changed?.textContent).toContain(late.pins.states.changed);
    expect(fresh?.textContent).toContain(late.pins.states.new);
    expect(evicted?.textContent).toContain(late.pins.states.evicted);
    expect(deleted?.textContent).toContain(late.pins.unreadable.not_found);
    expect(unreadable?.textContent).toContain(late.pins.unreadable.other);
    for (const [index, { path, state }] of files.entries()) {
      const [open, unpin] = within(list)
        .getAllByRole("button")
        .slice(2 * index);
      expect(open?.getAttribute("aria-label")).toContain(late.pins.open(path));
      if (state !== "unreadable") expect(open?.getAttribute("aria-label")).toContain(late.pins.explained[state]);
      expect(unpin?.getAttribute("aria-label")).toBe(late.pins.unpin(path));
    }
    // Only what is sent counts.
    expect(
      screen.getByText(late.pins.budget(messages.figures.tokens(190), messages.figures.tokens(1_000))),
    ).toBeTruthy();
  },
);

test("a chip is opened and unpinned by keyboard and by pointer", async () => {
  const { user, opened, unpinned } = await renderChips();
  await user.tab();
  await user.keyboard("{Enter}");
  await user.tab();
  await user.keyboard(" ");
  await user.click(screen.getByRole("button", { name: /^Open src.d.ts/ }));
  await user.click(screen.getByRole("button", { name: "Unpin src/d.ts" }));
  expect(opened).toEqual(["src/a.ts", "src/d.ts"]);
  expect(unpinned).toEqual(["src/a.ts", "src/d.ts"]);
});
