/** Workflows: written with problems by line, started by the message field, answered, stopped, continued after a correction. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../fixtures/test";
import { findViolations } from "../pages/axe";

test.use({ hasOwnServer: true, opensPage: false });

const workflow = `description: Looks at the project and asks before it goes on.
inputs:
  goal: { description: What to look for, default: typos }
steps:
  - id: list
    run: ls
  - id: look
    prompt: "Look for \${{ inputs.goal }} in \${{ join(lines(steps.list.output), ', ') }}"
  - id: sure
    ask: Shall it go on?
    options: ["Yes", "No"]
  - id: check
    when: steps.sure.output == 'Yes'
    tool: read
    with: { path: MISSING.md }
    retry: 1
  - id: last
    workflow: closing
`;

test("a workflow is written, run, answered, fails, and continues after a correction", async ({
  page,
  server,
  place,
  model,
}) => {
  model.setScript({ turns: [{ text: "No typos." }, { text: "Closed." }] });
  mkdirSync(join(place.home, "workflows"), { recursive: true });
  writeFileSync(join(place.home, "workflows/closing.yaml"), "steps: [{ id: say, prompt: Close it. }]\n");
  await page.goto(`${server.origin}/settings/workflows`);
  await page.getByRole("button", { name: "New workflow" }).click();
  await page.getByLabel("Name").fill("look");
  await page.getByLabel("Where").selectOption({ label: "All projects" });
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "look" })).toBeVisible();
  const editor = page.getByRole("textbox", { name: "Text" });
  await editor.fill(workflow.replace("run: ls", "rum: ls"));
  await expect(page.getByText("Line 6: “rum” has no meaning here. Correct its spelling, or remove it.")).toBeVisible();
  await editor.fill(workflow);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Not saved yet")).toBeHidden();
  await expect(page.getByRole("region", { name: "Steps" }).getByRole("listitem")).toHaveCount(6);
  expect(await findViolations(page)).toEqual([]);

  await page.goto(server.origin);
  const field = page.locator("[data-composer][data-state=idle] textarea");
  await field.fill("/workflow lo");
  await expect(page.getByRole("option", { name: "/workflow look" })).toBeVisible();
  await field.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Run a workflow" });
  await dialog.getByLabel("goal").fill("mistakes");
  await dialog.getByRole("button", { name: "Run" }).click();
  const panel = page.getByRole("region", { name: "Workflows" });
  await expect(panel.getByRole("button", { name: "Yes" })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await panel.getByRole("button", { name: "Yes" }).click();
  await expect(panel.locator("[data-step=check]")).toHaveAttribute("data-state", "failed");
  await panel.locator("[data-step=check] button").first().click();

  writeFileSync(join(place.home, "workflows/look.yaml"), workflow.replace("MISSING.md", "README.md"));
  await panel.getByRole("button", { name: "Continue" }).click();
  await expect(panel).toHaveAttribute("data-workflow", "done");
  await expect(page.getByText("Closed.")).toBeVisible();
  expect(JSON.stringify(model.requests)).toContain("Look for mistakes in README.md");

  await page.getByRole("banner").getByRole("button", { name: "look" }).click();
  await page.getByRole("menuitem", { name: "Save as a workflow" }).click();
  await page.getByLabel("Name").fill("again");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("region", { name: "Steps" })).toContainText("Look for mistakes in README.md");
});
