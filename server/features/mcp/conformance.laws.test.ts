/**
 * The client scenarios of the official conformance suite, done by the whole feature: the suite starts a server, and a session
 * of the product adds it, signs in where it must, and calls its tools.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { pendingApprovals } from "@/lib/view/view";
import type { McpToolView } from "@/lib/tools/mcp";
import { eventually } from "@/lib/testing/test-waits";
import { callAnswer, testCommandId, textAnswer, testTab } from "@/server/session/testing/test-harness";
import { provideNode, testedMajor } from "../../../scripts/base/node-versions.mjs";
import { makeMcpRig, questionsOf, succeed } from "./test-feature";
import { fixtures } from "./test-mcp";

const suite = dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json"));
/** The suite does not run on Node 20. */
const node = await provideNode(testedMajor);

/**
 * The scenarios that concern a client with a user. Not among them: those of clients without one (credentials, cross-app
 * access), and `auth/basic-cimd`, which wants the client's metadata at a public address of its own.
 */
const scenarios = [
  "initialize",
  "tools_call",
  "elicitation-sep1034-client-defaults",
  "sse-retry",
  "request-metadata",
  "auth/metadata-default",
  "auth/metadata-var1",
  "auth/metadata-var2",
  "auth/metadata-var3",
  "auth/scope-from-www-authenticate",
  "auth/scope-from-scopes-supported",
  "auth/scope-omitted-when-undefined",
  "auth/scope-step-up",
  "auth/scope-retry-limit",
  "auth/token-endpoint-auth-basic",
  "auth/token-endpoint-auth-post",
  "auth/token-endpoint-auth-none",
  "auth/pre-registration",
  "auth/2025-03-26-oauth-metadata-backcompat",
  "auth/2025-03-26-oauth-endpoint-fallback",
  "auth/resource-mismatch",
  "auth/offline-access-scope",
  "auth/offline-access-not-supported",
  "auth/authorization-server-migration",
  "auth/iss-supported",
  "auth/iss-not-advertised",
  "auth/iss-supported-missing",
  "auth/iss-wrong-issuer",
  "auth/iss-unexpected",
  "auth/iss-normalized",
  "auth/metadata-issuer-mismatch",
  "sep-2322-client-request-state",
  "http-standard-headers",
  "http-custom-headers",
  "http-invalid-tool-headers",
  "json-schema-ref-no-deref",
  "json-schema-2020-12-preservation",
] as const;

interface ConformanceCheck {
  readonly id: string;
  readonly status: string;
}

/** Checks that a busy machine fails. `reconnect-delay.test.ts` has the delay. */
const timedChecks: readonly string[] = ["client-sse-retry-timing"];

/** Returns the input that the model gives to a tool; `json_schema_echo` takes the schema of the other one. */
function inputOf(tool: McpToolView, tools: readonly McpToolView[]): Json {
  if (tool.ownName === "add_numbers") return { a: 2, b: 3 };
  if (tool.ownName === "valid_tool") return { region: "eu" };
  const [other] = tools.filter(({ ownName }) => ownName !== tool.ownName);
  return tool.ownName === "json_schema_echo" ? { schema: other?.definition.parameters ?? {} } : {};
}

interface ScenarioContext {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Json }[];
}

/** Starts a scenario. `client` resolves with its address; ending the socket ends the client. */
async function startScenario(name: string) {
  if (!("path" in node)) throw new Error(node.missing);
  const relay = createServer();
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const address = relay.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const output = mkdtempSync(join(tmpdir(), "gopi-conformance-"));
  const command = `${node.path} ${join(fixtures, "conformance-relay.mjs")} ${port}`;
  const words = ["client", "--command", command, "--scenario", name, "--output-dir", output, "--timeout", "120000"];
  const child = spawn(node.path, [join(suite, "dist/index.js"), ...words], { stdio: "ignore" });
  onTestFinished(() => {
    child.kill("SIGKILL");
    relay.close();
    rmSync(output, { recursive: true });
  });
  const [socket]: Socket[] = await once(relay, "connection");
  if (socket === undefined) throw new Error("no client");
  const [line]: string[] = await once(createInterface({ input: socket }), "line");
  const { url, context }: { url: string; context: ScenarioContext | null } = JSON.parse(line ?? "");
  return {
    url,
    context,
    /** Resolves with the checks that failed, or were passed with a warning. */
    async end(): Promise<readonly ConformanceCheck[]> {
      socket.end();
      await once(child, "close");
      const file = readdirSync(output, { encoding: "utf8", recursive: true }).find((path) =>
        path.endsWith("checks.json"),
      );
      const checks: readonly ConformanceCheck[] = JSON.parse(readFileSync(join(output, file ?? ""), "utf8"));
      return checks.filter((check) => /^(FAILURE|WARNING)$/.test(check.status) && !timedChecks.includes(check.id));
    },
  };
}

type Rig = Awaited<ReturnType<typeof makeMcpRig>>;
type Scenario = Awaited<ReturnType<typeof startScenario>>;

/** Performs the user's steps: adds the server, signs in if asked, approves it, and lets the model call each tool. */
async function useServer(rig: Rig, { url, context }: Pick<Scenario, "url" | "context">): Promise<void> {
  const { commands, projectId, only } = rig;
  const { client_id: clientId, client_secret: clientSecret } = context ?? {};
  const oauth = clientId === undefined ? {} : { oauth: { clientId, ...(clientSecret && { clientSecret }) } };
  const text = JSON.stringify({ mcpServers: { "My Server": { url, ...oauth } } });
  succeed(await commands["mcp.add"]({ projectId, text, names: ["My Server"] }));
  await approve(rig);
  for (let times = 0; times < 2 && (await only()).signIn === "signed_out"; times += 1) {
    if (!(await signIn(rig))) return;
    await approve(rig);
  }
  const { tools } = await only();
  const calls = context?.toolCalls ?? tools.map((tool) => ({ name: tool.ownName, arguments: inputOf(tool, tools) }));
  for (const { name, arguments: input } of calls) {
    const tool = tools.find(({ ownName }) => ownName === name);
    if (tool === undefined) continue;
    await callTool(rig, tool.name, input);
    if (/signed_out|scope_missing/.test((await only()).signIn ?? "") && (await signIn(rig)))
      await callTool(rig, tool.name, input);
  }
}

/** Resolves when the server was tried. */
async function approve({ commands, projectId, only }: Rig): Promise<void> {
  succeed(await commands["mcp.approve"]({ projectId, server: "my_server", launch: (await only()).launchHash }));
  await eventually(async () => {
    const { status, error } = await only();
    expect(status === "idle" || error !== undefined).toBe(true);
  });
}

/** Does what the browser does; returns whether it ended well. */
async function signIn({ commands, projectId, only }: Rig): Promise<boolean> {
  const launch = (await only()).launchHash;
  const begun = await commands["mcp.sign_in"]({ projectId, server: "my_server", launch });
  if (!begun.ok) return false;
  const { headers } = await fetch(begun.value.address, { redirect: "manual" });
  const finished = await commands["mcp.finish_sign_in"]({ address: headers.get("location") ?? "" });
  return finished.ok && finished.value.error === undefined;
}

/** Has the model call a tool, allows its card, and answers a question of the server with what it proposes. */
async function callTool(rig: Rig, tool: string, input: Json): Promise<void> {
  const { harness, session, commands } = rig;
  harness.script(callAnswer(["toolbox", { tool, input }]), textAnswer("Done."));
  const sent = session.send("go", "prompt", testCommandId());
  if (!sent.ok) throw new Error(JSON.stringify(sent.error));
  let isDone = false;
  const done = sent.value.done.then(() => (isDone = true));
  await eventually(async () => {
    for (const { approval } of pendingApprovals(session.view))
      session.answer(approval.approvalId, { option: "once" }, testTab);
    for (const { id, asks } of await questionsOf(rig)) {
      const fields = asks.kind === "form" ? asks.fields : [];
      const content = Object.fromEntries(
        fields.flatMap(({ name, initial }) => (initial === null ? [] : [[name, initial]])),
      );
      await commands["mcp.answer"]({ question: id, action: "accept", content });
    }
    expect(isDone).toBe(true);
  });
  await done;
}

test.skipIf(!("path" in node)).each(scenarios)("%s", async (name) => {
  const scenario = await startScenario(name);
  const rig = await makeMcpRig();
  await useServer(rig, scenario);
  // The suite waits for the end of its connections.
  succeed(await rig.commands["mcp.stop"]({ projectId: rig.projectId, server: "my_server" }));
  expect(await scenario.end()).toEqual([]);
});
