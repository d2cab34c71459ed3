/** Forbidden actions are impossible whatever the model tries: through the real program, with real files at stake. */
import { mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { trustProject } from "../fixtures/call-command";
import type { ScriptedTurn } from "../fixtures/scripted-model.mjs";
import { readLoggedEvents } from "../fixtures/stored-log";
import { chatRequestBodies, expect, ownServerTest, test } from "../pages/mime-stage";
import { WorkbenchPageObject } from "../pages/workbench-page";

const toolCall = (name: string, input: object) => ({ name, arguments: input });
const canary = "canary-7f3a9c";

test("a denial with a reason reaches the model as the result of its call", async ({ bench, project, model }) => {
  model.setScript({
    turns: [
      { text: "", toolCalls: [toolCall("write", { path: "notes.txt", content: "hello" })] },
      { text: "Then I put it there." },
    ],
  });
  await bench.begin("Write a note.");
  await bench.session.card.denyBecause("Notes belong into docs.");
  await expect(bench.session.conversation.getByText("Then I put it there.")).toBeVisible();
  await expect(bench.session.lines({ verb: "Write", target: "notes.txt" })).toContainText(
    "You said: Notes belong into docs.",
  );
  const [, second] = chatRequestBodies(model);
  expect(second).toContain("Notes belong into docs.");
  expect(await readdir(project)).not.toContain("notes.txt");
});

test("a blocked command names the word and its part, and leads to the setting", async ({ page, bench, model }) => {
  model.setScript({
    turns: [{ text: "", toolCalls: [toolCall("bash", { command: "ls && rm -rf build" })] }, { text: "I see." }],
  });
  await bench.begin("Clean up.");
  const line = bench.session.lines({ verb: "Run", target: "ls && rm -rf build" });
  await expect(line).toContainText("“rm” is a blocked command. Found in: rm -rf build");
  await line.getByRole("link", { name: "Blocked commands" }).click();
  const setting = page.locator('[id="security.blocked_cmds"]');
  await expect(setting.getByRole("textbox", { name: "Add command" })).toBeFocused();
  await expect(setting).toBeInViewport();
  await expect(setting.getByRole("list", { name: "Blocked commands" })).toContainText("rm");
});

ownServerTest(
  "plan mode refuses a model that tries to change things, and nothing is on disk",
  async ({ bench, project, model, server }) => {
    model.setScript({
      turns: [
        {
          toolCalls: [
            toolCall("write", { path: "planned.txt", content: "hello" }),
            toolCall("edit", { path: "mime.js", old_string: "var path = require('path');", new_string: "" }),
            toolCall("delete", { path: "cli.js" }),
            toolCall("bash", { command: "echo hello > planned.txt" }),
            toolCall("bash", { command: "touch planned.txt" }),
            toolCall("bash", { command: "git status --short" }),
          ],
        },
        { text: "Only a plan, then." },
      ],
    });
    const before = await readFile(join(project, "mime.js"), "utf8");
    await bench.session.chooseMode("plan");
    const id = await bench.begin("Change everything.");
    await expect(bench.session.conversation.getByText("Only a plan, then.")).toBeVisible();
    await expect(bench.session.cards).toHaveCount(0);
    await expect(bench.session.lines({ verb: "Write", target: "planned.txt" })).toContainText("Plan mode only reads.");
    await server.kill("SIGTERM");
    const ends = readLoggedEvents(server.home, id).flatMap(({ event }) =>
      event.type === "tool_call_end" ? [event] : [],
    );
    expect(ends.slice(0, 5).map(({ outcome, facts }) => [outcome, facts.code])).toEqual(
      Array.from({ length: 5 }, () => ["error", "plan_mode"]),
    );
    expect(await readdir(project)).not.toContain("planned.txt");
    expect(await readdir(project)).toContain("cli.js");
    expect(await readFile(join(project, "mime.js"), "utf8")).toBe(before);
  },
);

for (const mode of ["ask", "full"] as const) {
  ownServerTest(
    `in ${mode} mode secrets, git's own files and everything outside are inaccessible in every spelling`,
    async ({ bench, place, project, model, server }) => {
      const outside = join(place.root, "outside");
      await mkdir(outside);
      await writeFile(join(outside, "secret.txt"), canary);
      await writeFile(join(project, ".env"), `TOKEN=${canary}`);
      await writeFile(join(project, ".git/config"), `[core]\n\t# ${canary}\n`);
      await symlink(outside, join(project, "away"));
      await symlink(join(outside, "secret.txt"), join(project, "letter.txt"));
      await symlink(".env", join(project, "settings.txt"));
      await mkdir(join(project, "sub"));
      const calls = refusedCalls(project, outside);
      model.setScript({ turns: [{ text: "", toolCalls: calls }, { text: "I could not." }] });
      await trustProject(server);
      if (mode === "full") await bench.session.chooseMode("full");
      const id = await bench.begin("Show me the secrets.");
      await expect(bench.session.conversation.getByText("I could not.")).toBeVisible();
      await expect(bench.session.cards).toHaveCount(0);

      await server.kill("SIGTERM");
      const events = readLoggedEvents(server.home, id).map(({ event }) => event);
      const outcomes = events.flatMap((event) => (event.type === "tool_call_end" ? [event.facts.code ?? "none"] : []));
      expect(outcomes).toHaveLength(calls.length);
      expect(new Set(outcomes)).toEqual(new Set(["outside", "protected"]));
      expect(JSON.stringify(events)).not.toContain(canary);
      expect(chatRequestBodies(model).join("\n")).not.toContain(canary);
      expect(await readFile(join(project, ".env"), "utf8")).toBe(`TOKEN=${canary}`);
      expect(await readFile(join(project, ".git/config"), "utf8")).toContain(canary);
      expect(await readdir(outside)).toEqual(["secret.txt"]);
      expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe(canary);
    },
  );
}

/** Returns one call for each access path that must be blocked. */
function refusedCalls(root: string, outside: string): NonNullable<ScriptedTurn["toolCalls"]> {
  const closed = [
    ".env",
    "./.env",
    ".ENV",
    "sub/../.env",
    `${root}/.env`,
    "settings.txt",
    ".git/config",
    "./.git//config",
    ".Git/config",
    `${outside}/secret.txt`,
    "../../../../../../../../etc/passwd",
    "away/secret.txt",
    "letter.txt",
    "sub/../away/../away/secret.txt",
  ];
  const written = [".env", ".git/config", ".git/hooks/pre-commit", "away/new.txt", "letter.txt", `${outside}/new.txt`];
  const commands = [
    "cat .env",
    "cat ./.env",
    'cat "$PWD/.env"',
    "cat .e''nv",
    "cat .e*",
    "cat < .env",
    "cd sub && cat ../.env",
    "grep TOKEN .env",
    "head -c 100 settings.txt",
    'echo "$(cat .env)"',
    "sh -c 'cat .env'",
    "node --env-file=.env -p process.env.TOKEN",
    "cat .git/config",
    "cat .GIT/config",
    "cp .env sub/copy",
    `echo x >> .env`,
    "echo x > .git/hooks/pre-commit",
  ];
  return [
    ...closed.map((path) => toolCall("read", { path })),
    ...written.map((path) => toolCall("write", { path, content: "x" })),
    ...[".env", "letter.txt", ".git/config"].map((path) =>
      toolCall("edit", { path, old_string: "e", new_string: "x" }),
    ),
    ...[".env", "away/secret.txt", ".git"].map((path) => toolCall("delete", { path })),
    ...[".env", ".git", "away"].map((path) => toolCall("grep", { pattern: ".", path })),
    ...commands.map((command) => toolCall("bash", { command })),
  ];
}

test("a command that reads outside the project waits for the user, and runs only after approval", async ({
  bench,
  place,
  model,
}) => {
  const outside = join(place.root, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "secret.txt"), canary);
  model.setScript({
    turns: [{ text: "", toolCalls: [toolCall("bash", { command: `cat ${outside}/secret.txt` })] }, { text: "Good." }],
  });
  await bench.begin("Look outside.");
  await expect(bench.session.card.root).toContainText(`cat ${outside}/secret.txt`);
  await bench.session.card.deny.click();
  await expect(bench.session.conversation.getByText("Good.")).toBeVisible();
  expect(chatRequestBodies(model).join("\n")).not.toContain(canary);
});

ownServerTest(
  "two approvers: the first answer counts, the other tab shows it",
  async ({ bench, context, project, model, server }) => {
    model.setScript({
      turns: [
        { text: "", toolCalls: [toolCall("write", { path: "once.txt", content: "written once\n" })] },
        { text: "Written." },
      ],
    });
    const id = await bench.begin("Write it once.");
    const other = new WorkbenchPageObject(await context.newPage());
    await other.open(`${server.origin}/s/${id}`);
    await expect(bench.session.card.once).toBeVisible();
    await expect(other.session.card.deny).toBeVisible();
    // Both are pressed before either tab can have received the other's answer.
    const buttons = await Promise.all([
      bench.session.card.once.elementHandle(),
      other.session.card.deny.elementHandle(),
    ]);
    await Promise.all(buttons.map((button) => button?.dispatchEvent("click")));
    for (const { session } of [bench, other]) {
      await expect(session.conversation.getByText("Written.")).toBeVisible();
      await expect(session.cards).toHaveCount(0);
    }
    await server.kill("SIGTERM");
    const events = readLoggedEvents(server.home, id).map(({ event }) => event);
    const answers = events.flatMap((event) => (event.type === "approval_response" ? [event.option] : []));
    expect(answers).toHaveLength(1);
    const isWritten = (await readdir(project)).includes("once.txt");
    expect(isWritten).toBe(answers[0] === "once");
    const state = isWritten ? "ok" : "denied";
    for (const { session } of [bench, other])
      await expect(session.lines({ verb: "Wr(?:ite|ote)", target: "once.txt" })).toHaveAttribute("data-state", state);
  },
);
