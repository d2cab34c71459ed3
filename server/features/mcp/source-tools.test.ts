import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { asId, type Hash, type ProjectId } from "@/lib/events/id";
import type { ToolDefinition } from "@/lib/tools/tool-definitions";
import type { ApprovedSource } from "@/server/store/access/tool-sources";
import { openStore } from "@/server/store/open-store";
import { makeApprovedServers } from "./approved-servers";
import type { McpServerConfig } from "./config/server-config";
import type { ConfiguredServer } from "./configured-servers";
import { definitionHash, makeCatalogueTools, makeNote, readDefinitions, takeNotes } from "./source-tools";

const run = async () => ({ output: [], facts: {} });

test("after their definitions are read, one in a step, tools are made without reading them again", () => {
  let reads = 0;
  const parameters = (): Json => ({
    type: "object",
    get properties() {
      reads += 1;
      return { path: { type: "string" } };
    },
  });
  const tool = (ownName: string) => ({
    ownName,
    approved: { description: "Reads a file.", parameters: parameters() },
    current: { description: "Reads a file.", parameters: parameters() },
    isOff: false,
    isPinned: false,
  });
  const source: ApprovedSource = {
    launch: asId<Hash>("launch"),
    instructions: "",
    tools: [tool("read"), tool("stat"), { ...tool("new"), approved: null }],
  };
  expect([...readDefinitions(source, () => true)]).toHaveLength(2);
  expect(reads).toBeGreaterThan(0);
  reads = 0;
  const made = makeCatalogueTools("files", source, () => true, run);
  expect(made.map(({ name, obstacle }) => [name, obstacle])).toEqual([
    ["files__read", null],
    ["files__stat", null],
  ]);
  expect(made[0]?.parameters).toEqual({ type: "object", properties: { path: { type: "string" } } });
  expect(reads).toBe(0);
  const restarted = makeCatalogueTools("files", { ...source, launch: asId<Hash>("other") }, () => true, run);
  expect(restarted[0]?.tool.external?.definition).not.toBe(made[0]?.tool.external?.definition);
});

test("with the notes of an earlier start, tools are made without reading their definitions, and are the same", () => {
  let reads = 0;
  const parameters = { type: "object", properties: { path: { type: "string", pattern: "x" } } };
  const counted: Json = {
    type: "object",
    get properties() {
      reads += 1;
      return parameters.properties;
    },
  };
  const launch = asId<Hash>("launch");
  const make = (definition: ToolDefinition): ApprovedSource => ({
    launch,
    instructions: "",
    tools: [{ ownName: "read", approved: definition, current: definition, isOff: false, isPinned: false }],
  });
  const earlier = make({ description: "Reads.", parameters });
  const note = makeNote(launch, { description: "Reads.", parameters });
  const all = () => true;
  const shown = (source: ApprovedSource) =>
    makeCatalogueTools("files", source, all, run).map((one) => [one.name, one.parameters, one.tool.external]);
  const later = make({ description: "Reads.", parameters: counted });
  expect(takeNotes(later, () => note)).toBe(true);
  expect([...readDefinitions(later, all)]).toHaveLength(1);
  expect(shown(later)).toEqual(shown(earlier));
  expect(reads).toBe(0);
  const large = { description: "Reads.", parameters: {}, unusable: "it is too large" };
  const unusable = make({ ...large });
  expect(takeNotes(unusable, () => makeNote(launch, large))).toBe(true);
  expect(makeCatalogueTools("files", unusable, all, run)[0]?.obstacle).toEqual({
    kind: "unusable",
    detail: "it is too large",
  });
});

test("a note of another version, or none, is computed again and stored again", () => {
  const home = mkdtempSync(join(tmpdir(), "gopi-notes-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const open = () => {
    const opened = openStore({ home, now: () => 1_000 });
    if (!opened.ok) throw new Error(opened.error.code);
    return opened.value;
  };
  const launch = asId<Hash>("launch");
  const config: McpServerConfig = {
    kind: "http",
    name: "files",
    url: "https://mcp.example",
    transport: null,
    headers: {},
    oauth: null,
    disabled: false,
    timeoutMs: null,
    includeTools: null,
    excludeTools: [],
  };
  const places = { id: "files", file: "/mcp.json", projectId: null, key: "files", alsoIn: [], inputs: [] };
  const server: ConfiguredServer = { ...places, config, launch };
  const project = asId<ProjectId>("p");
  const definition = { description: "Reads.", parameters: { type: "object" } };
  const tools = [{ ownName: "read", approved: definition, current: definition, isOff: false, isPinned: false }];
  const key = { kind: "mcp", projectId: null, name: "files" } as const;
  for (const note of [undefined, () => ({ version: 0, hash: "other", parameters: {} })]) {
    const first = open();
    first.toolSources.save(key, { launch, instructions: "", tools }, note);
    first.close();
    const second = open();
    const approvals = makeApprovedServers(second);
    const read = approvals.get(server, project);
    const [tool] = read === null ? [] : makeCatalogueTools("files", read, () => true, run);
    expect(tool?.tool.external?.definition).toBe(definitionHash({ launch }, definition));
    approvals.refresh(server, project);
    second.close();
    const third = open();
    const approved = third.toolSources.get(key)?.tools[0]?.approved;
    expect(approved && third.toolSources.note(approved)).toEqual(makeNote(launch, definition));
    third.close();
  }
});
