/** The limit of tools over all servers, with lists that were stored by earlier tests of the servers. */
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeToolShares } from "./server-sources";
import { makeMcpRig } from "./test-feature";

const names = (count: number) => Array.from({ length: count }, (_, at) => `tool_${String(at).padStart(3, "0")}`);

test("tools of later servers beyond 2,000 in all are left out, and their cards say so", async () => {
  const { file, state, harness, sources, projectId } = await makeMcpRig();
  const ids = ["a", "b", "c", "d", "e"];
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(ids.map((id) => [id, { command: id }])) }));
  for (const { name, launchHash: launch } of (await state()).servers) {
    const tools = names(450).map((ownName) => {
      const definition = { description: "Does it.", parameters: { type: "object" } };
      return { ownName, approved: definition, current: definition, isOff: false, isPinned: false };
    });
    harness.store.toolSources.save({ kind: "mcp", projectId: null, name }, { launch, instructions: "", tools });
  }
  const counts = () => sources().map(({ id, tools }) => [id, tools(projectId).length]);
  expect(counts()).toEqual([
    ["mcp", 0],
    ["a", 450],
    ["b", 450],
    ["c", 450],
    ["d", 450],
    ["e", 200],
  ]);
  const last = sources().at(-1)?.tools(projectId);
  expect(last?.at(-1)?.name).toBe("e__tool_199");
  expect(sources().at(-1)?.tools(projectId)).toBe(last);
  const problems = async () => (await state()).servers.map(({ id, listProblems }) => [id, listProblems]);
  expect(await problems()).toEqual([
    ["a", undefined],
    ["b", undefined],
    ["c", undefined],
    ["d", undefined],
    ["e", ["too_many_in_all"]],
  ]);
  // The others are all there in the list of the card.
  expect((await state()).servers.at(-1)?.tools).toHaveLength(450);
});

test("the tools after the limit are left out, those of later lists first; a list that is not cut is the same", () => {
  const share = makeToolShares<string>(5);
  const [first, second, third] = [["a", "b"], ["c", "d", "e", "f"], ["g"]];
  const shares = share([first, second, third]);
  expect(shares).toEqual([["a", "b"], ["c", "d", "e"], []]);
  expect(shares[0]).toBe(first);
  // The catalogue is made again only when a list is another one.
  expect(share([first, second, third]).every((list, at) => list === shares[at])).toBe(true);
  expect(share([second, third])).toEqual([["c", "d", "e", "f"], ["g"]]);
});
