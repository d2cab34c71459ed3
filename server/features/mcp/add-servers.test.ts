/** Adding servers with secrets, and what a removed one leaves behind; the real file and key store. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { createSecrets } from "@/server/store/access/secrets";
import { addServers, findCandidates, forgetSecrets, makeServerFinder } from "./add-servers";
import { importWorker } from "./import/foreign-files";
import { makeMcpFile } from "./mcp-file";

const finder = makeServerFinder({}, importWorker, new AbortController().signal);

function makeRig(environment: { readonly [name: string]: string } = {}) {
  const home = mkdtempSync(join(tmpdir(), "add-servers-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const path = join(home, "mcp.json");
  const file = makeMcpFile(path, () => 0);
  const secrets = createSecrets(home).in("mcp");
  return {
    file,
    secrets,
    async add(servers: { readonly [name: string]: Json }) {
      const text = JSON.stringify({ mcpServers: servers });
      expect(await addServers(file, { secrets, environment }, finder, text, Object.keys(servers))).toEqual({
        ok: true,
        value: undefined,
      });
      return JSON.parse(readFileSync(path, "utf8")).mcpServers;
    },
  };
}

test("two secrets of one name are two keys, one secret in two places is one", async () => {
  const { add, secrets } = makeRig();
  const written = await add({
    db: { command: "srv", args: ["--token", "AAAAAAAA", "--token=AAAAAAAA"], env: { TOKEN: "BBBBBBBB" } },
  });
  const { args, env } = written.db;
  expect(args[2]).toBe(`--token=${args[1]}`);
  expect(new Set([args[1], env.TOKEN])).toEqual(new Set(["${DB_TOKEN}", "${DB_TOKEN_2}"]));
  const valueOf = (reference: string) => secrets.get(reference.slice(2, -1));
  expect([valueOf(args[1]), valueOf(env.TOKEN)]).toEqual(["AAAAAAAA", "BBBBBBBB"]);
});

test("a key of another server, or of the environment, keeps its value", async () => {
  const { add, secrets } = makeRig({ C_API_KEY: "environment" });
  await add({ "a b": { command: "x", env: { API_KEY: "one11111" } } });
  const written = await add({
    "a-b": { command: "x", env: { API_KEY: "two22222" } },
    c: { command: "x", env: { API_KEY: "three333" } },
    A_B: { command: "x", env: { API_KEY: "one11111" } },
  });
  expect(Object.values(written).map((server) => JSON.stringify(server).match(/\$\{\w+\}/)?.[0])).toEqual([
    "${A_B_API_KEY}",
    "${A_B_API_KEY_2}",
    "${C_API_KEY_2}",
    "${A_B_API_KEY}",
  ]);
  expect([secrets.get("A_B_API_KEY"), secrets.get("A_B_API_KEY_2"), secrets.get("C_API_KEY_2")]).toEqual([
    "one11111",
    "two22222",
    "three333",
  ]);
});

test("servers that cannot be added leave no key behind", async () => {
  const { file, secrets } = makeRig();
  writeFileSync(file.path, "[");
  const text = JSON.stringify({ mcpServers: { a: { command: "x", env: { API_KEY: "one11111" } } } });
  expect(await addServers(file, { secrets, environment: {} }, finder, text, ["a"])).toMatchObject({
    error: { code: "bad_input", facts: { path: file.path, reason: "syntax", line: 1, column: 2 } },
  });
  expect(secrets.names()).toEqual([]);
});

test("the keys of a removed server are deleted, except those that another one names", async () => {
  const { add, secrets, file } = makeRig();
  await add({
    one: { command: "x", env: { API_KEY: "one11111", OWN_TOKEN: "own11111" } },
    two: { command: "x", args: ["${ONE_API_KEY}"] },
  });
  const [one, two] = file.read().servers.map((config) => ({ config, projectId: null }));
  if (one === undefined || two === undefined) throw new Error("two servers were added");
  const mayRefer = (): boolean => false;
  forgetSecrets(one, { servers: [two], mayRefer }, secrets);
  expect([secrets.get("ONE_API_KEY"), secrets.get("ONE_OWN_TOKEN")]).toEqual(["one11111", null]);
  forgetSecrets(two, { servers: [], mayRefer: (name) => name === "ONE_API_KEY" }, secrets);
  expect(secrets.get("ONE_API_KEY")).toBe("one11111");
  forgetSecrets(two, { servers: [], mayRefer }, secrets);
  expect(secrets.get("ONE_API_KEY")).toBeNull();
});

test("a launch is shown without its secrets, however short they are", async () => {
  const text = JSON.stringify({
    mcpServers: { db: { command: "db-server", args: ["--password", "abc1", "--port", "80"], env: { API_KEY: "x9" } } },
  });
  const { secrets } = makeRig();
  const found = await findCandidates(finder, { secrets, environment: {} }, text);
  expect(found).toMatchObject({
    ok: true,
    value: {
      candidates: [
        { launch: { command: ["db-server", "--password", "${DB_PASSWORD}", "--port", "80"], variables: ["API_KEY"] } },
      ],
    },
  });
  expect(JSON.stringify(found)).not.toContain("abc1");
});

test("the names that are shown are those that are written, whichever servers are added", async () => {
  const { file, secrets } = makeRig();
  secrets.set("B_TOKEN", "old11111");
  const values = { secrets, environment: {} };
  const entry = (token: string) => ({ command: "x", args: ["--api-key", token], env: { TOKEN: token } });
  const text = JSON.stringify({ mcpServers: { "a b": entry("one11111"), "a-b": entry("two22222"), b: entry("own") } });
  const found = await findCandidates(finder, values, text);
  expect(found).toMatchObject({
    value: {
      candidates: [
        { secrets: ["A_B_TOKEN", "A_B_API_KEY"] },
        { secrets: ["A_B_TOKEN_2", "A_B_API_KEY_2"], launch: { command: ["x", "--api-key", "${A_B_API_KEY_2}"] } },
        { secrets: ["B_TOKEN_2", "B_API_KEY"] },
      ],
    },
  });
  await addServers(file, values, finder, text, ["a-b"]);
  expect(JSON.parse(readFileSync(file.path, "utf8")).mcpServers).toEqual({
    "a-b": { command: "x", args: ["--api-key", "${A_B_API_KEY_2}"], env: { TOKEN: "${A_B_TOKEN_2}" } },
  });
  expect(secrets.names().toSorted()).toEqual(["A_B_API_KEY_2", "A_B_TOKEN_2", "B_TOKEN"]);
});
