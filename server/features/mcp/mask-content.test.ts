/** A server that says its secret in everything: nothing of it reaches the page or the model. */
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ElicitationRequest } from "./elicitation";
import { maskStart, makeServerMask } from "./mask-content";
import { connectForTest, fixtures, never, nodeServer } from "./test-mcp";
import { answerTo, httpServer, legacyAnswer, sendMessage, serveHttp, textResult } from "./transport/test-http-server";

const secret = 'tok_9f8e7d"6c5b4a';
const ignore = (): void => {};

test("a secret of a server is masked in all that it says", async () => {
  const questions: ElicitationRequest[] = [];
  const server = nodeServer(join(fixtures, "indiscreet-server.mjs"));
  const connection = await connectForTest(
    { ...server, variables: { API_TOKEN: secret } },
    {
      elicit(request) {
        questions.push(request);
        return Promise.resolve({ action: "decline" });
      },
    },
  );
  const call = (name: string) => connection.callTool(name, {}, ignore, never);
  const answers = {
    instructions: connection.instructions,
    tools: await connection.listTools(never),
    text: await call("text"),
    structured: await call("structured"),
    parts: await call("parts"),
    failed: await call("failed"),
    address: await call("address"),
    question: await call("question"),
    questions,
    prompts: await connection.listPrompts(never),
    prompt: await connection.getPrompt("ask", {}, never),
    resources: await connection.listResources(never),
    resource: await connection.readResource("x://a", never),
  };
  for (const [where, answer] of Object.entries(answers)) {
    const text = JSON.stringify(answer);
    expect([where, text.includes("9f8e7d"), text.includes("6c5b4a")]).toEqual([where, false, false]);
    expect([where, where === "question" || text.includes("•••")]).toEqual([where, true]);
  }
  expect(answers.text).toMatchObject({ ok: true, value: { content: [{ text: "say •••, •••" }] } });
  expect(answers.structured).toMatchObject({ value: { content: [{ text: '{"environment":{"API_TOKEN":"•••"}}' }] } });
  expect(answers.question).toMatchObject({ value: { content: [{ text: "decline" }] } });
  const described = expect.objectContaining({ name: "text", description: "Uses •••." });
  expect(answers.tools).toMatchObject({ value: { entries: expect.arrayContaining([described]) } });
});

test("so is a key in the headers of a server at an address, and a token that it has now", async () => {
  const { origin } = await serveHttp((request, response) => {
    const answer = legacyAnswer(request, textResult(JSON.stringify(request.headers)));
    return sendMessage(response, answer ?? answerTo(request, null));
  });
  let token = "first-token-0123456789";
  const connection = await connectForTest(
    httpServer(`${origin}/mcp`, {
      headers: { "X-Api-Key": "key-0123456789" },
      authorization: {
        token: () => Promise.resolve(token),
        renew: () => Promise.resolve(null),
        secrets: () => [token],
      },
    }),
  );
  const call = async () => JSON.stringify(await connection.callTool("echo", {}, ignore, never));
  expect(await call()).toMatch(/x-api-key\\*":\\*"•••/);
  token = "second-token-987654321";
  const second = await call();
  expect(second).toMatch(/authorization\\*":\\*"Bearer •••/);
  expect(second).not.toContain("second");
});

test("a value that is too short for a secret, or only looks like one, is not masked in results", () => {
  const mask = makeServerMask(["shorter", "long-enough"]);
  const text = "shorter long-enough ghp_0123456789abcdefghij0123456789abcdef";
  expect(maskStart(text, mask, 200)).toBe("shorter ••• ghp_0123456789abcdefghij0123456789abcdef");
});
