import { expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { asId, type Hash } from "@/lib/events/id";
import type { ApprovedSource } from "@/server/store/access/tool-sources";
import { makeCatalogueTools, readDefinitions } from "./source-tools";

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
