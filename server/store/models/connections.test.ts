import { describe, expect, test } from "vitest";
import { openTestStore, temporaryHome } from "../__fixtures__/home";
import type { StoredConnection } from "./connections";

const cellar: StoredConnection = {
  id: "cellar",
  name: "Cellar",
  preset: "vllm",
  baseUrl: "http://192.168.1.20:8000/v1",
  model: "qwen3-coder",
  temperature: 0,
  numCtx: 32_768,
};
const { temperature: _temperature, ...plain } = cellar;

describe("connections", () => {
  test("persist in order of creation, however often they change", () => {
    const home = temporaryHome();
    const first = openTestStore({ home });
    first.connections.save({ ...plain, id: "zoo" });
    first.connections.save(cellar);
    first.connections.save({ ...plain, id: "zoo", name: "Zoo", model: "m2" });
    first.close();
    expect(openTestStore({ home }).connections.list()).toEqual([
      { ...plain, id: "zoo", name: "Zoo", model: "m2" },
      cellar,
    ]);
  });

  test.each(["password", "header"] as const)("keep how the key is sent: as %s", (as) => {
    const { connections } = openTestStore();
    connections.save({ ...cellar, keyUse: { as, name: "X-Me" } });
    expect(connections.list()).toEqual([{ ...cellar, keyUse: { as, name: "X-Me" } }]);
    connections.save(cellar);
    expect(connections.list()).toEqual([cellar]);
  });

  test("keep the session header and the answers at once", () => {
    const { connections } = openTestStore();
    for (const routing of [{ sessionHeader: "", atOnce: 3 }, { sessionHeader: "x-me" }, {}]) {
      connections.save({ ...cellar, ...routing });
      expect(connections.list()).toEqual([{ ...cellar, ...routing }]);
    }
  });

  test("are found but not listed after removal, until they are saved again", () => {
    const { connections } = openTestStore();
    connections.save(cellar);
    expect(connections.remove("cellar")).toBe(true);
    expect(connections.remove("cellar")).toBe(false);
    expect(connections.remove("unknown")).toBe(false);
    expect(connections.list()).toEqual([]);
    expect(connections.find("cellar")).toEqual({ ...cellar, removed: true });
    connections.save(cellar);
    expect(connections.find("cellar")).toEqual({ ...cellar, removed: false });
    expect(connections.find("unknown")).toBeUndefined();
  });
});
