/** A server that says its secret in everything: nothing of it reaches the page or the model. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { runSteps } from "@/lib/async/steps";
import { type ElicitationRequest, readElicitation } from "./elicitation";
import { maskPieceChars } from "@/server/security/redaction/mask-secrets";
import { maskDefinition, maskStart, makeServerMask } from "./mask-content";
import { connectForTest, fixtures, never, nodeServer } from "./test-mcp";
import { makeStdioTransport } from "./transport/stdio-transport";
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
        require: ignore,
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

test.each([
  ["postgres", false],
  ["Postgres", false],
  ["POSTGRES", false],
  ["12345678", false],
  ["hunter2hunter2", true],
  ["post-gres", true],
  ["PostGres", true],
  ["correcthorsebattery", true],
])("the secret %j is masked in results: %s", (secret, isMasked) => {
  expect(maskStart(`owner ${secret}; db x`, makeServerMask([secret]), 200)).toBe(
    `owner ${isMasked ? "•••" : secret}; db x`,
  );
});

test("white space around a usual word makes it no secret", () => {
  expect(maskStart("owner postgres", makeServerMask(["postgres\n", " postgres"]), 200)).toBe("owner postgres");
});

test("a variable with a usual word for a password masks it in the log alone", async () => {
  const server = {
    ...nodeServer(join(fixtures, "indiscreet-server.mjs")),
    variables: { API_TOKEN: "postgres", DB_TOKEN: "postgres://team_2026:team_2026@localhost/app" },
    logSecrets: ["in-a-file"],
  };
  const text = "postgres team_2026 in-a-file";
  const transport = makeStdioTransport(server);
  expect(transport.redactor().text("postgres in-a-file postgres://team_2026:team_2026@localhost/app")).toBe(
    "••• ••• •••",
  );
  expect(maskStart(text, transport.mask(), 200)).toBe(text);
  const connection = await connectForTest(server);
  const called = await connection.callTool("failed", {}, ignore, never);
  expect(called).toMatchObject({ ok: true, value: { content: [{ text: "refused postgres" }] } });
});

const schema = {
  type: "object",
  required: ["pass-word-1"],
  description: "Uses pass-word-1.",
  properties: {
    "pass-word-1": { type: "string", title: "A pass-word-1", enum: ["pass-word-1", "app"], default: "pass-word-1" },
    default: { const: { title: "pass-word-1" }, pattern: "^pass-word-1$", description: "or pass-word-1" },
    choice: { oneOf: [{ const: "pass-word-1", title: "The pass-word-1" }], examples: [{ title: "pass-word-1" }] },
    old: { enum: ["pass-word-1"], enumNames: ["The pass-word-1"] },
  },
};
const maskedSchema = {
  type: "object",
  required: ["pass-word-1"],
  description: "Uses •••.",
  properties: {
    "pass-word-1": { type: "string", title: "A •••", enum: ["pass-word-1", "app"], default: "pass-word-1" },
    default: { const: { title: "pass-word-1" }, pattern: "^pass-word-1$", description: "or •••" },
    choice: { oneOf: [{ const: "pass-word-1", title: "The •••" }], examples: [{ title: "pass-word-1" }] },
    old: { enum: ["pass-word-1"], enumNames: ["The •••"] },
  },
};

test("of definitions and forms, titles, descriptions and labels are masked, never what is sent back", () => {
  const mask = makeServerMask(["pass-word-1"]);
  const tool = { name: "pass-word-1", description: "With pass-word-1", inputSchema: schema };
  expect(runSteps(maskDefinition(tool, mask))).toEqual({
    name: "pass-word-1",
    description: "With •••",
    inputSchema: maskedSchema,
  });
  const question = { message: "Is it pass-word-1?", requestedSchema: schema };
  expect(runSteps(readElicitation(question, mask))).toEqual({
    mode: "form",
    message: "Is it •••?",
    schema: maskedSchema,
  });
});

test("a definition without a secret keeps its control sequences", () => {
  const tool = { name: "a", description: "one\r\ntwo \u001b[1m" };
  expect(runSteps(maskDefinition(tool, makeServerMask(["pass-word-1"])))).toEqual(tool);
});

const account = {
  type: "service_account",
  project_id: "my-project-1",
  private_key_id: "0123456789abcdef0123456789abcdef01234567",
  private_key:
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n-----END PRIVATE KEY-----\n",
  client_email: "me@my-project-1.iam.gserviceaccount.com",
  clientSecret: "GOCSPX-a1b2c3",
  token_uri: "https://oauth2.googleapis.com/token",
};

test.each([
  ["of several lines", JSON.stringify(account, null, 2)],
  ["of one line", JSON.stringify(account)],
])("of a JSON file %s only the secrets in it are masked", (_, file) => {
  const mask = makeServerMask([file]);
  const other = JSON.stringify({ type: "service_account", project_id: "other", token_uri: account.token_uri }, null, 2);
  expect(maskStart(other, mask, 5_000)).toBe(other);
  const text = maskStart(file, mask, 5_000);
  expect(JSON.parse(text)).toEqual({
    ...account,
    private_key_id: "•••",
    private_key: "-----BEGIN PRIVATE KEY-----\n•••\n•••\n-----END PRIVATE KEY-----\n",
    clientSecret: "•••",
  });
});

test("of a value of several lines, long lines are masked where they are whole", () => {
  const mask = makeServerMask(['first\n0123456789abcdefghijklmnop\nshort-line-1\n{\n  "a member with a name": {\n']);
  const text = '0123456789abcdefghi 0123456789abcdefghijklmnop short-line-1 "a member with a name": {';
  expect(maskStart(text, mask, 500)).toBe('0123456789abcdefghi ••• short-line-1 "a member with a name": {');
});

test("control sequences of a long line are removed piece by piece, across their borders too", () => {
  const mask = makeServerMask(["pass-word-1"]);
  const steps = (text: string): number => [...mask(text)].length;
  const piece = "x".repeat(maskPieceChars);
  expect(steps(piece.repeat(40))).toBe(steps(piece) * 40);
  for (let shift = 0; shift < 20; shift += 1) {
    const before = "x".repeat(maskPieceChars - shift);
    expect(runSteps(mask(`${before}pass-\u001b[31mword-1`))).toBe(`${before}•••`);
  }
});

test("the texts of one definition are masked in many steps", () => {
  const mask = makeServerMask(["pass-word-1"]);
  const properties = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`p${index}`, { type: "string", description: "A text." }]),
  );
  const steps = [...maskDefinition({ name: "a", inputSchema: { type: "object", properties } }, mask)].length;
  expect(steps).toBeGreaterThan(500 * [...mask("A text.")].length);
  const form = { message: "", requestedSchema: { type: "object", properties } };
  expect([...readElicitation(form, mask)].length).toBeGreaterThan(500 * [...mask("A text.")].length);
});
