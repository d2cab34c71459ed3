/** The sandbox of Full access, with the real program: what it stops is said on the card, and runs outside after a question. */
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { callCommand, trustProject } from "../fixtures/call-command";
import { chatRequestBodies, expect, test } from "../pages/mime-stage";

let outside = "";
test.beforeAll(async () => {
  // Not below /tmp: the sandbox has its own.
  outside = await mkdtemp("/var/tmp/gopi-e2e-outside-");
});
test.afterAll(() => rm(outside, { recursive: true, force: true }));

test.beforeEach(async ({ server }) => {
  const { works, why } = await callCommand(server, "settings.sandbox", {});
  test.skip(!works, `no sandbox works here: ${why}`);
});

test("a command that the sandbox stops says so, and runs outside once after a question", async ({
  bench,
  page,
  project,
  server,
  model,
}) => {
  await writeFile(join(project, "install.sh"), `echo made-$((40+2)) > ${outside}/made.txt && echo installed\n`);
  model.setScript({
    turns: [
      { text: "", toolCalls: [{ name: "bash", arguments: { command: "sh install.sh" } }] },
      { text: "It could not be installed." },
      { text: "Then it is installed." },
    ],
  });
  await trustProject(server);
  await bench.session.chooseMode("full");
  await expect(page.getByText("commands run without asking, in a sandbox")).toBeVisible();
  await bench.begin("Install it.");
  await expect(bench.session.conversation.getByText("It could not be installed.")).toBeVisible();
  const line = bench.session.lines({ verb: "Ran", target: "sh install.sh" }).first();
  await expect(line).toContainText("The sandbox probably stopped this: it lets commands write only to the project");
  expect(await readdir(outside)).toEqual([]);

  await line.getByRole("button", { name: "Run outside once" }).click();
  const question = page.getByRole("dialog", { name: "Run outside the sandbox?" });
  await expect(question).toContainText("sh install.sh");
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await line.getByRole("button", { name: "Run outside once" }).click();
  await question.getByRole("button", { name: "Run outside once" }).click();
  await expect(page.getByRole("article", { name: "Your command" })).toContainText("installed");
  await expect(question).toHaveCount(0);
  expect(await readFile(join(outside, "made.txt"), "utf8")).toBe("made-42\n");
  await page.reload();
  await expect(line).toContainText("You ran it outside the sandbox");
  await expect(line.getByRole("button", { name: "Run outside once" })).toHaveCount(0);

  await bench.session.sendMessage("Now?");
  await expect(bench.session.conversation.getByText("Then it is installed.")).toBeVisible();
  expect(chatRequestBodies(model).at(-1)).toContain("!sh install.sh");
});
