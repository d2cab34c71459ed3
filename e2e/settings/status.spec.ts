/** The Status page of the settings, with a card that waits and a model server that does not respond. */
import { asId, type CommandId } from "@/lib/events/id";
import { callCommand } from "../fixtures/call-command";
import { expect, test } from "../fixtures/test";

test.use({
  hasOwnServer: true,
  script: { turns: [{ text: "", toolCalls: [{ name: "write", arguments: { path: "a.txt", content: "a" } }] }] },
});

test("the page follows what changes, and a card that waits leads to its session", async ({ page, server }) => {
  await page.goto(`${server.origin}/settings/status`);
  const part = (name: string) => page.getByRole("group", { name, exact: true });
  await expect(part("Sessions")).toContainText("none at work");
  const [project] = (await callCommand(server, "project.list", {})).projects;
  if (project === undefined) throw new Error("no project is open");
  const id = (name: string) => asId<CommandId>(name);
  const { row } = await callCommand(server, "session.create", { projectId: project.id, commandId: id("c1") });
  const message = { sessionId: row.id, commandId: id("c2"), text: "Write the file", intent: "prompt" } as const;
  await callCommand(server, "session.send", message);
  const baseUrl = "http://127.0.0.1:1/v1";
  await callCommand(server, "connections.save", { name: "GPU box", preset: "custom", baseUrl, model: "", numCtx: 0 });
  await expect(part("GPU box")).toHaveAttribute("data-part-state", "broken", { timeout: 30_000 });
  await expect(page.getByText("One thing needs you")).toBeVisible();
  await part("Sessions").getByRole("link", { name: "Write the file" }).click();
  await expect(page).toHaveURL(new RegExp(`/s/${row.id}$`));
});
