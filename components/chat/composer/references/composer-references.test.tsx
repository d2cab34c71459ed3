// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { createRef } from "react";
import { beforeEach, expect, test } from "vitest";
import { asId, type CommandId, type ProjectId, type QueuedId, type SessionId } from "@/lib/events/id";
import type { NewReference, ReferenceSize } from "@/lib/protocol/reference-commands";
import { limits } from "@/lib/settings/settings";
import { en } from "../../../messages/en";
import * as enLate from "../../../messages/en-late";
import { connectClient, renderForUser } from "../../../shell/frame/test-dom";
import { testClient } from "../../../shell/frame/test-render";
import { Composer, type ComposerProps } from "../composer";
import type { ReferenceStore } from "./use-references";
import { testComposerProps } from "../test-composer-props";
import type { ComposerHandle } from "../use-composer-handle";

const files = ["src/app.ts", "src/menu.ts", "big.txt", ".env"];
const sizeOf = (reference: NewReference): ReferenceSize => {
  if ("path" in reference && reference.path === ".env") return { ok: false, error: { code: "protected" } };
  if (reference.kind === "file" && reference.path === "big.txt" && reference.lines === undefined)
    return { ok: true, tokens: 9_000, fitting: { first: 1, last: 200 } };
  return { ok: true, tokens: 12 };
};
const store: ReferenceStore = {
  find: (typed) =>
    Promise.resolve({ paths: files.filter((path) => path.includes(typed)), files: files.length, isComplete: true }),
  findSessions: (typed) =>
    Promise.resolve(
      [{ id: asId<SessionId>("s1"), title: "Fix the login", updatedAt: 1 }].filter(({ title }) =>
        title.includes(typed),
      ),
    ),
  findSymbols: (path) =>
    Promise.resolve(
      path === "src/app.ts"
        ? [
            { name: "start", line: 3, endLine: 9 },
            { name: "stop", line: 11, endLine: 20 },
            ...Array.from({ length: 40 }, (_, index) => ({
              name: `part${index}`,
              line: 30 + index,
              endLine: 30 + index,
            })),
          ]
        : [],
    ),
  measure: (references) => Promise.resolve({ maxTokens: 1_000, sizes: references.map(sizeOf) }),
};

beforeEach(() => localStorage.clear());

async function showComposer(isSent = true, more: Partial<ComposerProps> = {}, client = testClient()) {
  const sent: Parameters<ComposerProps["onSend"]>[] = [];
  const user = await renderForUser(
    client,
    <Composer
      {...testComposerProps}
      draftKey="references"
      onSend={(...message) => {
        sent.push(message);
        return Promise.resolve(isSent);
      }}
      referenceStore={store}
      {...more}
    />,
  );
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: en.composer.label });
  await user.clear(field);
  await user.click(field);
  return { user, field, sent };
}
const options = () => screen.findAllByRole("option");
const chips = () => screen.findByRole("list", { name: enLate.references.list });

test("@ and letters offer files with their size; Enter adds the file and completes the text", async () => {
  const { user, field, sent } = await showComposer();
  await user.type(field, "explain @app");
  const [option] = await options();
  await waitFor(() => expect(option?.textContent).toContain(enLate.references.tokens("12")));
  expect(field.getAttribute("aria-activedescendant")).toBe(option?.id);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(field.value).toBe("explain @src/app.ts "));
  expect(within(await chips()).getAllByRole("listitem")).toHaveLength(1);
  await user.type(field, "please{Enter}");
  expect(sent).toEqual([
    ["explain @src/app.ts please", "prompt", { references: [{ kind: "file", path: "src/app.ts" }] }],
  ]);
  expect(screen.queryByRole("list", { name: enLate.references.list })).toBeNull();
});

test("a mention and its chip leave the message together; a chip without a mention stays", async () => {
  const handle = createRef<ComposerHandle>();
  const { user, field } = await showComposer(true, { handle });
  act(() => handle.current?.attach({ kind: "file", path: "src/menu.ts" }));
  await user.type(field, "explain @app");
  await options();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(field.value).toBe("explain @src/app.ts "));
  expect(within(await chips()).getAllByRole("listitem")).toHaveLength(2);
  await user.type(field, "{Backspace}{Backspace}");
  expect(within(await chips()).getAllByRole("listitem")).toHaveLength(1);
  await user.type(field, "{Enter}");
  await waitFor(() => expect(field.value).toBe("explain @src/app.ts "));
  await user.type(field, "now");
  await user.click(screen.getByRole("button", { name: enLate.references.remove("src/app.ts") }));
  expect(field.value).toBe("explain now");
  expect((await chips()).textContent).toContain("menu.ts");
});

test("a mention is not that of a file whose name begins alike, and ends at a line break", async () => {
  const handle = createRef<ComposerHandle>();
  const { user, field } = await showComposer(true, { handle });
  const attach = (path: string) => act(() => handle.current?.attach({ kind: "file", path }));
  const [both, second] = ["see @src/app.ts\nand @src/app.tsx", "see \nand @src/app.tsx"];
  ["src/app.ts", "src/app.tsx"].forEach(attach);
  fireEvent.change(field, { target: { value: both } });
  await user.click(within(await chips()).getByRole("button", { name: enLate.references.remove("src/app.ts") }));
  expect(field.value).toBe(second);
  attach("src/app.ts");
  fireEvent.change(field, { target: { value: both } });
  fireEvent.change(field, { target: { value: second } });
  expect((await within(await chips()).findAllByRole("listitem")).map(({ textContent }) => textContent)).toHaveLength(1);
});

test("a file that cannot be added is named, also beside one that can", async () => {
  const { field } = await showComposer();
  const files = [new File(["a\0b"], "a.bin"), new File(["text"], "notes.txt")];
  fireEvent.paste(field, { clipboardData: { files, getData: () => "" } });
  expect((await chips()).textContent).toContain("notes.txt");
  expect(await screen.findByText(en.composer.references.notText("a.bin"))).toBeDefined();
});

test("Enter before the answer picks from the choices of the typed text", async () => {
  const { user, field } = await showComposer();
  await user.type(field, "@menu{Enter}");
  await waitFor(() => expect(field.value).toBe("@src/menu.ts "));
});

test("the arrow keys select, a range belongs to the reference, and Tab adds it", async () => {
  const { user, field, sent } = await showComposer();
  await user.type(field, "@:3-9");
  await options();
  await user.keyboard("{ArrowDown}{Tab}");
  await waitFor(() => expect(field.value).toBe("@src/menu.ts:3-9 "));
  await user.keyboard("{Enter}");
  expect(sent.at(0)?.at(2)).toEqual({
    references: [{ kind: "file", path: "src/menu.ts", lines: { first: 3, last: 9 } }],
  });
});

test("of a file that is too large the lines that fit are added", async () => {
  const { user, field } = await showComposer();
  await user.type(field, "@big");
  expect(await screen.findByText(enLate.references.addsLines("9k tokens", 1, 200))).toBeDefined();
  await user.click((await options())[0] ?? field);
  await waitFor(() => expect(field.value).toBe("@big.txt:1-200 "));
});

test("a file that cannot be read is not added, and a sentence says why", async () => {
  const { user, field } = await showComposer();
  await user.type(field, "@env{Enter}");
  const sentence = en.composer.references.notAdded(".env", en.errors.sentences.protected);
  expect((await screen.findByText(sentence)).getAttribute("role")).toBe("status");
  expect(screen.queryByRole("listitem")).toBeNull();
});

test("@changes adds the changes", async () => {
  const { user, field, sent } = await showComposer();
  await user.type(field, "review @chan");
  const [option] = await options();
  await waitFor(() => expect(option?.textContent).toContain(enLate.references.tokens("12")));
  await user.keyboard("{Enter}");
  await waitFor(() => expect(field.value).toBe(`review @${enLate.references.changes} `));
  await user.keyboard("{Enter}");
  expect(sent.at(0)?.at(2)).toEqual({ references: [{ kind: "changes", label: enLate.references.changes }] });
});

test("@session offers sessions by their title, and adds the one picked", async () => {
  const { user, field, sent } = await showComposer();
  await user.type(field, "continue @sess{Enter}");
  await waitFor(() => expect(field.value).toBe("continue @session:"));
  await user.type(field, "login");
  await user.click(await screen.findByRole("option", { name: /Fix the login/ }));
  await waitFor(() => expect(field.value).toBe("continue @Fix the login "));
  await user.keyboard("{Enter}");
  expect(sent.at(0)?.at(2)).toEqual({ references: [{ kind: "session", sessionId: "s1", label: "Fix the login" }] });
});

test("after # the symbols of the best file are offered, and the lines of one are added", async () => {
  const { user, field, sent } = await showComposer();
  await user.type(field, "explain @app#sto");
  const [option] = await options();
  expect(option?.textContent).toContain("src/app.ts:11-20");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(field.value).toBe("explain @src/app.ts:11-20 "));
  await user.keyboard("{Enter}");
  expect(sent.at(0)?.at(2)).toEqual({
    references: [{ kind: "file", path: "src/app.ts", lines: { first: 11, last: 20 } }],
  });
});

test("symbols without letters are offered in their order, as many as can be measured", async () => {
  const { user, field } = await showComposer();
  await user.type(field, "@app#");
  const rows = await options();
  expect(rows).toHaveLength(limits.messageReferences);
  expect(rows[0]?.textContent).toContain("start");
  await waitFor(() => expect(rows[19]?.textContent).toContain(enLate.references.tokens("12")));
});

test("Esc closes the menu, and Enter then sends the text as it is", async () => {
  const { user, field, sent } = await showComposer();
  await user.type(field, "ask @app");
  await options();
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("option")).toBeNull();
  await user.keyboard("{Enter}");
  expect(sent).toEqual([["ask @app", "prompt", {}]]);
});

test("Enter sends when nothing matches", async () => {
  const { user, field, sent } = await showComposer();
  await user.type(field, "ask @nobody{Enter}");
  await waitFor(() => expect(sent).toEqual([["ask @nobody", "prompt", {}]]));
});

test("a message that is refused keeps its text and its references; a reference can be removed", async () => {
  const { user, field } = await showComposer(false);
  await user.type(field, "@app{Enter}");
  await waitFor(() => expect(field.value).toBe("@src/app.ts "));
  await user.keyboard("{Enter}");
  await waitFor(() => expect(field.value).toBe("@src/app.ts "));
  await user.click(within(await chips()).getByRole("button", { name: enLate.references.remove("src/app.ts") }));
  expect(screen.queryByRole("list", { name: enLate.references.list })).toBeNull();
  expect(document.activeElement).toBe(field);
});

test("the references of a draft are there again after a reload", async () => {
  localStorage.setItem("gopi-web.draft-references.references", JSON.stringify([{ kind: "folder", path: "src" }, 1]));
  await showComposer();
  expect(within(await chips()).getByRole("listitem").textContent).toContain("src/");
});

test("an empty text and one reference too many are refused with a sentence", async () => {
  const handle = createRef<ComposerHandle>();
  await showComposer(true, { handle });
  const attach = (label: string, text: string) => act(() => handle.current?.attach({ kind: "text", label, text }));
  attach("Log", "");
  const { notAdded, empty, tooMany } = en.composer.references;
  expect(await screen.findByText(notAdded("Log", empty))).toBeDefined();
  for (let index = 0; index <= limits.messageReferences; index += 1) attach(`Log ${index}`, "1");
  expect(await screen.findByText(tooMany("20"))).toBeDefined();
  expect(within(await chips()).getAllByRole("listitem")).toHaveLength(20);
});

test("a queued message whose references do not fit stays in the queue", async () => {
  const handle = createRef<ComposerHandle>();
  const removed: string[] = [];
  const references = Array.from({ length: 12 }, () => ({
    type: "reference" as const,
    kind: "text" as const,
    label: "Log",
    text: "1",
  }));
  const { user, field } = await showComposer(true, {
    handle,
    state: "running",
    queue: [
      {
        id: asId<QueuedId>("q1"),
        commandId: asId<CommandId>("c1"),
        at: 1,
        intent: "followUp",
        text: "later",
        references,
      },
    ],
    onRemoveQueued: (id) => {
      removed.push(id);
      return Promise.resolve(true);
    },
  });
  const attach = (index: number) =>
    act(() => handle.current?.attach({ kind: "text", label: `Own ${index}`, text: "1" }));
  for (let index = 0; index < 9; index += 1) attach(index);
  await user.type(field, "{Alt>}{ArrowUp}{/Alt}");
  expect(await screen.findByText(en.composer.references.tooMany("20"))).toBeDefined();
  expect([removed, field.value]).toEqual([[], ""]);
  await user.click(within(await chips()).getByRole("button", { name: enLate.references.remove("Own 0") }));
  await user.type(field, "{Alt>}{ArrowUp}{/Alt}");
  await waitFor(() => expect(field.value).toBe("later"));
  expect(within(await chips()).getAllByRole("listitem")).toHaveLength(20);
});

test("the pin on the chip of a file turns the reference into a pinned file, unless it is refused", async () => {
  const client = testClient();
  const pinned: string[] = [];
  let end = (_isPinned: boolean): void => undefined;
  const pinning = new Promise<boolean>((resolve) => (end = resolve));
  client.handles.composer = {
    findMenu: () => null,
    setMode: () => undefined,
    setModel: () => undefined,
    modelNames: () => [],
    send: () => undefined,
    session: null,
    pins: {
      isPinned: () => false,
      setPinned: (path) => {
        pinned.push(path);
        return path === "src/app.ts" ? pinning : Promise.resolve(false);
      },
    },
  };
  const { user, field } = await showComposer(true, {}, client);
  for (const typed of ["@app", "@menu"]) {
    await user.type(field, typed);
    await options();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(field.value).toMatch(/ $/));
  }
  for (const path of ["src/menu.ts", "src/app.ts"])
    await user.click(within(await chips()).getByRole("button", { name: enLate.pins.pin(path) }));
  await waitFor(() => expect(pinned).toEqual(["src/menu.ts", "src/app.ts"]));
  // Typed while the server answers.
  await user.type(field, "please");
  end(true);
  await waitFor(async () => expect(within(await chips()).getAllByRole("listitem")).toHaveLength(1));
  expect((await chips()).textContent).toContain("menu.ts");
  expect(field.value).toBe("@src/menu.ts please");
  expect(document.activeElement).toBe(field);
});

test("the text of a chip is inserted into the message in its place", async () => {
  const handle = createRef<ComposerHandle>();
  const { user, field } = await showComposer(true, { handle });
  act(() => handle.current?.attach({ kind: "text", label: "Log", text: "one\ntwo" }));
  await user.type(field, "see");
  await user.click(within(await chips()).getByRole("button", { expanded: false }));
  await user.click(screen.getByRole("button", { name: enLate.references.insert }));
  expect(field.value).toBe("see\none\ntwo");
  expect(screen.queryByRole("listitem")).toBeNull();
});

test("text typed while a page is read stays behind its mention", async () => {
  let answer = (_page: unknown): void => undefined;
  const page = new Promise((resolve) => (answer = resolve));
  const { client, inputsOf } = await connectClient((name) => (name === "web.page" ? page : undefined));
  client.workbench.showProject(asId<ProjectId>("p1"));
  const { user, field } = await showComposer(true, {}, client);
  await user.type(field, "see @https://a.example/x");
  await user.click((await options())[0] ?? field);
  await waitFor(() => expect(inputsOf("web.page")).toHaveLength(1));
  await user.type(field, " please");
  answer({ ok: true, value: { text: "A page." } });
  await chips();
  expect(field.value).toBe("see @https://a.example/x please");
});

test("the changes are measured when their row is selected", async () => {
  const measured: NewReference[] = [];
  const measure: ReferenceStore["measure"] = (references) => {
    measured.push(...references);
    return store.measure(references);
  };
  const { user, field } = await showComposer(true, { referenceStore: { ...store, measure } });
  const kinds = () => measured.map(({ kind }) => kind);
  await user.type(field, "@");
  const rows = await options();
  await waitFor(() => expect(kinds()).toContain("file"));
  expect(kinds()).not.toContain("changes");
  const at = rows.findIndex(({ textContent }) => textContent?.includes(enLate.references.changes));
  await user.keyboard("{ArrowDown}".repeat(at));
  await waitFor(() => expect(kinds()).toContain("changes"));
});
