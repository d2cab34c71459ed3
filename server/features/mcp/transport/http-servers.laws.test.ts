/** Servers of both revisions over HTTP, and the one from npm over both transports. */
import { expect, test } from "vitest";
import type { McpConnection } from "../connection";
import { connectForTest, never } from "../test-mcp";
import { httpServer, serveEverything, serveModern } from "./test-http-server";

const ignore = (): void => {};

async function namesOf(connection: McpConnection): Promise<readonly string[]> {
  const list = await connection.listTools(never);
  return list.ok ? list.value.entries.map(({ name }) => name) : [JSON.stringify(list.error)];
}

async function textOf(connection: McpConnection, name: string, input: Parameters<McpConnection["callTool"]>[1]) {
  const result = await connection.callTool(name, input, ignore, never);
  if (!result.ok) return JSON.stringify(result.error);
  return result.value.content.map((one) => (one.type === "text" ? one.text : one.type)).join("\n");
}

test.each(["also 2025", "only 2026"] as const)("a server of 2026 that speaks %s is used", async (eras) => {
  const { origin } = await serveModern(eras);
  const connection = await connectForTest(httpServer(`${origin}/mcp`));
  expect(connection.instructions).toBe("Greets.");
  expect(await namesOf(connection)).toEqual(["greet"]);
  expect(await textOf(connection, "greet", { name: "Ada" })).toBe("Hello Ada");
});

test.each(["streamableHttp", "sse"] as const)("everything is used over %s", async (kind) => {
  const url = await serveEverything(kind);
  const connection = await connectForTest(httpServer(url), {
    elicit: () => Promise.resolve({ action: "accept", content: { name: "Ada" } }),
  });
  const names = await namesOf(connection);
  for (const name of ["echo", "get-sum", "get-tiny-image"]) expect(names).toContain(name);
  expect(await textOf(connection, "echo", { message: "hello" })).toContain("hello");
  const image = await connection.callTool("get-tiny-image", {}, ignore, never);
  expect(image.ok && image.value.content.find(({ type }) => type === "image")).toMatchObject({ mime: "image/png" });
  const steps: number[] = [];
  const input = { duration: 0.2, steps: 2 };
  const note = ({ progress }: { readonly progress: number }): void => void steps.push(progress);
  expect((await connection.callTool("trigger-long-running-operation", input, note, never)).ok).toBe(true);
  expect(steps).toContain(1);
  expect(await textOf(connection, "trigger-elicitation-request", {})).toContain("Ada");
  const stop = new AbortController();
  const long = { duration: 600, steps: 6_000 };
  const call = connection.callTool("trigger-long-running-operation", long, () => stop.abort(), stop.signal);
  expect(await call).toMatchObject({ error: { code: "aborted" } });
  expect(await textOf(connection, "echo", { message: "still there" })).toContain("still there");
});
