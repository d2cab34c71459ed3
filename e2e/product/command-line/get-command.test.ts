// `gopi-web get`: sessions, models and rules as tables and as lines of JSON.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { asId, type CommandId } from "@/lib/events/id";
import type { Rule } from "@/lib/permissions/policy";
import type { CommandRequest } from "@/lib/protocol/command";
import type { SessionRow } from "@/lib/protocol/session-row";
import { callCommand } from "../../fixtures/call-command";
import { endBackgroundServer, expect, test } from "../../fixtures/product-test";
import { ProductCommand, productProgram, type TestServer } from "../../fixtures/server";

const outputLines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

async function openProject(server: TestServer) {
  const [project] = (await callCommand(server, "project.list", {})).projects;
  if (project === undefined) throw new Error("no project is open");
  return project;
}

test("sessions: all of them, also beyond the first page, in a table and as lines of JSON", async ({
  place,
  server,
}) => {
  const { id: projectId, path } = await openProject(server);
  const names = Array.from({ length: 101 }, (_, index) => `c-${index}`);
  for (const name of names)
    await callCommand(server, "session.create", { projectId, commandId: asId<CommandId>(name) });
  const table = await new ProductCommand(place, ["get", "sessions"]).done();
  expect(table).toMatchObject({ code: 0, stderr: "" });
  const [head, first, ...more] = outputLines(table.stdout);
  expect(head).toMatch(/^id +title +status +updated +model +folder$/);
  expect(first).toContain(path);
  expect(more).toHaveLength(100);
  const json = await new ProductCommand(place, ["get", "sessions", "--json"]).done();
  const rows = outputLines(json.stdout).map((line): SessionRow => JSON.parse(line));
  expect(new Set(rows.map((row) => row.id)).size).toBe(101);
  const command = `set -o pipefail; "${process.execPath}" "${productProgram}" get sessions | true`;
  const env = { ...place.environment, GOPI_HOME: place.home };
  // The reader of the output ends at once.
  const cut = await promisify(execFile)("bash", ["-c", command], { env, cwd: place.project });
  expect(cut).toEqual({ stdout: "", stderr: "" });
});

test("models: those of every server, named as --model takes them; one that does not answer is reported, exit 1", async ({
  place,
  model,
  server,
}) => {
  model.setScript({ models: ["m:8b", "n:8b"] });
  const connection = { preset: "custom", model: "", numCtx: 0 };
  const own = { ...connection, name: "Own", baseUrl: `${model.url}/v1` };
  const saved = await callCommand(server, "connections.save", own);
  const listed = await new ProductCommand(place, ["get", "models"]).done();
  expect(listed).toMatchObject({ code: 0, stderr: "" });
  const [, ...rows] = outputLines(listed.stdout);
  const names = ["m:8b", "n:8b", `${saved.id}/m:8b`, `${saved.id}/n:8b`];
  expect(rows.map((row) => row.split(/ +/)[0])).toEqual(names);
  await callCommand(server, "connections.save", { ...connection, name: "Away", baseUrl: "http://127.0.0.1:1/v1" });
  const json = await new ProductCommand(place, ["get", "models", "--json"]).done();
  expect(json.code).toBe(1);
  expect(json.stderr).toMatch(/^gopi-web: Away: not responding; start it/);
  expect(outputLines(json.stdout).map((line): object => JSON.parse(line))).toMatchObject([
    { name: "m:8b" },
    { name: "n:8b" },
    { name: "m:8b", connection: saved.id },
    { name: "n:8b", connection: saved.id },
  ]);
});

test("rules: with the folder of each", async ({ place, server }) => {
  const { id: projectId, path } = await openProject(server);
  const pattern: CommandRequest<"rules.save">["pattern"] = { tool: "bash", words: ["npm", "test"], rest: true };
  await callCommand(server, "rules.save", { projectId, effect: "allow", pattern });
  const table = await new ProductCommand(place, ["get", "rules"]).done();
  expect(outputLines(table.stdout)[1]).toMatch(/^allow +bash +npm test \* +/);
  const json = await new ProductCommand(place, ["get", "rules", "--json"]).done();
  const rule: Rule & { readonly folder: string } = JSON.parse(json.stdout);
  expect(rule).toMatchObject({ effect: "allow", folder: path, ...pattern });
});

test("without a server it starts one; no sessions are reported, and a misspelt kind is named", async ({ place }) => {
  const none = await new ProductCommand(place, ["get", "sessions"]).done();
  expect(none).toEqual({ code: 0, stdout: "", stderr: "gopi-web: no sessions yet\n" });
  expect(await new ProductCommand(place, ["get", "sesions"]).done()).toEqual({
    code: 2,
    stdout: "",
    stderr: "gopi-web: gopi-web get lists one of sessions, models, rules, automations; did you mean sessions?\n",
  });
  await endBackgroundServer(place);
});
