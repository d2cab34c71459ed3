// `gopi-web run --automation`, `get automations` and `status`, beside a running server.
import type { AutomationView } from "@/lib/automations/automation";
import { callCommand } from "../../fixtures/call-command";
import { expect, test } from "../../fixtures/product-test";
import { ProductCommand, type TestServer } from "../../fixtures/server";

async function makeAutomation(server: TestServer): Promise<string> {
  const [project] = (await callCommand(server, "project.list", {})).projects;
  if (project === undefined) throw new Error("no project is open");
  const { id } = await callCommand(server, "automations.save", {
    definition: {
      name: "Nightly check",
      projectId: project.id,
      prompt: "Check this.",
      mode: "ask",
      cardMinutes: 0,
      trigger: { kind: "time", cron: "0 3 * * *", zone: "UTC", missed: "run" },
    },
  });
  return id;
}

async function rehearse(server: TestServer, id: string): Promise<void> {
  await callCommand(server, "automations.rehearse", { id });
  for (;;) {
    const { automations } = await callCommand(server, "automations.list", {});
    if (automations.find((one) => one.id === id)?.rehearsal?.outcome === "done") return;
  }
}

test("an automation runs with standard input as data, and its exit code is that of run", async ({
  model,
  place,
  server,
}) => {
  const toolCalls = [{ name: "bash", arguments: { command: "touch made" } }];
  model.setScript({ turns: [{ text: "Rehearsed." }, { text: "I try.", toolCalls }, { text: "Not made." }] });
  await rehearse(server, await makeAutomation(server));
  const args = ["run", "--automation", "Nightly check"];
  const done = await new ProductCommand(place, args, { input: "a line of data\n" }).done();
  expect(done.stdout).toContain("Not made.");
  expect(done.code).toBe(0);
  expect(JSON.stringify(model.requests.at(-1))).toContain("a line of data");
  const listed = await new ProductCommand(place, ["get", "automations", "--json"]).done();
  const automation: AutomationView = JSON.parse(listed.stdout);
  expect(automation.runs[0]).toMatchObject({ cause: "cli", outcome: "done" });
  await callCommand(server, "automations.switch", { id: automation.id, isOn: true });
  const table = await new ProductCommand(place, ["get", "automations"]).done();
  expect(table.stdout.split("\n")[1]).toMatch(/^Nightly check +on +0 3 \* \* \* \(UTC\)/);
  const status = await new ProductCommand(place, ["status"]).done();
  expect(status.stdout).toContain("automations   ok: 1 on\n");
});

test("one that does not exist or was not rehearsed is named, exit 1", async ({ place, server }) => {
  const unknown = await new ProductCommand(place, ["run", "--automation", "none"]).done();
  expect(unknown).toMatchObject({ code: 1, stdout: "" });
  expect(unknown.stderr).toContain("There is no automation none; gopi-web get automations lists them");
  await makeAutomation(server);
  const early = await new ProductCommand(place, ["run", "--automation", "Nightly check"]).done();
  expect(early).toMatchObject({ code: 1, stdout: "" });
  expect(early.stderr).toContain("This automation was not rehearsed yet; do it in Settings, Automations");
});
