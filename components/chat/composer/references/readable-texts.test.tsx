// @vitest-environment happy-dom
/** Memory, tools and web pages in the menu of mentions: from the letters to the text that is added. */
import { screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import type { NewReference } from "@/lib/protocol/reference-commands";
import * as enLate from "../../../messages/en-late";
import { connectClient, renderForUser } from "../../../shell/frame/test-dom";
import { findMention } from "./mention";
import { MentionMenu } from "./mention-menu";
import type { ReferenceStore } from "./use-references";

const projectId = asId<ProjectId>("p1");

const store: ReferenceStore = {
  find: () => Promise.resolve({ paths: ["toolbar.ts"], files: 1, isComplete: true }),
  findSessions: () => Promise.resolve([]),
  findSymbols: () => Promise.resolve([]),
  measure: (references) =>
    Promise.resolve({ maxTokens: 1_000, sizes: references.map(() => ({ ok: true as const, tokens: 12 })) }),
};

const answers: Readonly<Record<string, unknown>> = {
  "mcp.offers": { prompts: [], resources: [] },
  "memory.state": {
    folder: "/m",
    files: [
      { name: "USER.md", text: "", hash: null, tokens: 0 },
      { name: "MEMORY.md", text: "Tabs.", hash: "h", tokens: 2 },
    ],
    days: ["2026-11-28", "2026-11-29"],
    start: { window: 1, share: 1, owner: null, notes: null, cuts: [] },
  },
  "memory.read": { name: "MEMORY.md", text: "Tabs.", hash: "h", tokens: 2 },
  "tools.offers": {
    tools: [
      { name: "shop__buy", description: "Buys things" },
      { name: "web_fetch", description: "Reads a page" },
    ],
  },
  "source.log": {
    commits: [
      { id: `abcdef01${"0".repeat(32)}`, parents: [], author: "Ann", time: 1, subject: "Mend the parser", refs: [] },
    ],
    next: null,
  },
  "tools.describe": { text: "shop__buy(count: integer)" },
};

async function showMenu(typed: string, page: unknown = { ok: true, value: { text: "page" } }) {
  const server = await connectClient((name) => {
    if (name === "web.page") return page;
    return name in answers ? { ok: true, value: answers[name] } : undefined;
  });
  server.client.workbench.showProject(projectId);
  const picked: (NewReference | null)[] = [];
  function Menu() {
    const [text, setText] = useState(`@${typed}`);
    const mention = findMention(text, text.length);
    return mention === null ? null : (
      <MentionMenu
        id="menu"
        store={store}
        mention={mention}
        index={0}
        isSubmitted={false}
        onCount={() => undefined}
        onPick={(reference) => picked.push(reference)}
        onImages={() => undefined}
        onRetype={(next) => setText(`@${next}`)}
      />
    );
  }
  const user = await renderForUser(server.client, <Menu />);
  return { user, picked, server };
}
const names = async () => (await screen.findAllByRole("option")).map(({ textContent }) => textContent);

test("files of the memory that exist and the newest days are offered; the chosen one is added as a text", async () => {
  const { user, picked } = await showMenu("memory:");
  expect(await names()).toEqual(["MEMORY.md", "2026-11-29.md", "2026-11-28.md"]);
  await user.click(screen.getByRole("option", { name: "MEMORY.md" }));
  await waitFor(() => expect(picked).toEqual([{ kind: "text", label: "memory:MEMORY.md", text: "Tabs." }]));
});

test("tools are offered by letters of their name, with what they do; the description of one is added", async () => {
  const { user, picked, server } = await showMenu("tool:buy");
  expect(await names()).toEqual(["shop__buyBuys things"]);
  await user.click(screen.getByRole("option"));
  await waitFor(() =>
    expect(picked).toEqual([{ kind: "text", label: "tool:shop__buy", text: "shop__buy(count: integer)" }]),
  );
  expect(server.inputsOf("tools.describe")).toEqual([{ projectId, tool: "shop__buy" }]);
});

test.each(["memory:none", "tool:none", "session:none"])(
  "@%s without a match says that nothing was found",
  async (typed) => {
    await showMenu(typed);
    expect((await screen.findByRole("status")).textContent).toBe(enLate.references.nothingFound);
  },
);

test("@ alone offers every kind beside files", async () => {
  await showMenu("");
  const { changes, session, memory, tool, page } = enLate.references;
  await waitFor(async () => {
    const offered = (await names()).join("\n");
    for (const kind of [changes, session, memory, tool, page]) expect(offered).toContain(kind);
    expect(offered).toContain("toolbar.ts");
  });
});

test("the letters of a keyword offer it, before the files", async () => {
  const { user } = await showMenu("tool");
  await waitFor(async () => expect((await names())[0]).toBe(`${enLate.references.tool}${enLate.references.toolNote}`));
  expect((await names())[1]).toMatch(/^toolbar\.ts/);
  await user.click(screen.getByRole("option", { name: /@tool:/ }));
  await waitFor(async () => expect(await names()).toHaveLength(2));
});

test("a page is read when it is chosen; why it could not be is said", async () => {
  const read = await showMenu("https://a.example:8080/x#y");
  await read.user.click(await screen.findByRole("option", { name: /a\.example/ }));
  const label = "https://a.example:8080/x#y";
  await waitFor(() => expect(read.picked).toEqual([{ kind: "text", label, text: "page" }]));
});

test.each<readonly [error: object, sentence: string]>([
  [{ code: "tool_off" }, enLate.references.webOff],
  [
    { code: "tool_failed", facts: { webFailure: "not_public", host: "a.example" } },
    enLate.web.fetchFailures.not_public("a.example"),
  ],
])("%j: the sentence says why a page was not added", async (error, sentence) => {
  const { user, picked, server } = await showMenu("https://a.example/", { ok: false, error });
  await user.click(await screen.findByRole("option"));
  await waitFor(() => expect(server.client.toasts.get().at(-1)?.text).toBe(sentence));
  expect(picked).toEqual([]);
});

test("staged changes, others and the last commits are offered; the chosen one is added by git's name of it", async () => {
  const { user, picked } = await showMenu("git:");
  expect((await names()).slice(0, 2)).toEqual(["Staged changes@git:staged", "Changes not staged@git:changed"]);
  await user.click(await screen.findByRole("option", { name: /Mend the parser/ }));
  await user.click(screen.getByRole("option", { name: /Staged/ }));
  expect(picked).toEqual([
    { kind: "changes", label: "abcdef01 Mend the parser", git: `abcdef01${"0".repeat(32)}` },
    { kind: "changes", label: "Staged changes", git: "staged" },
  ]);
});

test("a commit is found by letters of its subject or its id", async () => {
  await showMenu("git:abcdef");
  expect(await names()).toEqual(["Mend the parserabcdef01 · Ann"]);
});
