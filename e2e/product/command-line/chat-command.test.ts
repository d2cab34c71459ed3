// `gopi-web chat` in a terminal, and without one.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ProductCommand } from "../../fixtures/server";
import { useSharedProduct } from "../../fixtures/shared-product";
import { hasTerminals, TerminalCommand } from "../../fixtures/terminal-command";

const shared = useSharedProduct({ "src/菜单.ts": "export const color = 'teal';\n" });
const lastRequest = (): string => shared.chats().at(-1)?.raw ?? "";
const enter = "\r";
const controlC = "\u0003";
const controlD = "\u0004";
const up = "\u001b[A";

async function listSessions() {
  const { rows } = await shared.subject.callOrThrow("session.list", {});
  return rows.filter(({ cwd }) => cwd === shared.place.project);
}

/** Starts a chat and waits for its first prompt. */
async function startChat(args = ""): Promise<TerminalCommand> {
  const chat = new TerminalCommand(shared.place, `chat ${args}`);
  onTestFinished(() => chat.end());
  await chat.until("> ");
  return chat;
}

test.runIf(hasTerminals)("answers messages of several lines, with files by Tab, and Ctrl+D leaves", async () => {
  shared.subject.model.setScript({ turns: [{ text: "你好，世界。" }, { text: "Two." }, { text: "Three." }] });
  const chat = await startChat();
  chat.type("看 @菜\t");
  await chat.until("@src/菜单.ts");
  chat.type(" 什么颜色\\\r");
  await chat.until("… ");
  chat.type("第二行\r");
  await chat.until("你好，世界。");
  await chat.until("> ");
  expect(lastRequest()).toContain("什么颜色\\n第二行");
  expect(lastRequest()).toContain("color = 'teal'");
  chat.type("\u001b[200~if x:\\\r\ty()\u001b[201~\r");
  await chat.until("Two.");
  await chat.until("> ");
  expect(lastRequest()).toContain("if x:\\\\\\n\\ty()");
  chat.type(`${up}${up}${enter}`);
  await chat.until("Three.");
  await chat.until("> ");
  expect(lastRequest().split("第二行")).toHaveLength(3);
  chat.type(controlD);
  expect(await chat.done()).toBe(0);
  expect(await listSessions()).toMatchObject([{ status: "idle" }]);
});

test.runIf(hasTerminals).each([
  ["typed", "1\n", "1\r\n", []],
  ["begun", "1", "1", ["\n"]],
])("what is %s before a card is shown does not answer it", async (_what, typed, shown, completed) => {
  const write = { name: "write", arguments: { path: "new.txt", content: "new\n" } };
  shared.subject.model.setScript({
    turns: [{ text: "one two", toolCalls: [write], holdAfter: 1 }, { text: "Denied." }],
  });
  const chat = await startChat();
  chat.type("write it\r");
  await chat.until("one");
  chat.type(typed);
  // The terminal shows what it has received.
  await chat.until(shown);
  shared.subject.model.release();
  await chat.until("is not used.");
  await chat.until("Number or letter: ");
  for (const rest of completed) {
    chat.type(rest);
    await chat.until("Number or letter: ");
  }
  chat.type("3\n");
  await chat.until("Denied.");
  expect(existsSync(join(shared.place.project, "new.txt"))).toBe(false);
  await chat.until("> ");
  chat.type(controlD);
  expect(await chat.done()).toBe(0);
});

test.runIf(hasTerminals)("a card is answered by its number, and the history outlives the chat", async () => {
  const write = { name: "write", arguments: { path: "new.txt", content: "new\n" } };
  const turns = [
    { text: "", toolCalls: [write] },
    { text: "Denied." },
    { text: "", toolCalls: [write] },
    { text: "Written." },
  ];
  shared.subject.model.setScript({ turns });
  const first = await startChat();
  first.type("write it\r");
  await first.until("3, n  no");
  await first.until("Number or letter: ");
  first.type("3\n");
  await first.until("Denied.");
  await first.until("> ");
  expect(existsSync(join(shared.place.project, "new.txt"))).toBe(false);
  first.type("/exit\r");
  expect(await first.done()).toBe(0);
  const second = await startChat("--continue");
  expect(second.seen).toContain("· write it");
  second.type(`${up}${up}${enter}`);
  await second.until("Number or letter: ");
  second.type("1\n");
  await second.until("Written.");
  await second.until("> ");
  expect(readFileSync(join(shared.place.project, "new.txt"), "utf8")).toBe("new\n");
  second.type(controlD);
  expect(await second.done()).toBe(0);
  expect(await listSessions()).toHaveLength(1);
});

test.runIf(hasTerminals)("Ctrl+C clears the line, stops the run, and pressed again leaves: exit 130", async () => {
  shared.subject.model.setScript({ turns: [{ text: "one two three", holdAfter: 1 }] });
  const chat = await startChat();
  chat.type("never sent");
  await chat.until("never sent");
  chat.type(controlC);
  await chat.until("^C");
  await chat.until("> ");
  chat.type("count\r");
  await chat.until("one");
  chat.type(controlC);
  await chat.until("· stopped");
  await chat.until("> ");
  expect((await listSessions()).map(({ status, title }) => [title, status])).toEqual([["count", "aborted"]]);
  chat.type(controlC);
  expect(await chat.done()).toBe(130);
  expect(JSON.stringify(shared.chats())).not.toContain("never sent");
  shared.subject.model.release();
});

test.runIf(hasTerminals)("commands change the session, and an unknown one lists those there are", async () => {
  shared.subject.model.setScript({ models: ["m:8b", "n:8b"] });
  await shared.subject.callOrThrow("models.refresh", {});
  const chat = await startChat('"first words"');
  for (const [line, answer] of [
    ["/modell x", "There is no /modell; there are /new, /model, /mode, /compact, /title, /exit, /help"],
    ["/help", "/compact [TEXT] summarize older messages"],
    ["/mode sing", "use it as /mode MODE: select ask, edits, plan or full"],
    ["/mode plan", "· mode: plan"],
    ["/model n:8b", "· model: n:8b"],
    ["/title 新标题", "· title: 新标题"],
    ["/compact", "there is nothing to summarize yet"],
  ] as const) {
    chat.type(`${line}\r`);
    await chat.until(answer);
    await chat.until("> ");
  }
  const [row] = await listSessions();
  expect(row).toMatchObject({ title: "新标题", model: "n:8b", mode: "plan" });
  chat.type("/new\r");
  await chat.until("> ");
  chat.type("second words\r");
  await chat.until("Done.");
  await chat.until("> ");
  expect((await listSessions()).map(({ title }) => title).sort()).toEqual(["second words", "新标题"]);
  chat.type(controlD);
  expect(await chat.done()).toBe(0);
});

test.runIf(hasTerminals)("-f pins a file to the session", async () => {
  const chat = await startChat("-f src/菜单.ts");
  chat.type("Which colour?\r");
  await chat.until("Done.");
  expect(lastRequest()).toContain("color = 'teal'");
  await chat.until("> ");
  chat.type(controlD);
  expect(await chat.done()).toBe(0);
});

test.runIf(hasTerminals)("a chat that is left before its first message leaves no session", async () => {
  const chat = await startChat();
  chat.type(controlD);
  expect(await chat.done()).toBe(0);
  expect(await listSessions()).toEqual([]);
});

test("without a terminal a text is run, and no text is a usage error", async () => {
  const done = await new ProductCommand(shared.place, ["chat", "Say hi"]).done();
  expect(done).toEqual({ code: 0, stdout: "Done.\n", stderr: "" });
  const bare = await new ProductCommand(shared.place, ["chat"]).done();
  expect(bare).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining('gopi-web run "fix the tests"') });
});
