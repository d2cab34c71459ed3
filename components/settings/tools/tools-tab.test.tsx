// @vitest-environment happy-dom
import { act, screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { AgentError } from "@/lib/events/error";
import { settingsDefaults } from "@/lib/settings/settings";
import type { McpCandidate, McpServerView, McpState } from "@/lib/tools/mcp";
import { type ConnectedClient, connectClient, renderForUser } from "../../shell/frame/test-dom";
import { makeServer, makeTool, testProject } from "./test-server";
import { ToolsTab } from "./tools-tab";

const file = "/home/ada/.gopi-web/mcp.json";
const stateOf = (servers: readonly McpServerView[], problems: McpState["problems"] = []): McpState => ({
  file,
  servers,
  problems,
});
const candidate = (name: string, more: Partial<McpCandidate> = {}): McpCandidate => ({
  name,
  from: "text",
  launch: { command: ["npx", name], variables: [] },
  secrets: [],
  ...more,
});

const ownTools = [
  { name: "read", source: { kind: "built_in" }, description: "Reads a file.", tokens: 120 },
  { name: "web_fetch", source: { kind: "web" }, description: "Reads a page.", tokens: 90 },
  { name: "probe__look", source: { kind: "extension", name: "probe" }, description: "Looks.", tokens: 40 },
] as const;
const patchOf = (input: unknown): object =>
  typeof input === "object" && input !== null && "patch" in input && typeof input.patch === "object"
    ? (input.patch ?? {})
    : {};

interface Answers {
  readonly state: McpState;
  /** Servers of other programs on this machine. */
  readonly importable?: readonly McpCandidate[];
  readonly skipped?: McpState["problems"];
  readonly unread?: McpState["problems"];
  readonly pasted?: unknown;
  /** The state after a change, or why there is none; the same state if absent. */
  readonly change?: McpState | AgentError;
  readonly log?: string;
}

async function openTab(answers: Answers): Promise<{ readonly server: ConnectedClient; readonly user: UserEvent }> {
  const { importable = [], skipped, unread, pasted, change = answers.state, log = "" } = answers;
  let { state } = answers;
  const server = await connectClient((name, input) => {
    if (name === "openapi.state") return { ok: true, value: { apis: [], problems: [] } };
    if (name === "tools.own") return { ok: true, value: { tools: ownTools } };
    if (name === "settings.write") return { ok: true, value: { ...settingsDefaults, ...patchOf(input) } };
    if (!name.startsWith("mcp.")) return undefined;
    if (name === "mcp.state") return { ok: true, value: state };
    if (name === "mcp.log") return { ok: true, value: { text: log } };
    if (name !== "mcp.find") {
      if ("code" in change) return { ok: false, error: change };
      state = change;
      return { ok: true, value: state };
    }
    const isPasted = typeof input === "object" && input !== null && "text" in input;
    return isPasted ? pasted : { ok: true, value: { candidates: importable, skipped, unread } };
  });
  history.replaceState(null, "", "/settings/tools");
  const user = await renderForUser(server.client, <ToolsTab projects={[testProject]} />);
  return { server, user };
}

test("without a project it says what to do", async () => {
  const { client } = await connectClient(() => undefined);
  await renderForUser(client, <ToolsTab projects={[]} />);
  expect(screen.getByText("MCP servers run in the folder of a project. Open a folder first.")).toBeDefined();
});

test("without a server it explains what one is, and offers an import only of programs that have some", async () => {
  const { server } = await openTab({ state: stateOf([]) });
  expect(await screen.findByText("No servers yet")).toBeDefined();
  expect(screen.getByText(/^An MCP server is a program that offers tools/)).toBeDefined();
  await expect.poll(() => server.inputsOf("mcp.find")).toEqual([{}]);
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
    "Paste a configuration",
    "Add an API",
  ]);
});

test.each([
  [["Cursor"], "Import from Cursor"],
  [["Cursor", "VS Code"], "Import from Cursor and VS Code"],
  [["Cursor", "VS Code", "Gemini CLI"], "Import from other programs"],
])("servers of %j are offered as %s", async (programs, name) => {
  await openTab({ state: stateOf([]), importable: programs.map((from) => candidate(from, { from })) });
  expect(await screen.findByRole("button", { name })).toBeDefined();
});

test.each([
  [
    { code: "too_large", facts: { limit: 64_000_000 } },
    'This file is larger than 64 MB. Remove what isn\'t needed, or paste its "mcpServers" part.',
  ],
  [
    { code: "timeout", facts: { path: "/home/ada/.claude.json" } },
    'Reading this file takes too long. Paste its "mcpServers" part instead.',
  ],
] as const)("a file of another program that cannot be read is shown: %j", async (error, sentence) => {
  await openTab({ state: stateOf([]), unread: [{ file: "/home/ada/.claude.json", error }] });
  const problems = within(await screen.findByRole("region", { name: "Problems in the files" }));
  expect(problems.getByText("/home/ada/.claude.json")).toBeDefined();
  expect(problems.getByText(sentence)).toBeDefined();
});

test("the rows show state, tools and origin; a failure its sentence", async () => {
  await openTab({
    state: stateOf([
      makeServer({ id: "a", name: "a", status: "unapproved" }),
      makeServer({
        id: "b",
        name: "b",
        isOfProject: true,
        file: "/work/shop/.cursor/mcp.json",
        tools: [makeTool("read"), makeTool("spy", { status: "new" })],
      }),
      makeServer({
        id: "c",
        name: "c",
        status: "failed",
        error: { code: "tool_failed", facts: { reason: "program_missing", program: "npx" } },
      }),
    ]),
  });
  const rows = within(await screen.findByRole("list", { name: "Servers" })).getAllByRole("listitem");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "aNot approved · in all projects",
    "b1 to approveNot running, starts at its first call · 1 of 2 tools on · 100 tokens · from this project's .cursor/mcp.json",
    'cFailed · in all projectsThere is no program "npx" on this machine. It is part of Node.js: install that, then try again.',
  ]);
});

test("the own tools have their source and tokens, and are switched by their names for new sessions", async () => {
  const { server, user } = await openTab({ state: stateOf([]) });
  const list = within(await screen.findByRole("list", { name: "Built-in tools and extensions" }));
  expect(list.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "readbuilt in · 120 tokensReads a file.",
    "web_fetchweb · 90 tokensReads a page.",
    "probe__lookextension probe · 40 tokensLooks.",
  ]);
  const web = () => list.getByRole("switch", { name: "Offer web_fetch to the model" });
  expect(web().getAttribute("aria-checked")).toBe("true");
  await user.click(web());
  await expect.poll(() => web().getAttribute("aria-checked")).toBe("false");
  await user.click(list.getByRole("switch", { name: "Offer probe__look to the model" }));
  await user.click(web());
  await expect
    .poll(() => server.inputsOf("settings.write"))
    .toEqual([
      { patch: { disabledTools: ["web_fetch"] } },
      { patch: { disabledTools: ["web_fetch", "probe__look"] } },
      { patch: { disabledTools: ["probe__look"] } },
    ]);
});

test("of two servers with one name, the row has the id that its tools have", async () => {
  await openTab({
    state: stateOf([
      makeServer({ id: "mine", name: "mine" }),
      makeServer({ id: "mine2", name: "mine", isOfProject: true, file: "/work/shop/.mcp.json" }),
    ]),
  });
  const rows = within(await screen.findByRole("list", { name: "Servers" })).getAllByRole("listitem");
  expect(rows.map((row) => row.querySelector("code")?.textContent)).toEqual([undefined, "mine2"]);
});

test("a problem of a file is shown with its line", async () => {
  const error = { code: "bad_input", facts: { reason: "no_servers", line: 7 } } as const;
  await openTab({ state: stateOf([], [{ file, error }]) });
  const problems = within(await screen.findByRole("region", { name: "Problems in the files" }));
  expect(problems.getByText(`${file}, line 7`)).toBeDefined();
  expect(problems.getByText(/^There is no "mcpServers" in it\./)).toBeDefined();
});

test("pasted servers are listed, those that can be added are chosen, and the page of a single one opens", async () => {
  const pasted = {
    ok: true,
    value: {
      candidates: [
        candidate("git", { launch: { command: ["npx", "git"], variables: ["TOKEN", "HOST"] }, secrets: ["TOKEN"] }),
        candidate("maps"),
        candidate("web", { error: { code: "bad_input", facts: { reason: "target", server: "web" } } }),
      ],
    },
  };
  const added = stateOf([makeServer({ id: "git", name: "git", status: "unapproved" })]);
  const { server, user } = await openTab({ state: stateOf([]), pasted, change: added });
  await user.click(await screen.findByRole("button", { name: "Paste a configuration" }));
  await user.click(screen.getByRole("textbox", { name: "Configuration" }));
  await user.paste('{"git": {}}');
  const found = await screen.findByRole("list", { name: "Found servers" });
  expect(within(found).getByText("npx git")).toBeDefined();
  expect(within(found).getByText("Variables: TOKEN, HOST")).toBeDefined();
  expect(within(found).getByText("1 secret is moved to the key file: TOKEN")).toBeDefined();
  expect(within(found).getByText(/^"web" has neither a command nor an address/)).toBeDefined();
  const boxes = within(found).getAllByRole<HTMLInputElement>("checkbox");
  expect(boxes.map(({ checked, disabled }) => [checked, disabled])).toEqual([
    [true, false],
    [true, false],
    [false, true],
  ]);
  expect(screen.getByRole("button", { name: "Add 2 servers" })).toBeDefined();
  await user.click(within(found).getByRole("checkbox", { name: "Add maps" }));
  await user.click(screen.getByRole("button", { name: "Add 1 server" }));
  expect(await screen.findByRole("button", { name: "Test and approve" })).toBeDefined();
  await expect
    .poll(() => server.inputsOf("mcp.add"))
    .toEqual([{ projectId: "p1", text: '{"git": {}}', names: ["git"] }]);
  expect(location.hash).toBe("#mcp%2Fp1%2Fgit");
});

test("why a pasted text cannot be read is said with its line", async () => {
  const error = { code: "bad_input", facts: { reason: "syntax", line: 3, column: 5, expected: "a value" } };
  const { user } = await openTab({ state: stateOf([]), pasted: { ok: false, error } });
  await user.click(await screen.findByRole("button", { name: "Paste a configuration" }));
  const field = screen.getByRole("textbox", { name: "Configuration" });
  await user.click(field);
  await user.paste("{");
  expect(
    await screen.findByText("Line 3: This isn't JSON: at column 5, a value is expected. Correct it there."),
  ).toBeDefined();
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Add servers" }).disabled).toBe(true);
});

test.each([
  ["a pasted text", "Paste a configuration", "", "Line 9:"],
  ["other programs", "Import from Cursor", "/home/ada/.cursor/mcp.json", "/home/ada/.cursor/mcp.json, line 9"],
])("a server of %s that cannot be used is listed below the others", async (_case, button, file, place) => {
  const error = { code: "bad_input", facts: { reason: "target", server: "broken", line: 9 } } as const;
  const found = { candidates: [candidate("git", { from: "Cursor" })], skipped: [{ file, error }] };
  const { user } = await openTab({
    state: stateOf([]),
    importable: found.candidates,
    skipped: found.skipped,
    pasted: { ok: true, value: found },
  });
  await user.click(await screen.findByRole("button", { name: button }));
  if (file === "") {
    await user.click(screen.getByRole("textbox", { name: "Configuration" }));
    await user.paste("{}");
  }
  const skipped = within(await screen.findByRole("region", { name: "Not usable as written" }));
  expect(skipped.getByText(place)).toBeDefined();
  expect(skipped.getByText(/"broken"/)).toBeDefined();
  expect(screen.getByRole("button", { name: "Add 1 server" })).toBeDefined();
});

test("servers of other programs are added without a text", async () => {
  const importable = [candidate("git", { from: "Cursor" }), candidate("maps", { from: "Cursor" })];
  const { server, user } = await openTab({ state: stateOf([makeServer()]), importable });
  await user.click(await screen.findByRole("button", { name: "Import from Cursor" }));
  await user.click(screen.getByRole("button", { name: "Add 2 servers" }));
  await expect.poll(() => server.inputsOf("mcp.add")).toEqual([{ projectId: "p1", names: ["git", "maps"] }]);
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  // They may be added now: the list of those that can be imported is loaded again.
  await expect.poll(() => server.inputsOf("mcp.find").length).toBe(2);
});

test("of servers with one name the first can be added, unless the file has one", async () => {
  const names = ["git", "Maps", "maps", "Files"];
  const importable = names.map((name) => candidate(name, { from: "Cursor" }));
  const { user } = await openTab({ state: stateOf([makeServer()]), importable });
  await user.click(await screen.findByRole("button", { name: "Import from Cursor" }));
  const boxes = screen.getAllByRole<HTMLInputElement>("checkbox");
  expect(boxes.map(({ checked, disabled }) => [checked, disabled])).toEqual([
    [true, false],
    [true, false],
    [false, true],
    [false, true],
  ]);
  expect(screen.getByText(/^A server with this name is already listed above\./)).toBeDefined();
  expect(screen.getByText(/^A server with this name is already in your file\./)).toBeDefined();
});

async function openServer(answers: Omit<Answers, "state">, ...servers: readonly McpServerView[]) {
  const opened = await openTab({ state: stateOf(servers), ...answers });
  await opened.user.click(await screen.findByRole("button", { name: "files" }));
  return opened;
}
const target = { projectId: "p1", server: "files" };

test("approving starts the server, and the answer replaces the page", async () => {
  const running = stateOf([makeServer({ status: "starting", since: Date.now() })]);
  const { server, user } = await openServer({ change: running }, makeServer({ status: "unapproved" }));
  await user.click(screen.getByRole("button", { name: "Test and approve" }));
  await user.click(await screen.findByRole("button", { name: "Stop" }));
  await expect.poll(() => server.inputsOf("mcp.approve")).toEqual([{ ...target, launch: "launch" }]);
  await expect.poll(() => server.inputsOf("mcp.stop")).toEqual([target]);
});

test("an older state that arrives after a change does not replace it", async () => {
  const old = makeServer({ status: "running" });
  const { server, user } = await openServer({ change: stateOf([makeServer()]) }, old);
  let arrive: (state: McpState) => void = () => undefined;
  const late = new Promise<McpState>((resolve) => {
    arrive = resolve;
  });
  const { cache } = server.client;
  await expect.poll(() => cache.isFetching()).toBe(0);
  const fetched = cache
    .fetchQuery({ queryKey: ["mcp.state", { projectId: testProject.id }], queryFn: () => late })
    .catch(() => undefined);
  await user.click(screen.getByRole("button", { name: "Stop" }));
  await screen.findByText("Not running, starts at its first call");
  arrive(stateOf([old]));
  await fetched;
  expect(cache.getQueryData(["mcp.state", { projectId: testProject.id }])).toEqual(stateOf([makeServer()]));
});

test("tools are switched, pinned and approved by their own names", async () => {
  const { server, user } = await openServer(
    {},
    makeServer({
      tools: [
        makeTool("read"),
        makeTool("write", { status: "off" }),
        makeTool("one", { status: "new" }),
        makeTool("two", { status: "changed", approved: { description: "", parameters: {} } }),
        makeTool("gone", { status: "gone" }),
      ],
    }),
  );
  await user.click(screen.getByRole("switch", { name: "Offer read to the model" }));
  await user.click(screen.getByRole("switch", { name: "Offer write to the model" }));
  await user.click(screen.getByRole("button", { name: "Pin read" }));
  await expect
    .poll(() => server.inputsOf("mcp.set_tool"))
    .toEqual([
      { ...target, tool: "read", isOff: true },
      { ...target, tool: "write", isOff: false },
      { ...target, tool: "read", isPinned: true },
    ]);
  await user.click(screen.getByRole("button", { name: "Forget: gone" }));
  await expect
    .poll(() => server.inputsOf("mcp.accept"))
    .toEqual([{ ...target, tools: [{ name: "gone", hash: "hash of gone" }] }]);
  await user.click(screen.getByRole("button", { name: "Approve all 2" }));
  await expect
    .poll(() => server.inputsOf("mcp.accept"))
    .toContainEqual({
      ...target,
      tools: [
        { name: "one", hash: "hash of one" },
        { name: "two", hash: "hash of two" },
      ],
    });
});

test("a tool opens to its whole description and parameters", async () => {
  const parameters = { type: "object", properties: { path: { type: "string" } } };
  const { user } = await openServer(
    {},
    makeServer({ tools: [makeTool("read", { definition: { description: "Reads.\nSecond line.", parameters } })] }),
  );
  expect(screen.queryByText(/Second line/)).toBeNull();
  await user.click(screen.getByRole("button", { name: /^read/ }));
  expect(screen.getByText(/Second line/)).toBeDefined();
  expect(screen.getByRole("region", { name: "Parameters" }).textContent).toContain('"path": {');
});

test("the log shows the lines without terminal colours; an empty one says so", async () => {
  const { user } = await openServer({ log: "\u001b[31mfirst\u001b[0m\nlast\n" }, makeServer());
  await user.click(screen.getByRole("button", { name: "Log" }));
  const log = await screen.findByRole("region", { name: "Log of files" });
  expect(log.textContent).toBe("first\nlast");
});

test("a log without lines says so", async () => {
  const { user } = await openServer({}, makeServer());
  await user.click(screen.getByRole("button", { name: "Log" }));
  expect(await screen.findByText("The server has written nothing.")).toBeDefined();
});

test("a server is removed after a question, then the list is shown", async () => {
  const { server, user } = await openServer({ change: stateOf([]) }, makeServer());
  await user.click(screen.getByRole("button", { name: "Remove" }));
  expect(screen.getByText(new RegExp(`^This deletes its entry in ${file}`))).toBeDefined();
  expect(server.inputsOf("mcp.remove")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Remove server" }));
  expect(await screen.findByText("No servers yet")).toBeDefined();
  await expect.poll(() => server.inputsOf("mcp.remove")).toEqual([target]);
});

test("a disabled server is enabled; a refused change is a toast with its sentence", async () => {
  const { server, user } = await openServer({ change: { code: "no_permission" } }, makeServer({ status: "disabled" }));
  await user.click(screen.getByRole("button", { name: "Enable" }));
  await expect.poll(() => server.inputsOf("mcp.disable")).toEqual([{ ...target, disabled: false }]);
  await expect
    .poll(() => server.client.toasts.get().map(({ text }) => text))
    .toEqual(["gopi-web may not read or write this file. Change its permissions, then try again."]);
});

test("a push loads the servers again", async () => {
  const { server } = await openTab({ state: stateOf([makeServer()]) });
  await screen.findByRole("button", { name: "files" });
  const loads = server.inputsOf("mcp.state").length;
  act(() => server.push({ type: "mcp", projectId: testProject.id }));
  await expect.poll(() => server.inputsOf("mcp.state").length).toBe(loads + 1);
});
