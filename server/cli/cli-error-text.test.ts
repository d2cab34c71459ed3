import { expect, test } from "vitest";
import type { AgentError } from "@/lib/events/error";
import { cliErrorText } from "./cli-error-text";

test.each<[AgentError, string]>([
  [{ code: "model_missing", facts: { model: "none:1b" } }, "this model isn't installed"],
  [
    { code: "model_missing", facts: { model: "none", available: "one, two" } },
    "the built-in engine has no model none; choose one that it has (one, two), or add it in the settings under Models",
  ],
  [
    { code: "model_missing", facts: { model: "none", available: "" } },
    "the built-in engine has no models; download or add none in the settings under Models",
  ],
  [
    { code: "model_missing", facts: { provider: "c1" } },
    "the session's connection was removed (c1); pass --model to choose another model",
  ],
  [
    { code: "start_failed", detail: "couldn't bind HTTP server socket", facts: { takenPort: "8080" } },
    "couldn't start the model server; try again (couldn't bind HTTP server socket)",
  ],
  [
    { code: "server_unreachable", facts: { tried: ["http://127.0.0.1:1"], online: ["environment", "router"] } },
    "no model server responds; start one, set OLLAMA_HOST or OPENAI_BASE_URL, or run gopi-web init, which finds one or downloads one with a model (tried http://127.0.0.1:1); to use the online connection environment, pass --model environment",
  ],
  [
    { code: "server_unreachable", detail: "502 Bad Gateway nginx", facts: { status: 502, router: true } },
    "the router at this address can't reach a model host (502); check that a host behind it is running, then try again",
  ],
  [
    { code: "key_refused", facts: { keyFile: "too_large", path: "/run/key" } },
    "/run/key, which OPENAI_API_KEY_FILE names, is too large for a key; let it contain nothing but the key",
  ],
  [
    { code: "server_busy", facts: { status: 429, retryAt: new Date(2026, 10, 30, 14, 20).getTime() } },
    "the model server asks for a longer wait; try again at 2026-11-30, 14:20",
  ],
  [
    { code: "tool_refused", facts: { tools: "jira, bash" } },
    "the model server refused the definition of jira, bash, which is left out of this session",
  ],
  [
    { code: "engine_missing" },
    "no llama-server was found; download it in the settings under Models, or install llama.cpp",
  ],
  [
    { code: "key_refused", detail: "401", facts: { wants: "user" } },
    "the model server asks for a user name; choose how the key is sent in Settings > Connections, and enter the name; a connection from the environment has both in its address: OPENAI_BASE_URL=https://NAME:PASSWORD@…",
  ],
])("%j is printed as %s", (error, text) => expect(cliErrorText(error)).toBe(text));
