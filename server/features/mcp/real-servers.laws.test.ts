/** The servers that users have, from npm. Their lists depend on what a client can do: tests name tools, never counts. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { killProcess } from "@/lib/testing/test-process";
import type { McpConnection } from "./connection";
import type { ElicitationAnswer, ElicitationRequest } from "./elicitation";
import { connectForTest, makeTestClock, never, npmServer, playwrightServer } from "./test-mcp";
import { serveHttp } from "./transport/test-http-server";

/** Null = this machine has none. */
const browser =
  process.env.CHROMIUM_PATH ?? ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path)) ?? null;
const ignore = (): void => {};
const thought = { thought: "first", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };

async function namesOf(connection: McpConnection): Promise<readonly string[]> {
  const list = await connection.listTools(never);
  return list.ok ? list.value.entries.map(({ name }) => name) : [];
}

async function textOf(connection: McpConnection, name: string, input: Parameters<McpConnection["callTool"]>[1]) {
  const result = await connection.callTool(name, input, ignore, never);
  if (!result.ok) return JSON.stringify(result.error);
  return result.value.content.map((one) => (one.type === "text" ? one.text : one.type)).join("\n");
}

function makeProject(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gopi-mcp-project-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs", "a.md"), "text of the file");
  return folder;
}

test("filesystem takes its allowed folders from the roots, which are the project", async () => {
  const project = makeProject();
  const connection = await connectForTest({ ...npmServer("filesystem"), folder: project, project });
  expect(await namesOf(connection)).toContain("read_text_file");
  await expect.poll(() => textOf(connection, "list_allowed_directories", {})).toContain(project);
  expect(await textOf(connection, "read_text_file", { path: join(project, "docs", "a.md") })).toBe("text of the file");
  const outside = await connection.callTool("read_text_file", { path: "/etc/passwd" }, ignore, never);
  expect(outside).toMatchObject({ ok: true, value: { isError: true } });
});

test("memory and sequential-thinking list and answer", async () => {
  const project = makeProject();
  const variables = { MEMORY_FILE_PATH: join(project, "memory.json") };
  const memory = await connectForTest({ ...npmServer("memory"), variables });
  const entity = { name: "Ada", entityType: "person", observations: ["writes programs"] };
  await textOf(memory, "create_entities", { entities: [entity] });
  expect(await textOf(memory, "search_nodes", { query: "Ada" })).toContain("writes programs");
  const thinking = await connectForTest(npmServer("sequential-thinking"));
  expect(await textOf(thinking, "sequentialthinking", thought)).toContain("thoughtNumber");
});

test("everything lists, answers, sends images, reports progress", async () => {
  const connection = await connectForTest(npmServer("everything"));
  const names = await namesOf(connection);
  for (const name of ["echo", "get-sum", "get-tiny-image"]) expect(names).toContain(name);
  expect(await textOf(connection, "echo", { message: "hello" })).toContain("hello");
  const image = await connection.callTool("get-tiny-image", {}, ignore, never);
  const found = image.ok ? image.value.content.find(({ type }) => type === "image") : undefined;
  expect(found).toMatchObject({ mime: "image/png" });
  const steps: number[] = [];
  const input = { duration: 0.2, steps: 2 };
  const long = connection.callTool(
    "trigger-long-running-operation",
    input,
    ({ progress }) => void steps.push(progress),
    never,
  );
  expect((await long).ok).toBe(true);
  expect(steps).toContain(1);
  expect(connection.offersResources && connection.offersPrompts).toBe(true);
  const resources = await connection.listResources(never);
  const [first] = resources.ok ? resources.value.entries : [];
  const read = await connection.readResource(first?.uri ?? "", never);
  expect(read.ok && read.value[0]).toMatchObject({ type: "resource", uri: first?.uri });
  const prompts = await connection.listPrompts(never);
  expect(prompts.ok && prompts.value.entries.map(({ name }) => name)).toContain("simple-prompt");
  const prompt = await connection.getPrompt("simple-prompt", {}, never);
  expect(prompt.ok && prompt.value[0]).toMatchObject({ type: "text" });
});

test("everything is stopped in the middle of a call", async () => {
  const connection = await connectForTest(npmServer("everything"));
  const stop = new AbortController();
  const input = { duration: 600, steps: 6_000 };
  const call = connection.callTool("trigger-long-running-operation", input, () => stop.abort(), stop.signal);
  expect(await call).toMatchObject({ error: { code: "aborted" } });
  expect(await textOf(connection, "echo", { message: "still there" })).toContain("still there");
});

test.each<readonly [string, ElicitationAnswer, string]>([
  ["accepted", { action: "accept", content: { name: "Ada" } }, "Ada"],
  ["declined", { action: "decline" }, "declin"],
  ["cancelled", { action: "cancel" }, "cancel"],
])("a question of everything is %s", async (_name, answer, expected) => {
  const requests: ElicitationRequest[] = [];
  const elicit = (request: ElicitationRequest): Promise<ElicitationAnswer> => {
    requests.push(request);
    return Promise.resolve(answer);
  };
  const connection = await connectForTest(npmServer("everything"), { elicit });
  expect(await textOf(connection, "trigger-elicitation-request", {})).toContain(expected);
  expect(requests).toMatchObject([{ mode: "form", schema: { type: "object" } }]);
});

test("while the user is asked a call has no time limit; without an answer in ten minutes it is cancelled", async () => {
  const clock = makeTestClock();
  let isAsked = false;
  const elicit = (): Promise<ElicitationAnswer> => {
    isAsked = true;
    return new Promise(() => {});
  };
  const connection = await connectForTest(npmServer("everything"), { elicit, clock });
  const call = textOf(connection, "trigger-elicitation-request", {});
  await expect.poll(() => isAsked).toBe(true);
  clock.advance(599_999);
  clock.advance(1);
  expect(await call).toContain("cancel");
});

test.each([
  ["everything", npmServer("everything"), "echo", { message: "hello" }, "hello"],
  ["filesystem", npmServer("filesystem", tmpdir()), "list_allowed_directories", {}, realpathSync(tmpdir())],
  ["memory", npmServer("memory"), "search_nodes", { query: "nobody" }, "entities"],
  ["sequential-thinking", npmServer("sequential-thinking"), "sequentialthinking", thought, "thoughtNumber"],
  // It lists its tools without a browser, and its calls say that there is none.
  ["playwright", playwrightServer("/no/browser", tmpdir()), "browser_snapshot", {}, "/no/browser"],
] as const)("%s lists and answers, is killed, and does so again", async (_name, server, tool, input, expected) => {
  const first = await connectForTest(server);
  expect(await namesOf(first)).toContain(tool);
  expect(await textOf(first, tool, input)).toContain(expected);
  killProcess(first.pid);
  expect(await first.closed).toMatchObject({ facts: { reason: "exited", signal: "SIGKILL" } });
  const second = await connectForTest(server);
  expect(await namesOf(second)).toContain(tool);
  expect(await textOf(second, tool, input)).toContain(expected);
});

test.skipIf(browser === null)("playwright opens a page, sends its image, and is killed in a call", async () => {
  let opened = (): void => {};
  const isOpened = new Promise<void>((resolve) => (opened = resolve));
  const { origin } = await serveHttp((request, response) => {
    if (request.url === "/slow") return opened();
    response.writeHead(200, { "Content-Type": "text/html" }).end("<title>Shop</title><h1>Tea and cake</h1>");
  });
  const output = mkdtempSync(join(tmpdir(), "gopi-playwright-"));
  onTestFinished(() => rmSync(output, { recursive: true }));
  const connection = await connectForTest(playwrightServer(browser ?? "", output));
  expect(await textOf(connection, "browser_navigate", { url: `${origin}/` })).toContain("Shop");
  expect(await textOf(connection, "browser_snapshot", {})).toContain("Tea and cake");
  const image = await connection.callTool("browser_take_screenshot", {}, ignore, never);
  expect(image.ok && image.value.content.find(({ type }) => type === "image")).toMatchObject({ mime: "image/png" });
  const call = connection.callTool("browser_navigate", { url: `${origin}/slow` }, ignore, never);
  await isOpened;
  killProcess(connection.pid);
  expect(await call).toMatchObject({ error: { facts: { reason: "exited", signal: "SIGKILL" } } });
});

test("a server that is killed in a call fails the call with its signal", async () => {
  const connection = await connectForTest(npmServer("everything"));
  const input = { duration: 600, steps: 6_000 };
  const kill = (): void => void killProcess(connection.pid);
  expect(await connection.callTool("trigger-long-running-operation", input, kill, never)).toMatchObject({
    error: { facts: { reason: "exited", signal: "SIGKILL" } },
  });
});
