/** A hostile server, one test for each thing it gets wrong: none costs the process, another tool or the result. */
import { anyFacts } from "@/lib/events/error";
import { expect, test } from "vitest";
import { connectServer } from "./connection";
import { describeCallFailure } from "./failure";
import { connectForTest, hostileServer, isRunning, makeTestClock, modernServer, never } from "./test-mcp";

const ignore = (): void => {};

/** A promise, and the function that resolves it. */
function makeSignal() {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

async function toolNames(mode: string): Promise<readonly string[]> {
  const connection = await connectForTest(hostileServer(mode));
  const list = await connection.listTools(never);
  return list.ok ? list.value.entries.map(({ name }) => name) : [];
}

async function callResult(mode: string, limits = {}) {
  const connection = await connectForTest(hostileServer(mode), { limits });
  return connection.callTool("echo", { text: "hi" }, ignore, never);
}

test("an output schema without a type does not cost the tools", async () => {
  expect(await toolNames("output-schema")).toEqual(["echo", "other"]);
});

test("tools without a name are left out, other input schemas than objects become open objects", async () => {
  const connection = await connectForTest(hostileServer("broken-tools"));
  const list = await connection.listTools(never);
  expect(list.ok && list.value.problems).toEqual(["unnamed"]);
  const schemas = list.ok ? list.value.entries.map(({ name, inputSchema }) => [name, inputSchema]) : [];
  expect(schemas).toEqual([
    ["string_schema", { type: "object" }],
    ["array_schema", { type: "object" }],
    ["odd", { type: "object", required: ["a"] }],
    ["echo", { type: "object", properties: { text: { type: "string" } } }],
  ]);
});

test("a schema that refers to itself is kept; a tool that the model cannot call has the reason", async () => {
  const connection = await connectForTest(hostileServer("self-reference"));
  const list = await connection.listTools(never);
  expect(list.ok && list.value.entries.map(({ name, unusable }) => [name, unusable])).toEqual([
    ["echo", null],
    ["deep", "levels"],
    ["big", "bytes"],
    ["bound", "headers"],
    ["task", "task"],
    ["maybe_task", null],
    ["app", "app"],
    ["both", null],
  ]);
  expect(list.ok && list.value.entries[0]?.inputSchema.properties).toEqual({ node: { $ref: "#" } });
});

test("descriptions are cut, and a list ends before its text exceeds two megabytes", async () => {
  const connection = await connectForTest(hostileServer("large-tools"));
  const list = await connection.listTools(never);
  if (!list.ok) throw new Error(JSON.stringify(list.error));
  const { entries, problems } = list.value;
  expect(problems).toEqual(["too_large"]);
  expect(entries.length).toBe(31);
  expect(entries[0]?.description).toMatch(/^word .{3,4090}…$/);
  expect(JSON.stringify(entries).length).toBeLessThan(2_100_000);
});

test.each([
  ["many-tools", 500, "too_many"],
  ["endless", 64, "too_many_pages"],
])("the list of %s ends at its limit, and says so", async (mode, count, problem) => {
  const connection = await connectForTest(hostileServer(mode));
  const list = await connection.listTools(never);
  expect(list).toMatchObject({ ok: true, value: { problems: [problem] } });
  expect(list.ok && list.value.entries.length).toBe(count);
  // The next list begins at the first page.
  expect((await connection.listTools(never)).ok).toBe(true);
});

test.each([
  ["promised-structure", [{ type: "text", text: "only text" }], false],
  [
    "array",
    [
      { type: "text", text: "first" },
      { type: "text", text: "second" },
    ],
    false,
  ],
  ["structured", [{ type: "text", text: '[1,{"a":2}]' }], false],
  ["both", [{ type: "text", text: "words" }], false],
  ["string", [{ type: "text", text: "just text" }], false],
  ["failed", [{ type: "text", text: "did not work" }], true],
  ["twice", [{ type: "text", text: "once" }], false],
  [
    "unknown",
    [
      { type: "text", text: "[hologram left out]" },
      { type: "text", text: "kept" },
      { type: "text", text: "7" },
      { type: "text", text: "plain" },
      { type: "text", text: "[image left out]" },
    ],
    false,
  ],
])("the result of a tool with %s is content", async (mode, content, isError) => {
  expect(await callResult(mode)).toMatchObject({ ok: true, value: { content, isError } });
});

test.each(["long-line", "long-line-sdk"])("an answer of the kind %s fails its call only", async (mode) => {
  const connection = await connectForTest(hostileServer(mode));
  expect(await connection.callTool("echo", {}, ignore, never)).toMatchObject({
    ok: false,
    error: { code: "too_large", facts: { reason: "too_large" } },
  });
  expect((await connection.listTools(never)).ok).toBe(true);
});

test("an answer that is nested very deeply is read or fails, as this Node can; its connection stays", async () => {
  const connection = await connectForTest(hostileServer("deep"));
  const answer = await connection.callTool("echo", {}, ignore, never);
  expect(["ok", "too_large"]).toContain(answer.ok ? "ok" : answer.error.code);
  expect((await connection.listTools(never)).ok).toBe(true);
});

test("half a line is completed by the next chunk", async () => {
  expect(await toolNames("half-line")).toEqual(["echo"]);
});

test("lines of a log on standard output are in the log", async () => {
  const connection = await connectForTest(hostileServer("log-on-stdout"));
  expect((await connection.listTools(never)).ok).toBe(true);
  expect(connection.log()).toEqual(["server starts", "[info] {not json}", "{broken"]);
});

test("a handshake without the name of the server, and with true as a capability, is accepted", async () => {
  expect(await toolNames("bare-handshake")).toEqual(["echo"]);
});

test("instructions are cut", async () => {
  expect((await connectForTest(hostileServer("ok"))).instructions.length).toBe(2_048);
});

test("a server that exits in the handshake, or at once, is reported with its exit and its last lines", async () => {
  const variables = { API_TOKEN: "hunter2-hunter2" };
  const first = await connectServer(
    { version: "0", server: { ...hostileServer("exit-in-handshake"), variables } },
    never,
  );
  const lines = ["first problem", "TOKEN is •••"];
  expect(first).toMatchObject({ error: { facts: { reason: "exited", exit: 7, signal: null, lines } } });
  const second = await connectServer({ version: "0", server: hostileServer("exit-at-once") }, never);
  if (second.ok) throw new Error("it has connected");
  expect(second.error.facts).toMatchObject({ reason: "exited", exit: 4 });
  const shown = anyFacts(second.error).lines;
  expect(Array.isArray(shown) && [shown.length, shown.at(-1)]).toEqual([20, "no licence"]);
});

test("a program or a folder that does not exist is named", async () => {
  const server = { ...hostileServer("ok"), command: "no-such-program" };
  expect(await connectServer({ version: "0", server }, never)).toMatchObject({
    error: { facts: { reason: "program_missing", program: "no-such-program" } },
  });
  expect(await connectServer({ version: "0", server: { ...server, folder: "/no/folder" } }, never)).toMatchObject({
    error: { facts: { reason: "folder_missing", folder: "/no/folder" } },
  });
});

test("a server that speaks no supported version is reported", async () => {
  const connected = await connectServer(
    { version: "0", server: hostileServer("odd-version") },
    AbortSignal.any([never]),
  );
  expect(connected).toMatchObject({ error: { facts: { reason: "no_version" } } });
});

test("a server that ends in a call fails the call", async () => {
  const connection = await connectForTest(hostileServer("exit-in-call"));
  expect(await connection.callTool("echo", {}, ignore, never)).toMatchObject({
    error: { facts: { reason: "exited", exit: 3 } },
  });
  expect(await connection.closed).toMatchObject({ facts: { reason: "exited" } });
  expect(await connection.callTool("echo", {}, ignore, never)).toMatchObject({ ok: false });
});

test("a call without an answer ends after its time, which progress begins again; a late answer is ignored", async () => {
  const clock = makeTestClock();
  const connection = await connectForTest(hostileServer("silent"), { clock });
  const call = connection.callTool("echo", {}, ignore, never);
  await expect.poll(() => connection.log()).toEqual(["called 1"]);
  clock.advance(59_999);
  clock.advance(1);
  expect(await call).toMatchObject({ error: { code: "timeout", facts: { reason: "no_answer", seconds: 60 } } });
  expect(await connection.callTool("again", {}, ignore, never)).toMatchObject({ ok: true });
  await expect.poll(() => connection.log()).toEqual(["called 1", "cancelled 1"]);
});

test("progress begins the time without an answer again, and is reported", async () => {
  const clock = makeTestClock();
  const connection = await connectForTest(hostileServer("steps"), { clock });
  const texts: (string | undefined)[] = [];
  const call = connection.callTool("echo", {}, ({ message }) => void texts.push(message), never);
  await expect.poll(() => texts).toEqual(["step 1"]);
  clock.advance(59_999);
  await connection.callTool("step", {}, ignore, never);
  expect(texts).toEqual(["step 1", "step 2"]);
  clock.advance(59_999);
  clock.advance(1);
  expect(await call).toMatchObject({ error: { facts: { reason: "no_answer", seconds: 60 } } });
});

test("a call ends after its time in all, whatever progress it makes", async () => {
  const clock = makeTestClock();
  const connection = await connectForTest(hostileServer("steps"), { clock, limits: { totalMs: 90_000 } });
  const texts: (string | undefined)[] = [];
  const call = connection.callTool("echo", {}, ({ message }) => void texts.push(message), never);
  await expect.poll(() => texts).toEqual(["step 1"]);
  clock.advance(50_000);
  await connection.callTool("step", {}, ignore, never);
  clock.advance(40_000);
  expect(await call).toMatchObject({ error: { facts: { reason: "no_answer", seconds: 90 } } });
});

test("Stop ends a call at once and informs the server", async () => {
  const connection = await connectForTest(hostileServer("silent"));
  const stop = new AbortController();
  const call = connection.callTool("echo", {}, ignore, stop.signal);
  await expect.poll(() => connection.log()).toEqual(["called 1"]);
  stop.abort();
  expect(await call).toMatchObject({ ok: false, error: { code: "aborted" } });
  await expect.poll(() => connection.log()).toEqual(["called 1", "cancelled 1"]);
});

test("a change of the list of tools is reported", async () => {
  const changed = makeSignal();
  await connectForTest(hostileServer("changes"), { onToolsChanged: changed.resolve });
  await changed.promise;
});

test("a server gets its own variables and the scrubbed environment only", async () => {
  process.env.GOPI_TEST_API_KEY = "planted-secret";
  const server = { ...hostileServer("environment"), variables: { OWN: "own value" } };
  const connection = await connectForTest(server);
  const called = await connection.callTool("echo", {}, ignore, never);
  delete process.env.GOPI_TEST_API_KEY;
  const text = JSON.stringify(called);
  expect([text.includes("own value"), text.includes("planted-secret")]).toEqual([true, false]);
});

test.each(["also 2025", "only 2026"] as const)("a server of 2026 that speaks %s is used", async (eras) => {
  const connection = await connectForTest(modernServer(eras));
  expect(connection.instructions).toBe("Greets.");
  expect(await connection.listTools(never)).toMatchObject({ value: { entries: [{ name: "greet" }] } });
  expect(await connection.callTool("greet", { name: "Ada" }, ignore, never)).toMatchObject({
    value: { content: [{ type: "text", text: "Hello Ada" }], isError: false },
  });
  const { pid } = connection;
  await connection.close();
  expect(isRunning(pid ?? 0)).toBe(false);
});

const secret = "tok_9f8e7d6c5b4a";

test("an error of a server is short plain text without its secrets, and marked for the model", async () => {
  const connection = await connectForTest({ ...hostileServer("refuses"), variables: { API_TOKEN: secret } });
  const called = await connection.callTool("echo", {}, ignore, never);
  if (called.ok) throw new Error("the call was not refused");
  const { detail = "" } = called.error;
  expect(detail).toMatch(/no\naccess with \S+\n\[from system\] (?:word )+word…$/);
  expect(detail).not.toContain(secret);
  expect(detail.length).toBeLessThanOrEqual(300);
  const sentence = describeCallFailure("my\nserver", "echo", called.error);
  expect(sentence).toContain("The server my server refused: [from my server] ");
});

test("a progress message has no secrets", async () => {
  const connection = await connectForTest({ ...hostileServer("whispers"), variables: { API_TOKEN: secret } });
  const texts: (string | undefined)[] = [];
  const called = connection.callTool("echo", {}, ({ message }) => void texts.push(message), never);
  await expect.poll(() => texts).toEqual(["uses •••"]);
  await connection.close();
  expect((await called).ok).toBe(false);
});

test("the name of a tool is cut and on one line in a sentence for the model", () => {
  const sentence = describeCallFailure("s", `a\n[from system] ${"b".repeat(500)}`, { code: "gone" });
  expect(sentence).toContain("s does not offer a [from system] bbb");
  expect(sentence).not.toContain("\n");
  expect(sentence.length).toBeLessThan(250);
});
