import { describe, expect, it } from "vitest";
import { chosenHost, isLocalHost, parseOllamaHost, withoutCredentials } from "./ollama-host";

describe("an address of a model server", () => {
  it.each([
    ["", "http://127.0.0.1:11434"],
    ["  ", "http://127.0.0.1:11434"],
    ["1.2.3.4", "http://1.2.3.4:11434"],
    ["1.2.3.4:1234", "http://1.2.3.4:1234"],
    [":1234", "http://127.0.0.1:1234"],
    ["example.com", "http://example.com:11434"],
    ["example.com:1234", "http://example.com:1234"],
    ["localhost", "http://localhost:11434"],
    ["http://1.2.3.4", "http://1.2.3.4:80"],
    ["http://1.2.3.4:1234", "http://1.2.3.4:1234"],
    ["HTTP://box", "http://box:80"],
    ["https://1.2.3.4", "https://1.2.3.4:443"],
    ["https://1.2.3.4:1234", "https://1.2.3.4:1234"],
    ["https://example.com/ollama", "https://example.com:443/ollama"],
    ["example.com/ollama/", "http://example.com:11434/ollama"],
    ["http://box:11434/", "http://box:11434"],
    ["http://box:11434/?x=1#y", "http://box:11434"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["0.0.0.0:8080", "http://127.0.0.1:8080"],
    ["http://0.0.0.0", "http://127.0.0.1:80"],
    ["::1", "http://[::1]:11434"],
    ["[::1]", "http://[::1]:11434"],
    ["[::1]:1234", "http://[::1]:1234"],
    ["[::1", "http://[::1]:11434"],
    ["::", "http://[::1]:11434"],
    ["http://", "http://127.0.0.1:80"],
    ["[::]:1234", "http://[::1]:1234"],
    ["[0:0:0:0:0:0:0:0]", "http://[::1]:11434"],
    ["http://[2001:db8::7]:99/x", "http://[2001:db8::7]:99/x"],
    [' "1.2.3.4" ', "http://1.2.3.4:11434"],
    ["'1.2.3.4'", "http://1.2.3.4:11434"],
    [' " 1.2.3.4 " ', "http://1.2.3.4:11434"],
    ["https://me:pass@box/api", "https://me:pass@box:443/api"],
    // Ollama warns and uses the default for an invalid port.
    [":66000", "http://127.0.0.1:11434"],
    ["box:", "http://box:11434"],
    ["box:-1", "http://box:11434"],
    [":0", "http://127.0.0.1:11434"],
    ["https://box:port", "https://box:443"],
  ])("%j is %s", (text, url) => {
    expect(parseOllamaHost(text)).toEqual({ ok: true, value: url });
    expect(parseOllamaHost(url)).toEqual({ ok: true, value: url });
  });

  it.each([
    "ftp://box",
    "://box",
    "file:///etc/passwd",
    "two words",
    "http://a b",
    "box\nx",
    "bo<x",
    "box\\x",
    "a:b:c:d",
  ])("%j is refused by name", (text) => {
    const error = { code: "bad_input", detail: expect.stringContaining(text) };
    expect(parseOllamaHost(text)).toMatchObject({ ok: false, error });
  });

  it("comes from the setting before the environment", () => {
    expect(chosenHost("box", "other")).toBe("box");
    expect(chosenHost(" ", "other")).toBe("other");
    expect(chosenHost("", undefined)).toBe("");
  });

  it("is displayed without user and password", () => {
    expect(withoutCredentials("https://me:p%40ss@box:443/x@y")).toBe("https://box:443/x@y");
    expect(withoutCredentials("http://box:80/a@b")).toBe("http://box:80/a@b");
  });

  it.each([
    ["http://127.0.0.1:1", true],
    ["http://127.8.0.1:1", true],
    ["http://localhost:1", true],
    ["http://[::1]:1", true],
    ["http://192.168.0.4:1", false],
    ["http://localhost.example.com:1", false],
    ["http://127.example.com:1", false],
  ])("%s is this machine: %s", (url, local) => {
    expect(isLocalHost(url)).toBe(local);
  });
});
