import { beforeEach, describe, expect, it } from "vitest";

import { asId, type Hash, type ProjectId } from "@/lib/events/id";
import { createDrafts, type Draft, type Drafts, type TabLocks } from "./drafts";
import { memoryStorage } from "./test-storage";

const projectId = asId<ProjectId>("p1");
const dayMs = 86_400_000;
const draft = (text: string): Draft => ({ hash: asId<Hash>("#1"), text, encoding: null });

let browser: ReturnType<typeof memoryStorage>;
let nowMs: number;
beforeEach(() => {
  browser = memoryStorage();
  nowMs = 0;
});

/** Locks of a browser in which these tabs are open. */
const locksOf = (...tabs: readonly string[]): TabLocks => ({
  request: () => new Promise(() => {}),
  query: () => Promise.resolve({ held: tabs.map((tab) => ({ name: `gopi-web.tab.${tab}` })), pending: [] }),
});

const openTab = (tab = memoryStorage(), tabId = "tab", locks = locksOf()): Drafts =>
  createDrafts({ tab, browser }, projectId, () => nowMs, tabId, locks);

describe("the draft of a file", () => {
  it("is read by the same tab after a reload, whatever other tabs wrote", async () => {
    const storage = memoryStorage();
    openTab(storage).write("a.ts", draft("mine"));
    openTab().write("a.ts", draft("theirs"));
    expect(await openTab(storage).read("a.ts")).toEqual(draft("mine"));
  });

  it("is read by another tab when the one that wrote it is gone", async () => {
    openTab().write("a.ts", draft("unsaved"));
    expect(await openTab().read("a.ts")).toEqual(draft("unsaved"));
  });

  it("is not read by another tab while the one that wrote it is open", async () => {
    openTab(memoryStorage(), "first").write("a.ts", draft("unsaved"));
    expect(await openTab(memoryStorage(), "second", locksOf("first", "second")).read("a.ts")).toBeNull();
    expect(await openTab(memoryStorage(), "second", locksOf("second")).read("a.ts")).toEqual(draft("unsaved"));
  });

  it("is gone in all tabs when it is saved in the tab that opened it", async () => {
    openTab().write("a.ts", draft("unsaved"));
    const next = openTab();
    await next.read("a.ts");
    next.drop("a.ts");
    expect(await openTab().read("a.ts")).toBeNull();
  });

  it("stays when another tab closes the file without having its draft", async () => {
    openTab().write("a.ts", draft("unsaved"));
    openTab().drop("a.ts");
    expect(await openTab().read("a.ts")).toEqual(draft("unsaved"));
  });

  it("is removed after 30 days, without other entries of the storage", async () => {
    openTab().write("a.ts", draft("unsaved"));
    browser.setItem("gopi-web.draft.session", '{"writtenAt":0}');
    nowMs = 30 * dayMs;
    expect(await openTab().read("a.ts")).not.toBeNull();
    nowMs += 1;
    expect(await openTab().read("a.ts")).toBeNull();
    expect(browser.getItem("gopi-web.draft.session")).not.toBeNull();
  });

  it("is kept by the tab while the browser's storage is full", async () => {
    browser.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    const storage = memoryStorage();
    openTab(storage).write("a.ts", draft("unsaved"));
    expect(await openTab(storage).read("a.ts")).toEqual(draft("unsaved"));
  });
});
