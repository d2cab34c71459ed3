import { expect, test } from "vitest";
import { asId, type Hash, type ProjectId } from "@/lib/events/id";
import type { CatalogueSource, CatalogueTool } from "./catalogue";
import { defineExternalTool } from "./external-tool";
import { makeCatalogues, makePrepareCatalogue } from "./make-catalogue";

const projectId = asId<ProjectId>("p");
const parameters = { type: "object", properties: {} };

function makeEntry(source: string, name: string, description = ""): CatalogueTool {
  const definition = asId<Hash>("d");
  const run = async () => ({ output: [], facts: {} });
  const tool = defineExternalTool({ name, source, ownName: name, description, parameters, definition, run });
  return { name, source, description, parameters, obstacle: null, isPinned: false, tool };
}

function makeSource(id: string, ...names: readonly string[]) {
  let tools: readonly CatalogueTool[] = names.map((name) => makeEntry(id, name));
  const source: CatalogueSource = { id, instructions: "", tools: () => tools };
  return {
    source,
    replace: (...next: readonly string[]) => {
      tools = next.map((name) => makeEntry(id, name));
    },
  };
}

test("the order is that of the sources' names, whatever order they have; a source without tools is not listed", () => {
  const [one, two, none] = [makeSource("one", "one__a", "one__b"), makeSource("two", "two__a"), makeSource("none")];
  for (const sources of [
    [two, none, one],
    [one, two, none],
  ]) {
    const catalogue = makeCatalogues(() => sources.map(({ source }) => source))(projectId);
    expect(catalogue.tools.map(({ name }) => name)).toEqual(["one__a", "one__b", "two__a"]);
    expect(catalogue.sources.map(({ id }) => id)).toEqual(["one", "two"]);
  }
});

test("of two tools with one name, the first source's is listed", () => {
  const [one, two] = [makeSource("one", "same"), makeSource("two", "same", "two__b")];
  const { tools } = makeCatalogues(() => [two.source, one.source])(projectId);
  expect(tools.map(({ name, source }) => `${source} ${name}`)).toEqual(["one same", "two two__b"]);
});

test("the catalogue is the same object until a source lists other tools, or comes or goes", () => {
  const [one, two] = [makeSource("one", "one__a"), makeSource("two", "two__a")];
  const sources = [one.source];
  const catalogueOf = makeCatalogues(() => sources);
  const first = catalogueOf(projectId);
  expect(catalogueOf(projectId)).toBe(first);
  one.replace("one__a");
  const second = catalogueOf(projectId);
  expect(second).not.toBe(first);
  sources.push(two.source);
  expect(catalogueOf(projectId).tools.map(({ name }) => name)).toEqual(["one__a", "two__a"]);
  sources.shift();
  expect(catalogueOf(projectId).tools.map(({ name }) => name)).toEqual(["two__a"]);
});

test("a tool of any source that the user switched off cannot be called, until it is switched on", () => {
  const [one, two] = [makeSource("one", "one__a", "one__b"), makeSource("two", "two__a")];
  let off: readonly string[] = [];
  const catalogueOf = makeCatalogues(
    () => [one.source, two.source],
    () => off,
  );
  const obstacles = () => catalogueOf(projectId).tools.map(({ obstacle }) => obstacle?.kind ?? null);
  expect(obstacles()).toEqual([null, null, null]);
  off = ["one__b", "two__a", "gone"];
  expect(obstacles()).toEqual([null, "off", "off"]);
  expect(catalogueOf(projectId)).toBe(catalogueOf(projectId));
  off = [];
  expect(obstacles()).toEqual([null, null, null]);
});

test("a source that fails, throws or hangs while it is prepared is logged, and the others are prepared", async () => {
  const prepared: string[] = [];
  const logged: string[] = [];
  const prepareCatalogue = makePrepareCatalogue((line) => void logged.push(line), 20);
  let attempts = 0;
  const prepare = () =>
    prepareCatalogue(
      [
        { id: "none" },
        { id: "fails", prepare: () => Promise.reject(new Error("no folder")) },
        {
          id: "throws",
          prepare: () => {
            throw new Error("a bug");
          },
        },
        {
          id: "hangs",
          prepare: () => {
            attempts += 1;
            return new Promise(() => {});
          },
        },
        { id: "works", prepare: async (project) => void prepared.push(project) },
      ],
      projectId,
    );
  await prepare();
  expect(prepared).toEqual([projectId]);
  expect(logged.toSorted().map((line) => /tools of (\w+) were not read: (.*)/.exec(line)?.slice(1))).toEqual([
    ["fails", "Error: no folder"],
    ["hangs", "TimeoutError: not finished within 20 ms"],
    ["throws", "Error: a bug"],
  ]);
  logged.splice(0);
  await prepare();
  expect(attempts).toBe(1);
  expect(prepared).toEqual([projectId, projectId]);
  expect(logged).toHaveLength(2);
});

test("of two sources with one id, the one that lists nothing here is not listed", () => {
  const [here, other] = [makeSource("one", "one__a"), makeSource("one")];
  const named = (instructions: string, { source }: typeof here) => ({ ...source, instructions });
  const sources = [named("other", other), named("here", here)];
  expect(makeCatalogues(() => sources)(projectId).sources.map(({ instructions }) => instructions)).toEqual(["here"]);
});
