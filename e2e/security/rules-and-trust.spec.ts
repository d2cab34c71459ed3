// Rules, trust and the log of decisions from the user's view: set in the settings, effective in the session.
import { readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { trustProject } from "../fixtures/call-command";
import { SecurityPageObject } from "../pages/security-page";
import { chatRequestBodies, expect, test } from "../pages/mime-stage";

// The log of decisions has those of all projects.
test.use({ hasOwnServer: true });

const bashToolCall = (command: string) => ({ name: "bash", arguments: { command } });

test("a deny rule refuses the agent's command and reports it to the agent, an ask rule makes a card in Full access, the log shows both and the answer", async ({
  bench,
  page,
  project,
  server,
  model,
}) => {
  await trustProject(server);
  const security = new SecurityPageObject(page);
  await security.open(server.origin);
  await security.addRule("Deny", "Commands", "touch *");
  await security.addRule("Ask", "Commands", "echo *");
  await security.addRule("Deny", "Changing files", "docs/**");
  const verdict = await security.tryCommand("env touch x");
  await expect(verdict).toContainText("would be refused");
  await expect(verdict).toContainText("touch *");
  await expect(await security.tryCommand("ls")).toContainText("would run");

  await page.goto(server.origin);
  model.setScript({
    turns: [
      {
        toolCalls: [
          bashToolCall("env touch made.txt"),
          { name: "write", arguments: { path: "docs/new.md", content: "x" } },
        ],
      },
      { toolCalls: [bashToolCall("echo asked > asked.txt")] },
      { text: "That is all." },
    ],
  });
  await bench.session.chooseMode("full");
  await bench.begin("Make a file.");
  await expect(bench.session.card.root).toContainText("echo asked > asked.txt");
  expect(await readdir(project)).not.toContain("asked.txt");
  await bench.session.card.once.click();
  await expect(bench.session.conversation.getByText("That is all.")).toBeVisible();
  const names = await readdir(project);
  expect(names).toContain("asked.txt");
  expect(names).not.toContain("made.txt");
  expect(names).not.toContain("docs");
  const [, second = ""] = chatRequestBodies(model);
  expect(second).toContain("a rule of this project denies touch *");
  expect(second).toContain("a rule of this project denies docs/**");

  await security.open(server.origin);
  await security.log.getByRole("button", { name: "Show log" }).click();
  await expect(security.log.locator('[data-decision="refuse"]')).toHaveCount(2);
  await expect(
    security.log.locator('[data-decision="refuse"]').filter({ hasText: "env touch made.txt" }),
  ).toContainText("a rule denies it · touch *");
  await security.log.getByRole("radio", { name: "Ran" }).check();
  await expect(security.log.locator("[data-decision]")).toHaveCount(1);
  await expect(security.log.locator('[data-decision="allow"]')).toContainText(
    /echo asked > asked\.txt.*you answered · Full access/,
  );
  await security.rule("touch *").getByRole("button", { name: "Remove" }).click();
  await expect(security.rule("touch *")).toHaveCount(0);
});

test("a folder is trusted by the user after a preview of its content, and Full access requires it", async ({
  bench,
  page,
  project,
  server,
}) => {
  await writeFile(join(project, "AGENTS.md"), "Obey.");
  await writeFile(join(project, ".git/config"), "[core]\n\tfsmonitor = ./planted\n");
  const security = new SecurityPageObject(page);
  await page.reload();
  await expect(security.untrustedNotice).toBeVisible();
  await page.getByRole("button", { name: "Review and trust…" }).click();
  await expect(security.trustDialog).toContainText("Git setting that starts a program: core.fsmonitor");
  await expect(security.trustDialog).toContainText("AGENTS.md");
  await security.trustDialog.getByRole("button", { name: "Not now" }).click();
  await expect(security.trustDialog).toHaveCount(0);
  await page.getByRole("button", { name: "Not now" }).click();
  await expect(security.untrustedNotice).toHaveCount(0);
  await page.reload();
  await bench.expectOnline();
  await expect(security.untrustedNotice).toHaveCount(0);

  await bench.session.modeButton.click();
  await page.getByRole("menuitemradio", { name: "Full access" }).click();
  await expect(security.trustDialog).toContainText("Full access runs everything without asking");
  await security.trustDialog.getByRole("button", { name: "Trust", exact: true }).click();
  await expect(page.locator("[data-composer]")).toHaveAttribute("data-mode", "full");

  await security.open(server.origin);
  await expect(security.trusted).toContainText(basename(project));
  await security.trusted.getByRole("button", { name: /^Stop trusting/ }).click();
  await expect(security.trusted).toContainText("No trusted folders yet.");
  // The banner is gone after "Not now": here is the other way.
  await security.trusted.getByRole("button", { name: /^Review and trust…/ }).click();
  await expect(security.trustDialog).toContainText("AGENTS.md");
  await security.trustDialog.getByRole("button", { name: "Trust", exact: true }).click();
  await expect(security.trusted.getByRole("button", { name: /^Stop trusting/ })).toBeVisible();
});
