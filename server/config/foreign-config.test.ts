/** Tests of configuration files of the five tools, in their documented forms, and of our own export. */
import { describe, expect, test } from "vitest";
import type { ForeignConfig } from "./foreign-config";
import { parseForeignConfig } from "./foreign-config";
import { formatExport } from "./export-settings";
import type { Connection } from "@/lib/models/models";
import { limits, type Settings, settingsDefaults } from "@/lib/settings/settings";
import { parseConfigDocument } from "./yaml-text";

const exportConnections = (connections: readonly Connection[]): string =>
  formatExport({ settings: settingsDefaults, models: [], connections });

const presets = [
  { id: "openrouter", baseUrl: "https://openrouter.example/api/v1" },
  { id: "openai", baseUrl: "https://openai.example/v1" },
  { id: "claude", baseUrl: "https://claude.example/v1" },
  { id: "vllm", baseUrl: "http://127.0.0.1:8000/v1" },
  { id: "ollama", baseUrl: "http://127.0.0.1:11434" },
  { id: "custom", baseUrl: "" },
];

function found(text: string): ForeignConfig {
  const read = parseForeignConfig(text, presets);
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
}

test("Gopi's config.yaml gives settings only", () => {
  expect(found('ollama:\n  host: "http://box:11434"\n  tool_calling: react\ntools:\n  bash_timeout: 10s\n')).toEqual({
    formats: ["gopi", "gopi-web"],
    settings: { ollamaHost: "http://box:11434", toolCalling: "react", bashTimeoutSeconds: 10 },
    connections: [],
    models: [],
    ignored: [],
  });
});

describe("Kore's config.yaml", () => {
  const security = `context:
  max_tokens: 32768
  max_tree_depth: 3
  max_files_per_dir: 20
security:
  blocked_cmds: [rm, sudo]
  blocked_paths: [".secrets"]
`;

  test("with a server of the OpenAI wire gives a connection with its key", () => {
    const llm =
      "llm:\n  provider: openai\n  model: gpt-x\n  api_key: sk-1\n  base_url: https://own.example/v1\n  temperature: 0.3\n";
    expect(found(llm + security)).toEqual({
      formats: ["kore"],
      settings: {
        contextMaxTokens: 32_768,
        treeDepth: 3,
        treeFolderEntries: 20,
        blockedWords: ["rm", "sudo"],
        protectedNames: [".secrets"],
      },
      connections: [
        {
          name: "Kore",
          preset: "openai",
          baseUrl: "https://own.example/v1",
          model: "gpt-x",
          numCtx: 0,
          temperature: 0.3,
          key: "sk-1",
          hasKey: true,
        },
      ],
      models: [],
      ignored: [],
    });
  });

  test("with Ollama gives its address and model; invalid values are listed", () => {
    const { settings, ignored } = found(
      "llm:\n  provider: ollama\n  base_url: http://box:1\n  model: q\n  temperature: 0.3\ncontext:\n  max_tree_depth: 30\n  colour: red\n",
    );
    expect(settings).toEqual({ ollamaHost: "http://box:1", model: "q", temperature: 0.3 });
    expect(ignored).toEqual(["context.max_tree_depth", "context.colour"]);
  });
});

describe("Kimi's TOML", () => {
  test("in the flat form", () => {
    const text =
      'base_url = "https://own.example/v1"\napi_key = "sk-2"\nmodel = "k2"\nmax_steps = 30\nmax_retries = 2\nyolo = true\n';
    expect(found(text)).toMatchObject({
      formats: ["kimi", "llama-cli"],
      settings: { maxSteps: 30, retries: 2 },
      connections: [{ name: "own.example", baseUrl: "https://own.example/v1", model: "k2", key: "sk-2" }],
      ignored: ["yolo"],
    });
  });

  test("with providers and models", () => {
    const text = `default_model = "big"
[loop_control]
max_steps_per_turn = 12
[providers.cloud]
type = "kimi"
base_url = "https://cloud.example/v1"
api_key = "sk-3"
[models.small]
provider = "cloud"
model = "k-small"
[models.big]
provider = "cloud"
model = "k-big"
max_context_size = 65536
`;
    expect(found(text)).toMatchObject({
      formats: ["kimi"],
      settings: { maxSteps: 12 },
      connections: [
        { name: "cloud", baseUrl: "https://cloud.example/v1", model: "k-big", numCtx: 65_536, key: "sk-3" },
      ],
    });
  });

  test("a name that is written in full comes before one that differs in separators only", () => {
    const text = `default_model = "k25"
[providers.cloud]
base_url = "https://cloud.example/v1"
[models."k-2.5"]
provider = "cloud"
model = "older"
[models.k25]
provider = "cloud"
model = "chosen"
`;
    expect(found(text)).toMatchObject({ connections: [{ name: "cloud", model: "chosen" }] });
  });
});

test("Golem's config.json: providers with a key or an address; the chosen model belongs to its provider", () => {
  const text = JSON.stringify({
    agents: {
      defaults: {
        workspace: "~/w",
        model: "anthropic/claude-x",
        maxTokens: 8192,
        temperature: 0.7,
        maxToolIterations: 20,
      },
    },
    providers: {
      openrouter: { apiKey: "sk-or" },
      anthropic: { apiKey: "sk-an" },
      deepseek: { apiKey: "" },
      ollama: { apiBase: "http://box:11434" },
    },
    channels: { telegram: { enabled: true, token: "t", allowFrom: [] } },
  });
  const { settings, connections, ignored, formats } = found(text);
  expect(formats).toEqual(["golem"]);
  expect(settings).toEqual({ maxSteps: 20, maxOutputTokens: 8_192, ollamaHost: "http://box:11434" });
  expect(connections).toMatchObject([
    { name: "openrouter", preset: "openrouter", baseUrl: "https://openrouter.example/api/v1", key: "sk-or" },
    { name: "anthropic", preset: "claude", model: "claude-x", temperature: 0.7, key: "sk-an" },
  ]);
  expect(ignored).toContain("channels.telegram.token");
  expect(ignored).toContain("agents.defaults.workspace");
});

test("Golem's model and temperature apply to Ollama when its model is Ollama's", () => {
  const text = JSON.stringify({
    agents: { defaults: { model: "ollama/qwen3:8b", temperature: 0.7 } },
    providers: { ollama: { apiBase: "http://box:11434" } },
  });
  expect(found(text).settings).toEqual({ ollamaHost: "http://box:11434", model: "qwen3:8b", temperature: 0.7 });
});

test("Golem's default model, whose own provider has no key, belongs to OpenRouter", () => {
  const text = JSON.stringify({
    agents: { defaults: { model: "anthropic/Claude-x", temperature: 0.7 } },
    providers: { openrouter: { apiKey: "sk-or" }, anthropic: { apiKey: "" } },
  });
  expect(found(text).connections).toMatchObject([
    { name: "openrouter", model: "anthropic/Claude-x", temperature: 0.7, key: "sk-or" },
  ]);
});

test("LlamaCLI's config.json: each profile except Ollama's gives a connection, the active Ollama profile the address", () => {
  const text = JSON.stringify({
    version: 2,
    activeProfile: "home",
    profiles: {
      home: { backend: "ollama", url: "http://box:11434", model: "q" },
      rack: { backend: "vllm", url: "http://rack:8000/v1", model: "m", auth: "tok" },
    },
  });
  expect(found(text)).toMatchObject({
    formats: ["llama-cli"],
    settings: { ollamaHost: "http://box:11434", model: "q" },
    connections: [{ name: "rack", preset: "vllm", baseUrl: "http://rack:8000/v1", model: "m", key: "tok" }],
    ignored: ["version"],
  });
});

describe("our own export", () => {
  const connection = {
    id: "rack",
    name: "Rack",
    preset: "vllm",
    baseUrl: "http://rack:8000/v1",
    model: "m",
    numCtx: 65_536,
    temperature: 0.2,
  };

  test("round-trips without keys", () => {
    const text = exportConnections([{ ...connection, key: { from: "file" }, local: true }]);
    expect(text).not.toMatch(/key\s*:/i);
    expect(found(text)).toMatchObject({
      formats: ["gopi-web"],
      connections: [
        {
          name: "Rack",
          preset: "vllm",
          baseUrl: "http://rack:8000/v1",
          model: "m",
          numCtx: 65_536,
          temperature: 0.2,
          key: "",
          hasKey: false,
        },
      ],
      ignored: [],
    });
  });

  test("has all settings and model options, but no password and no id of a connection", () => {
    const changed: Partial<Settings> = { theme: "dark-blue", maxSteps: 7, blockedWords: ["rm"], codeFont: "Fira Code" };
    const settings = { ...settingsDefaults, ...changed, ollamaHost: "http://me:pw@box:11434", connection: "c1" };
    const models = [{ name: "qwen3*", settings: { numCtx: 8_192, think: "high", keepAliveMinutes: 90 } }] as const;
    const text = formatExport({ settings, models, connections: [] });
    expect(text).not.toMatch(/pw|c1/);
    expect(found(text)).toEqual({
      formats: ["gopi-web"],
      settings: { ...changed, ollamaHost: "http://box:11434" },
      models,
      connections: [],
      ignored: [],
    });
  });

  test("names the model options that cannot be used", () => {
    const text =
      "connections: []\nmodels:\n  qwen3:\n    context_window: 8192\n    think: sometimes\n    colour: red\n";
    expect(found(text)).toMatchObject({
      models: [{ name: "qwen3", settings: { numCtx: 8_192 } }],
      ignored: ["models.qwen3.think", "models.qwen3.colour"],
    });
  });

  test.each(["password", "header"] as const)("keeps how the key is sent: as %s", (as) => {
    const keyUse = { as, name: "X-Me" };
    const text = exportConnections([{ ...connection, keyUse, key: { from: "file" }, local: true }]);
    expect(found(text)).toMatchObject({ connections: [{ keyUse }], ignored: [] });
  });

  test.each([{ sessionHeader: "", atOnce: 3 }, { sessionHeader: "x-me" }, {}])(
    "keeps how a router is used: %j",
    (routing) => {
      const text = exportConnections([{ ...connection, ...routing, key: { from: "file" }, local: true }]);
      const [read] = found(text)?.connections ?? [];
      expect({ sessionHeader: read?.sessionHeader, atOnce: read?.atOnce }).toEqual({
        sessionHeader: undefined,
        atOnce: undefined,
        ...routing,
      });
    },
  );

  test("moves user name and password of an address to their fields", () => {
    expect(found("connections:\n  - name: Rack\n    base_url: http://me:pw@rack:8000/v1\n")).toMatchObject({
      connections: [
        { baseUrl: "http://rack:8000/v1", keyUse: { as: "password", name: "me" }, key: "pw", hasKey: true },
      ],
    });
  });

  test("keeps a connection to Ollama as one to Ollama", () => {
    const attic = { ...connection, preset: "ollama", baseUrl: "http://attic:11434" };
    expect(found(exportConnections([{ ...attic, key: { from: "file" }, local: true }]))).toMatchObject({
      connections: [{ preset: "ollama", baseUrl: "http://attic:11434", model: "m", numCtx: 65_536 }],
      ignored: [],
    });
  });
});

test.each(["", "just words", "[1, 2]", '{"a": 1}', "key = ", "\u0000\u0001", "a: [", "# nothing\n"])(
  "%j is no configuration of these",
  (text) => {
    expect(parseForeignConfig(text, presets)).toMatchObject({ ok: false, error: { code: "bad_import" } });
  },
);

test("hostile keys do not change our objects", () => {
  const { settings } = found(
    '{"llm": {"provider": "ollama"}, "__proto__": {"mode": "full"}, "security": {"blocked_cmds": "rm"}}',
  );
  expect(settings).toEqual({});
  expect(Object.getPrototypeOf(settings)).toBe(Object.prototype);
});

test.each([
  ["base_url: http://box:1/v1\nmodel: m\n", ["kimi", "llama-cli"]],
  ['{"providers":{"openrouter":{"api_key":"k"}}}', ["golem", "kimi"]],
  ["providers: {}\nmodels: {}\nmax_steps: 3\n", ["kimi"]],
  ["providers: {}\nagents: {}\n", ["golem"]],
  ["tools:\n  bash_timeout: 10s\n", ["gopi", "gopi-web"]],
  ["context:\n  max_tokens: 8192\n", ["gopi-web", "gopi", "kore"]],
  ["security:\n  blocked_cmds: [rm]\n", ["gopi-web", "gopi", "kore"]],
  ["security:\n  sandbox: true\ntools:\n  bash_timeout: 10s\n", ["gopi-web"]],
  ["tui:\n  send_key: enter\n", ["gopi-web"]],
  ["editor:\n  tab_size: 4\n", ["gopi-web"]],
  ["tui:\n  theme: dark\n", ["gopi", "gopi-web"]],
])("%j lists every tool it may belong to", (text, formats) => {
  expect(found(text).formats).toEqual(formats);
});

test.each([
  ["TOML", 'base_url = "https://own.example/v1"\nmax_steps = 30\nyolo = true\n', (index: number) => `[t${index}]\n`],
  ["YAML", "base_url: https://own.example/v1\nmax_steps: 30\nyolo: true\n", (index: number) => `k${index}: 1\n`],
])("a file of %s with too many values is refused", (_what, head, line) => {
  const lines = Array.from({ length: 20_000 }, (_, index) => line(index)).join("");
  expect(parseForeignConfig(head, presets)).toMatchObject({ ok: true });
  expect(parseForeignConfig(head + lines, presets)).toMatchObject({ ok: false, error: { code: "bad_import" } });
});

test.each([
  ["lists", "[".repeat(100_000)],
  ["maps", `${"{a: ".repeat(60_000)}`],
  ["lists in lists", `ollama:\n  x: ${"- ".repeat(100_000)}`],
  ["closed lists", `tui: ${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ["lists of TOML", `max_steps = ${"[".repeat(100_000)}${"]".repeat(100_000)}`],
])("%s nested deep are refused at once", (_what, text) => {
  expect(parseForeignConfig(text, presets)).toMatchObject({ ok: false, error: { code: "bad_import" } });
  expect(parseConfigDocument(text.slice(0, limits.configMaxChars), "other").problems).toMatchObject([
    { code: "bad_syntax" },
  ]);
});
