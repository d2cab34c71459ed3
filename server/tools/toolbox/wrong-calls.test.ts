/** Ways in which models call the toolbox wrongly: each runs the right tool with the right input, or shows the right call. */
import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { resolveDirectCall, suggestLongerName } from "./find-tool";
import { resolveToolboxCall } from "./resolve-call";
import { commonCatalogue as catalogue } from "./test-catalogue";

const issue = { owner: "ada", repo: "engine", title: "Broken" };
const issueText = JSON.stringify(issue);
const create = "github__create_issue";
const rightCall = `toolbox ${JSON.stringify({ tool: create, input: issue })}`;
const exampleCall = 'toolbox {"tool":"github__create_issue","input":{"owner":"...","repo":"...","title":"..."}}';

type WrongCalls = readonly (readonly [input: Json, extra?: { readonly [name: string]: Json }])[];

/** Calls that run `github__create_issue` with `issue` and what is extra. */
const families: { readonly [family: string]: WrongCalls } = {
  "the fields of other programs": [
    [{ name: create, arguments: issue }],
    [{ name: create, parameters: issue }],
    [{ tool: create, args: issue }],
    [{ tool: create, arguments: issueText }],
    [{ tool_name: create, tool_input: issue }],
    [{ toolName: create, toolArgs: issue }],
    [{ function: { name: create, arguments: issueText } }],
    [{ type: "function", id: "call_1", function: { name: create, arguments: issue } }],
    [{ tool_calls: [{ id: "1", type: "function", function: { name: create, arguments: issueText } }] }],
    [{ action: create, params: issue }],
    [{ action: "call_tool", tool_call: { name: create, arguments: issue } }],
    [{ Tool: create, Input: issue }],
    [{ function_name: create, kwargs: issue }],
  ],
  "the input as text": [
    [{ tool: create, input: issueText }],
    [{ tool: create, input: JSON.stringify(issueText) }],
    [{ tool: create, input: `\`\`\`json\n${issueText}\n\`\`\`` }],
    [{ tool: create, input: ` ${issueText}\n` }],
    [{ tool: create, input: [issue] }],
    [{ tool: create, input: `[${issueText}]` }],
  ],
  "the input beside the name": [
    [{ tool: create, ...issue }],
    [{ tool: create, input: {}, ...issue }],
    [{ tool: create, input: null, ...issue }],
    [{ tool: create, input: "", search: "", ...issue }],
    [{ tool: create, input: { owner: "ada", repo: "engine" }, title: "Broken" }],
    [{ tool: create, input: issue, title: "Other" }],
    [{ name: create, ...issue, thought: "I create it" }],
    [{ tool: create, Owner: "ada", REPO: "engine", title: "Broken" }],
    [{ tool: create, input: "Broken", owner: "ada", repo: "engine" }],
  ],
  "a call inside a call": [
    [{ tool: "toolbox", input: { tool: create, input: issue } }],
    [{ tool: "toolbox", input: JSON.stringify({ tool: create, input: issue }) }],
    [{ tool: "toolbox", arguments: { name: create, arguments: issue } }],
    [{ toolbox: { tool: create, input: issue } }],
    [{ input: { tool: create, input: issue } }],
    [{ arguments: { tool: create, input: issue } }],
    [{ tool: { name: create, arguments: issue } }],
    [{ tool: { name: create }, input: issue }],
    [{ tool: create, input: { tool: create, input: issue } }],
    [{ tool: create, input: { name: create, arguments: issueText } }],
    [{ tool: create, input: { tool: create, ...issue } }],
    [{ tool: create, input: { input: issue } }],
    [{ tool: create, input: { arguments: issueText } }],
    [{ tool: "toolbox", input: { tool: "toolbox", input: { tool: create, input: issue } } }],
  ],
  "another separator": [
    [{ tool: "github.create_issue", input: issue }],
    [{ tool: "github/create_issue", input: issue }],
    [{ tool: "github:create_issue", input: issue }],
    [{ tool: "github::create_issue", input: issue }],
    [{ tool: "github_create_issue", input: issue }],
    [{ tool: "github-create-issue", input: issue }],
    [{ tool: "github create issue", input: issue }],
    [{ tool: "github->create_issue", input: issue }],
  ],
  "another case": [
    [{ tool: "GitHub__Create_Issue", input: issue }],
    [{ tool: "GITHUB__CREATE_ISSUE", input: issue }],
    [{ tool: "githubCreateIssue", input: issue }],
    [{ tool: "github.createIssue", input: issue }],
    [{ tool: "CreateIssue", input: issue }],
  ],
  "an invented prefix": [
    [{ tool: "mcp__github__create_issue", input: issue }],
    [{ tool: "mcp_github_create_issue", input: issue }],
    [{ tool: "functions.github__create_issue", input: issue }],
    [{ tool: "toolbox.github__create_issue", input: issue }],
    [{ tool: "toolbox__github__create_issue", input: issue }],
    [{ tool: "default_api.github__create_issue", input: issue }],
    [{ tool: "tools/mcp/github/create_issue", input: issue }],
  ],
  "the name without its source, or beside it": [
    [{ tool: "create_issue", input: issue }],
    [{ source: "github", tool: "create_issue", input: issue }],
    [{ server: "github", name: "create_issue", arguments: issue }],
    [{ tool: "github", input: { tool: "create_issue", input: issue } }],
    [{ tool: "github", input: { name: "create_issue", arguments: issueText } }],
    [{ tool: "github", action: "create_issue", input: issue }],
    [{ tool: "github", name: "create_issue", ...issue }],
    [{ tool: "github", input: { action: "create_issue", ...issue } }],
  ],
  "a text as the whole call": [
    [JSON.stringify({ tool: create, input: issue })],
    [JSON.stringify({ name: create, arguments: issueText })],
    [JSON.stringify(JSON.stringify({ tool: create, input: issue }))],
    [`\`\`\`json\n${JSON.stringify({ tool: create, input: issue })}\n\`\`\``],
    [`${create} ${issueText}`],
    [`${create}(${issueText})`],
    [`${create}: ${issueText}`],
    [`${create}(owner="ada", repo='engine', title="Broken")`],
    [`toolbox ${JSON.stringify({ tool: create, input: issue })}`],
    [`toolbox(tool="github__create_issue", input=${issueText})`],
    [[{ tool: create, input: issue }]],
    [[JSON.stringify({ tool: create, input: issue })]],
  ],
  "the call in the field of the name": [
    [{ tool: `${create}(${issueText})` }],
    [{ tool: `${create} ${issueText}` }],
    [{ tool: JSON.stringify({ tool: create, input: issue }) }],
    [{ tool: `toolbox ${JSON.stringify({ tool: create, input: issue })}` }],
    [{ tool: `${create}()`, input: issue }],
    [{ tool: `\`${create}\``, input: issue }],
    [{ tool: `"${create}"`, input: issue }],
    [{ tool: ` ${create}\n`, input: issue }],
  ],
  "the name as a field": [
    [{ [create]: issue }],
    [{ [create]: issueText }],
    [{ create_issue: issue }],
    [{ "github.create_issue": issue }],
    [{ toolbox: { [create]: issue } }],
  ],
  "values in another form": [
    [{ tool: create, input: { ...issue, body: null } }],
    [{ tool: create, input: { ...issue, labels: "bug" } }, { labels: ["bug"] }],
    [{ tool: create, input: { ...issue, labels: '["bug","new"]' } }, { labels: ["bug", "new"] }],
    [{ tool: create, input: { ...issue, title: "Broken", body: 3 } }, { body: "3" }],
    [{ tool: create, input: { Owner: "ada", Repo: "engine", Title: "Broken" } }],
    [{ tool: create, input: { ...issue, milestone: "unknown" } }, { milestone: "unknown" }],
  ],
};

describe.each(Object.entries(families))("%s", (_family, calls) => {
  test.each(calls.map(([input, extra = {}]) => [input, extra] as const))("%j runs", (input, extra) => {
    const resolved = resolveToolboxCall(input, catalogue);
    if (resolved.kind !== "run") throw new Error(resolved.text);
    expect(resolved.tool.name).toBe(create);
    expect(resolved.tool.tool.parse(resolved.input)).toMatchObject({ ok: true, input: { ...issue, ...extra } });
    const parsed = resolved.tool.tool.parse(resolved.input);
    expect(parsed.ok && parsed.input).toEqual({ ...issue, ...extra });
  });
});

describe("a call that did not go through the toolbox", () => {
  test.each([
    create,
    "github.create_issue",
    "github/create_issue",
    "mcp__github__create_issue",
    "functions.github__create_issue",
    "GitHub__Create_Issue",
    "create_issue",
    "createIssue",
  ])("%s is found", (name) => {
    expect(resolveDirectCall(name, catalogue)?.name).toBe(create);
  });

  test("of a name that the model server cut is answered with the right call", () => {
    expect(suggestLongerName("move", { source: "a", destination: "b" }, catalogue)).toContain(
      'toolbox {"tool":"filesystem__move_file","input":{"source":"a","destination":"b"}}',
    );
  });
});

describe("a call whose tool or input is not clear is answered with the right one", () => {
  test.each<readonly [input: Json, call: string]>([
    [{ tool: "github__create_isue", input: issue }, rightCall],
    [{ tool: "github__new_issue", input: issue }, rightCall],
    [{ tool: "githb__create_issue", input: issue }, rightCall],
    [{ tool: "jira__create_issue", input: issue }, rightCall],
    [{ tool: "create_issues", input: { title: "Broken" } }, exampleCall],
    [{ tool: create }, exampleCall],
    [create, exampleCall],
    ["create_issue", exampleCall],
    [{ tool: create, input: {} }, exampleCall],
    [{ tool: create, file: "a.ts" }, exampleCall],
    [{ tool: "describe", input: { tool: create } }, exampleCall],
    [{ tool: "get_parameters", input: create }, exampleCall],
    [
      [
        { tool: create, input: issue },
        { tool: create, input: issue },
      ],
      rightCall,
    ],
    [
      { tool: "filesystem__remove_file", input: { source: "a", destination: "b" } },
      '{"tool":"filesystem__move_file","input":{"source":"a","destination":"b"}}',
    ],
    [{ tool: "read", input: { path: "a.ts" } }, 'read {"path":"a.ts"}'],
    [{ tool: "bash", input: { command: "ls" } }, 'bash {"command":"ls"}'],
    [3, 'toolbox {"tool":"filesystem__list_allowed_directories","input":{}}'],
    [
      '{"tool": "github__create_issue", "input": {"owner": "ada"',
      'toolbox {"tool":"filesystem__list_allowed_directories","input":{}}',
    ],
  ])("%j", (input, call) => {
    const resolved = resolveToolboxCall(input, catalogue);
    if (resolved.kind === "run") throw new Error("it runs");
    expect(resolved.text).toContain(call);
  });

  const callWith = (input: Json): string => `toolbox ${JSON.stringify({ tool: create, input })}`;
  test.each<readonly [input: Json, call: string]>([
    ["Broken", exampleCall],
    [{ title: "Broken" }, callWith({ owner: "...", repo: "...", title: "Broken" })],
    [{ ...issue, labels: [{}] }, callWith({ ...issue, labels: ["..."] })],
    ['{"owner": "ada', exampleCall],
    [[issue, issue], exampleCall],
  ])("an input of %j that does not fit", (input, call) => {
    const resolved = resolveToolboxCall({ tool: create, input }, catalogue);
    if (resolved.kind !== "run") throw new Error(resolved.text);
    const parsed = resolved.tool.tool.parse(resolved.input);
    expect(parsed.ok ? "" : parsed.messageForModel).toContain(call);
  });
});

test("members of a tool with the names of the toolbox's own fields reach the tool", () => {
  const input = { name: "pdf", query: "x", input: "y" };
  const resolved = resolveToolboxCall({ tool: create, input: { ...issue, ...input } }, catalogue);
  expect(resolved).toMatchObject({ kind: "run", input: { ...issue, ...input } });
});
