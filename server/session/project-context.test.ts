/** What the model reads about the project: always in the first request, a late tree once it is there, never a changed byte before. */
import { describe, expect, test } from "vitest";
import { snapshotTokens } from "../agent/window";
import type { ModelRequest } from "../providers/provider";
import { ask, calls, makeHouse, says } from "./test-services";

const textIn = (request: ModelRequest | undefined): string =>
  (request?.messages ?? []).map((message) => message.text).join("\n---\n");
const count = (text: string, part: string): number => text.split(part).length - 1;
const pending = "are still being listed";

describe("the first request", () => {
  test("has the project, also when its message takes most of the window", async () => {
    for (const share of [0, 0.4, 0.6, 0.8]) {
      const house = await makeHouse({ numCtx: 16_384 });
      house.script(says("Ok."));
      await ask(house.session(), `word${" word".repeat(Math.floor(16_384 * share))}`);
      expect(textIn(house.requests[0])).toContain("Project folder: /project");
    }
  });

  test("says so while the files are still being listed", async () => {
    const house = await makeHouse({ tree: () => null });
    const session = house.session();
    house.script(says("Ok."), says("Still."));
    await ask(session, "hi");
    await ask(session, "and now?");
    expect(count(textIn(house.requests[1]), pending)).toBe(1);
    expect(textIn(house.requests[1])).not.toContain("Files:");
  });
});

describe("a tree that was late", () => {
  test("comes with the next result of a tool, once, and nothing before it changes", async () => {
    const house = await makeHouse({ tree: () => "Files:\na.ts" });
    const session = house.session();
    house.script(calls(["ls", {}]), calls(["ls", { depth: 2 }]), says("Ok."), says("Again."));
    await ask(session, "hi");
    await ask(session, "more");
    const [first, ...later] = house.requests.map((request) => request.messages.map((message) => message.text));
    expect(count(first?.join() ?? "", pending)).toBe(1);
    for (const [index, texts] of later.entries()) {
      const before = [first, ...later][index] ?? [];
      expect(texts.slice(0, before.length)).toEqual(before);
      expect(count(texts.join(), "Files:\na.ts")).toBe(1);
    }
  });

  test("comes with the next message when no tool ran, and an empty project is told to be empty", async () => {
    let tree: string | null = null;
    const house = await makeHouse({ tree: () => tree });
    const session = house.session();
    house.script(says("Ok."), says("Ok."), says("Ok."));
    await ask(session, "hi");
    tree = "";
    await ask(session, "more");
    tree = "Files:\nlater.ts";
    await ask(session, "and more");
    const said = textIn(house.requests[2]);
    expect(count(said, "The project has no files to list.")).toBe(1);
    expect(said).not.toContain("later.ts");
  });

  test.each([4_096, 8_192, 32_768])("has half of the snapshot's share of a window of %i", async (numCtx) => {
    const asked: number[] = [];
    const house = await makeHouse({
      numCtx,
      tree(maxTokens) {
        asked.push(maxTokens);
        return "Files:\na.ts";
      },
    });
    const session = house.session();
    house.script(says("Ok."), says("Ok."));
    await ask(session, "hi");
    await ask(session, "more");
    expect(asked).toEqual([snapshotTokens({ tokens: numCtx }) / 2]);
  });
});
