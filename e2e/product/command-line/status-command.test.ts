// `gopi-web status`: what a user or a script learns about the server, model servers, sessions and the home.
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { asId, type CommandId } from "@/lib/events/id";
import packageFile from "@/package.json" with { type: "json" };
import { callCommand } from "../../fixtures/call-command";
import { expect, test } from "../../fixtures/product-test";
import { ProductCommand } from "../../fixtures/server";

test("without a server it starts none: exit 0, and 1 when config.yaml is faulty", async ({ place }) => {
  const { code, stdout, stderr } = await new ProductCommand(place, ["status"]).done();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("server        stopped; start it with: gopi-web\n");
  expect(existsSync(place.home)).toBe(false);
  writeFileSync(join(place.project, "config.yaml"), "agent:\n  max_steps: many\n");
  const faulty = await new ProductCommand(place, ["status", "--home", place.project]).done();
  expect(faulty.code).toBe(1);
  expect(faulty.stdout).toContain("config.yaml   line 2: agent.max_steps must be a whole number from 1 to 500.");
});

test("with a server: hosts, models, the sessions at work and those that wait, in lines and as JSON", async ({
  place,
  model,
  server,
}) => {
  model.setScript({
    models: ["m:8b", "n:8b"],
    turns: [{ text: "", toolCalls: [{ name: "write", arguments: { path: "a.txt", content: "a" } }] }],
  });
  const [project] = (await callCommand(server, "project.list", {})).projects;
  if (project === undefined) throw new Error("no project is open");
  const id = (name: string) => asId<CommandId>(name);
  const { row } = await callCommand(server, "session.create", { projectId: project.id, commandId: id("c1") });
  const message = { sessionId: row.id, commandId: id("c2"), text: "write it", intent: "prompt" } as const;
  await callCommand(server, "session.send", message);
  const status = async () => JSON.parse((await new ProductCommand(place, ["status", "--json"]).done()).stdout);
  await expect
    .poll(status)
    .toMatchObject({ sessions: { working: 1, waiting: 1, cards: [{ id: row.id, title: "write it" }] } });
  expect(await status()).toMatchObject({
    ok: true,
    version: packageFile.version,
    server: { address: `http://localhost:${server.port}`, pid: server.pid, responds: true },
    hosts: [{ id: "ollama", address: model.url, models: ["m:8b", "n:8b"] }],
    config: { path: join(place.home, "config.yaml"), problems: [] },
    home: { path: place.home, isWritable: true },
  });
  const shown = await new ProductCommand(place, ["status"]).done();
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(shown.stdout).toContain("sessions      ok: 1 at work, 1 of them waits for your answer in the browser\n");
  expect(shown.stdout).toContain(`Ollama        ok: ${model.url}, 2 models\n`);
});

test("a model server that accepts a connection and stays silent does not hold up the others: exit 1", async ({
  place,
  model,
  server,
}) => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = silent.address();
  const baseUrl = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/v1`;
  const connection = { name: "Silent", preset: "custom", baseUrl, model: "", numCtx: 0 };
  await callCommand(server, "connections.save", connection);
  const { code, stdout } = await new ProductCommand(place, ["status"]).done();
  silent.close();
  expect(code).toBe(1);
  expect(stdout).toContain(`Ollama        ok: ${model.url}, `);
  expect(stdout).toContain(`Silent        ${baseUrl}: not responding; start it, or remove it`);
});

test("a model server that does not answer: exit 1 and the next step", async ({ place, model, server }) => {
  await model.close();
  expect(server.pid).toBeGreaterThan(0);
  const { code, stdout } = await new ProductCommand(place, ["status"]).done();
  expect(code).toBe(1);
  expect(stdout).toContain(`Ollama        ${model.url}: the model server isn't responding; start it`);
});
