import type { ChannelView } from "@/lib/channels/channels";
import { describe, expect, test } from "vitest";
import { dayMs } from "@/lib/time/duration";
import type { HostStatus, StatusReport } from "@/lib/protocol/status-report";
import { isBrokenStatus, statusLines } from "./status-lines";

const ollama: HostStatus = {
  id: "ollama",
  name: "Ollama",
  address: "http://127.0.0.1:11434",
  models: ["qwen3:8b", "m:8b"],
  isOptional: false,
};
const working: StatusReport = {
  version: "1.2.0",
  server: { address: "http://127.0.0.1:4674", pid: 42, version: "1.2.0", responds: true },
  hosts: [ollama],
  sessions: { working: 3, waiting: 1, cards: [] },
  automations: { on: 0, paused: [] },
  config: { path: "/h/config.yaml", problems: [] },
  home: { path: "/h", bytes: 12_345_678, isWritable: true },
  service: { status: "running", file: "/s" },
};
const stopped: StatusReport = { ...working, server: null, hosts: null, sessions: null, automations: undefined };

test("each part has its line while all is well", () => {
  expect(statusLines(working)).toEqual([
    "gopi-web      1.2.0",
    "server        ok: http://127.0.0.1:4674, process 42",
    "Ollama        ok: http://127.0.0.1:11434, 2 models",
    "sessions      ok: 3 at work, 1 of them waits for your answer in the browser",
    "config.yaml   ok",
    "home          ok: /h, 12 MB",
    "service       ok: running, /s",
  ]);
  expect(isBrokenStatus(working)).toBe(false);
});

test("a stopped server is not broken, and the line says how to start it", () => {
  expect(statusLines(stopped)).toEqual([
    "gopi-web      1.2.0",
    "server        stopped; start it with: gopi-web",
    "config.yaml   ok",
    "home          ok: /h, 12 MB",
    "service       ok: running, /s",
  ]);
  expect(isBrokenStatus(stopped)).toBe(false);
});

const unreachable = { ...ollama, models: [], error: { code: "server_unreachable" } } as const;
const problem = { line: 3, column: 1, key: "tools.bash_timeout", detail: "a time" } as const;
const withHost = (host: HostStatus): StatusReport => ({ ...working, hosts: [host] });

test("a channel that is on has its state, and one that needs the owner is broken", () => {
  const withState = (connection: ChannelView["connection"]): StatusReport => ({
    ...working,
    channels: [{ kind: "telegram", isOn: true, apiAddress: "", token: "stored", connection, people: [] }],
  });
  const online = withState({ kind: "online", name: "@home_bot" });
  expect(statusLines(online)).toContain("telegram      ok: online as @home_bot");
  expect(isBrokenStatus(online)).toBe(false);
  const refused = withState({ kind: "stopped", error: { code: "key_refused" } });
  expect(statusLines(refused)).toContainEqual(
    expect.stringMatching(/^telegram {6}stopped: .*; see Settings, Channels$/),
  );
  expect(isBrokenStatus(refused)).toBe(true);
});

test("a certificate is all right until 14 days before its end", () => {
  const withEnd = (days: number): StatusReport => ({
    ...working,
    tls: { file: "/cert.pem", expiresAt: Date.now() + days * dayMs },
  });
  expect(statusLines(withEnd(15))).toContainEqual(expect.stringMatching(/^https {9}ok: \/cert.pem, valid until /));
  expect(isBrokenStatus(withEnd(15))).toBe(false);
  expect(statusLines(withEnd(13))).toContainEqual(expect.stringMatching(/^https .*; renew it$/));
  expect(isBrokenStatus(withEnd(13))).toBe(true);
});

describe("what is broken has the next step", () => {
  test.each<[what: string, report: StatusReport, line: string]>([
    [
      "a server that does not respond",
      { ...stopped, server: { address: "http://127.0.0.1:4674", pid: 42, version: "1.2.0", responds: false } },
      "server        process 42 doesn't respond; stop it with: kill 42, and start again",
    ],
    [
      "the main model server",
      withHost(unreachable),
      "Ollama        http://127.0.0.1:11434: the model server isn't responding; start it or set OLLAMA_HOST",
    ],
    [
      "a connection that does not respond",
      withHost({ ...unreachable, id: "c1", name: "LM Studio", address: "http://gpu:1234/v1" }),
      "LM Studio     http://gpu:1234/v1: not responding; start it, or remove it in the settings under Connections",
    ],
    [
      "a refused key",
      withHost({ ...unreachable, id: "c1", name: "Work\u001b", address: "https://a", error: { code: "key_refused" } }),
      "Work\\u{1b}    https://a: the model server rejected the key",
    ],
    [
      "a wrong value in config.yaml",
      { ...working, config: { path: "/h/config.yaml", problems: [{ code: "bad_value", ...problem }] } },
      "config.yaml   line 3: tools.bash_timeout must be a time. The value before stays in force. Correct it in /h/config.yaml",
    ],
    [
      "a config.yaml that cannot be read",
      { ...working, config: { path: "/h/config.yaml", problems: [], error: { code: "no_permission" } } },
      "config.yaml   /h/config.yaml: permission denied",
    ],
    [
      "a home that cannot be written",
      { ...stopped, home: { path: "/h", bytes: 0, isWritable: false } },
      "home          /h can't be written; correct its permissions, or choose another folder with --home DIR",
    ],
  ])("%s", (_what, report, line) => {
    expect(statusLines(report)).toContain(line);
    expect(isBrokenStatus(report)).toBe(true);
  });
});

test.each<[what: string, report: StatusReport, line: string]>([
  [
    "Ollama at its usual address while another server is configured",
    withHost({ ...unreachable, isOptional: true }),
    "Ollama        not running at http://127.0.0.1:11434, and not needed",
  ],
  [
    "no model yet",
    withHost({ ...ollama, models: [] }),
    "Ollama        http://127.0.0.1:11434: no models; download one, for example: ollama pull qwen3:8b",
  ],
  [
    "a key of config.yaml without effect",
    { ...working, config: { path: "/h/config.yaml", problems: [{ code: "unknown_key", ...problem }] } },
    "config.yaml   line 3: tools.bash_timeout is not a setting and has no effect. Correct it in /h/config.yaml",
  ],
  [
    "a server of another version",
    { ...working, server: { address: "http://127.0.0.1:1", pid: 1, version: "1.1.0", responds: true } },
    "server        ok: http://127.0.0.1:1, process 1, version 1.1.0; restart it to use 1.2.0",
  ],
  [
    "a service that does not run",
    { ...working, service: { status: "installed", file: "/s" } },
    "service       installed, not running; start it with: gopi-web serve --install (/s)",
  ],
  [
    "no service",
    { ...working, service: { status: "not_installed" } },
    "service       not installed; to start the server when you log in: gopi-web serve --install",
  ],
])("not broken: %s", (_what, report, line) => {
  expect(statusLines(report)).toContain(line);
  expect(isBrokenStatus(report)).toBe(false);
});

test("automations have a line as soon as one is on, and a paused one is named", () => {
  const lineOf = (automations: StatusReport["automations"]) =>
    statusLines({ ...working, automations }).find((line) => line.startsWith("automations"));
  expect(lineOf({ on: 2, paused: [] })).toBe("automations   ok: 2 on");
  const paused = { on: 1, paused: ["Nightly check"] };
  expect(lineOf(paused)).toBe("automations   1 on; paused after failures: Nightly check; see Settings, Automations");
  expect(isBrokenStatus({ ...working, automations: paused })).toBe(true);
});
