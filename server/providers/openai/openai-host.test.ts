import { describe, expect, it } from "vitest";
import { alternativeBases, isOnNetwork, parseBaseUrl, baseWithoutCredentials, staysLocal } from "./openai-host";
import { findPreset } from "../presets";

describe("parseBaseUrl", () => {
  it.each([
    ["https://api.openai.com/v1", "https://api.openai.com/v1"],
    [" https://api.openai.com/v1/ ", "https://api.openai.com/v1"],
    ['"http://box:8000/v1"', "http://box:8000/v1"],
    ["https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1"],
    ["https://api.openai.com/v1/models?limit=3#x", "https://api.openai.com/v1"],
    ["https://api.deepseek.com", "https://api.deepseek.com"],
    ["HTTPS://API.Example.com:443/V1", "https://api.example.com/V1"],
    ["localhost:1234/v1", "http://localhost:1234/v1"],
    ["192.168.1.20:8000/v1", "http://192.168.1.20:8000/v1"],
    ["gpu-box:8000", "http://gpu-box:8000"],
    ["api.example.com/v1", "https://api.example.com/v1"],
    ["http://0.0.0.0:8080/v1", "http://127.0.0.1:8080/v1"],
    ["http://[::]:8080/v1", "http://[::1]:8080/v1"],
    ["http://me:pass@box/v1", "http://me:pass@box/v1"],
  ])("%s is %s", (text, base) => {
    expect(parseBaseUrl(text)).toEqual({ ok: true, value: base });
  });

  it.each([
    "",
    "  ",
    "ftp://box/v1",
    "file:///etc/passwd",
    "http://",
    "http://a b/v1",
    "http://a\\b",
    "https://box:99999/v1",
  ])("%j is invalid", (text) => {
    expect(parseBaseUrl(text)).toMatchObject({ ok: false, error: { code: "bad_input" } });
  });

  it("repeats no credentials of an invalid text", () => {
    expect(JSON.stringify(parseBaseUrl("ftp://me:secret@box/v1"))).not.toContain("secret");
  });
});

describe("staysLocal", () => {
  const own = findPreset("vllm");
  it.each([
    "http://localhost:8000/v1",
    "http://127.0.0.1:8000/v1",
    "http://[::1]:8000/v1",
    "http://10.0.0.7/v1",
    "http://172.20.1.1/v1",
    "http://192.168.0.4/v1",
    "http://100.101.1.1/v1",
    "http://[fd00::5]/v1",
    "http://gpu-box:8000/v1",
    "http://nas.local/v1",
  ])("%s is this machine or its network", (base) => {
    expect(staysLocal(own, base)).toBe(true);
  });

  it.each([
    "https://api.example.com/v1",
    "http://8.8.8.8/v1",
    "http://172.32.0.1/v1",
    "http://local.example.com/v1",
    "http://[2001:db8::1]/v1",
    "nonsense://",
  ])("%s is not", (base) => {
    expect(staysLocal(own, base)).toBe(false);
  });

  it("an online service is not local at any address", () => {
    expect(staysLocal(findPreset("openai"), "http://localhost/v1")).toBe(false);
  });
});

describe("otherBases", () => {
  it("tries the most likely first, each once", () => {
    const bases = alternativeBases("http://box:8000");
    expect(bases[0]).toBe("http://box:8000/v1");
    expect(new Set(bases).size).toBe(bases.length);
    expect(bases).not.toContain("http://box:8000");
  });
  it("shortens a path that is too long", () => {
    expect(alternativeBases("http://box/v1/v1")).toContain("http://box/v1");
  });
});

describe("shownBase", () => {
  it.each([
    ["http://me:secret@box/v1", "http://box/v1"],
    ["https://box/v1?key=secret", "https://box/v1"],
  ])("%s is displayed as %s", (base, shown) => {
    expect(baseWithoutCredentials(base)).toBe(shown);
  });
});

it.each([
  ["http://127.0.0.1:9931/v1", false],
  ["localhost:9931", false],
  ["http://[::1]:9931/v1", false],
  ["http://0.0.0.0:9931/v1", false],
  ["http://192.168.1.5:9931/v1", true],
  ["http://rack.local:9931/v1", true],
])("other machines reach %s: %s", (address, expected) => {
  expect(isOnNetwork(address)).toBe(expected);
});
