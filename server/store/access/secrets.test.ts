import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryHome } from "../__fixtures__/home";
import { createSecrets } from "./secrets";

describe("secrets", () => {
  test("persist in a file that only its owner can read", () => {
    const home = temporaryHome();
    const keys = createSecrets(home).in("connections");
    expect(readdirSync(home)).toEqual([]);
    keys.set("a", "sk-a");
    keys.set("b", "sk-b");
    keys.set("a", null);
    keys.set("unknown", null);
    expect(statSync(join(home, "keys.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(home)).toEqual(["keys.json"]);
    const again = createSecrets(home).in("connections");
    expect([again.get("a"), again.get("b")]).toEqual([null, "sk-b"]);
  });

  test("are listed by scope", () => {
    const secrets = createSecrets(temporaryHome());
    secrets.in("connections").set("a", "sk-a");
    secrets.in("mcp").set("TOKEN", "t");
    secrets.in("mcp").set("input:id", "i");
    expect(secrets.in("connections").names()).toEqual(["a"]);
    expect(secrets.in("mcp").names()).toEqual(["TOKEN", "input:id"]);
    expect(secrets.in("signIns").names()).toEqual([]);
  });

  test("tighten the permissions of a file readable by others", () => {
    const home = temporaryHome();
    writeFileSync(join(home, "keys.json"), '{"a":"sk-a"}', { mode: 0o644 });
    expect(createSecrets(home).in("connections").get("a")).toBe("sk-a");
    expect(statSync(join(home, "keys.json")).mode & 0o777).toBe(0o600);
  });

  test.each(["{", '["sk-a"]', '{"a":1}'])("a file containing %j is renamed, not overwritten", (text) => {
    const home = temporaryHome();
    writeFileSync(join(home, "keys.json"), text, { mode: 0o600 });
    const keys = createSecrets(home).in("connections");
    expect(keys.get("a")).toBeNull();
    keys.set("a", "sk-a");
    expect(createSecrets(home).in("connections").get("a")).toBe("sk-a");
    expect(readFileSync(join(home, "keys.json.damaged"), "utf8")).toBe(text);
  });
});
