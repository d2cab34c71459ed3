import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTestStore, temporaryHome } from "../__fixtures__/home";
import type { StoredConnection } from "./connections";
import { createKeys } from "./keys";

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

describe("keys", () => {
  test("persist in a file that only its owner can read", () => {
    const home = temporaryHome();
    const keys = createKeys(home);
    expect(readdirSync(home)).toEqual([]);
    keys.set("a", "sk-a");
    keys.set("b", "sk-b");
    keys.set("a", null);
    keys.set("unknown", null);
    expect(statSync(join(home, "keys.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(home)).toEqual(["keys.json"]);
    const again = createKeys(home);
    expect([again.get("a"), again.get("b")]).toEqual([null, "sk-b"]);
  });

  test("tighten the permissions of a file readable by others", () => {
    const home = temporaryHome();
    writeFileSync(join(home, "keys.json"), '{"a":"sk-a"}', { mode: 0o644 });
    expect(createKeys(home).get("a")).toBe("sk-a");
    expect(statSync(join(home, "keys.json")).mode & 0o777).toBe(0o600);
  });

  test.each(["{", '["sk-a"]', '{"a":1}'])("a file containing %j is renamed, not overwritten", (text) => {
    const home = temporaryHome();
    writeFileSync(join(home, "keys.json"), text, { mode: 0o600 });
    const keys = createKeys(home);
    expect(keys.get("a")).toBeNull();
    keys.set("a", "sk-a");
    expect(createKeys(home).get("a")).toBe("sk-a");
    expect(readFileSync(join(home, "keys.json.damaged"), "utf8")).toBe(text);
  });
});
