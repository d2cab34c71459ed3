/** Error messages of the command line: one plain sentence, with the error's own detail. */
import type { AgentError, ErrorCode } from "@/lib/events/error";
import { type ErrorSentences, errorSentence } from "@/lib/events/error-sentences";
import { printable } from "./arguments/options";

const errorSentences: Readonly<Partial<Record<ErrorCode, string>>> = {
  not_allowed: "the server no longer recognizes this program",
  not_found: "it no longer exists",
  too_large: "it is too large",
  outside: "it is outside the project folder",
  protected: "it is protected, so that the model can't read it",
  binary: "it is not a text",
  not_idle: "the session is still running",
  gone: "the project folder no longer exists",
  not_folder: "not a folder",
  no_permission: "permission denied",
  disk_full: "the disk is full",
  server_unreachable: "the model server isn't responding; start it or set OLLAMA_HOST",
  connection_lost: "the connection was lost",
  stalled: "the model server stopped mid-answer",
  model_missing: "this model isn't installed",
  wrong_scheme: "the address begins with http:// where the port speaks https, or the reverse",
  key_refused: "the model server rejected the key",
  prompt_cut: "the model server cut the prompt",
  timeout: "timed out",
  no_tools: "this model can't call tools",
  out_of_memory: "not enough memory for this model",
  engine_missing: "no llama-server was found; download it in the settings under Models, or install llama.cpp",
  engine_ended: "the built-in engine ended unexpectedly",
  engine_incompatible: "the built-in engine doesn't run on this system",
  graphics_failed: "the graphics card's driver failed",
  model_file_broken: "the model file is damaged or isn't a model; download it again",
  model_unsupported: "the built-in engine is too old for this model; update it in the settings under Models",
  start_failed: "couldn't start the model server; try again",
  window_full: "the conversation no longer fits the context window",
  server_busy: "the model server is busy",
  server_error: "the model server reported an error",
  bad_answer: "couldn't read the model server's answer",
  incomplete: "the answer ended before it was complete",
  empty_answer: "the model gave an empty answer",
  tool_refused: "the model server refused the definition of a tool; switch that tool off in the settings",
  lost_arguments: "tool calls arrive without their arguments; choose calls as text for this model in the settings",
  unparsed_answer:
    "the model server couldn't read the model's answer; choose calls as text for this model in the settings",
  lost_call: "the model started a tool call but never finished it",
  no_model: "no model installed or selected; gopi-web init downloads one, or pass --model",
  no_summary: "there is nothing to summarize yet",
  no_gain: "a summary would not make the conversation shorter",
  step_limit: "the run reached its step limit",
  feature_failed: "this part of gopi-web couldn't start; restart gopi-web",
  internal: "something went wrong in gopi-web",
  interrupted: "the run was interrupted",
  download_failed: "the download failed; try again to go on with it",
  store_failed: "the database reported an error",
  bad_import:
    "this is not a session that can be imported; choose a .jsonl file of gopi-web, Gopi, pi, Claude Code or Codex",
  no_sandbox: "commands can't be sandboxed on this machine",
  config_invalid: "config.yaml is faulty, so that nothing can be written into it; gopi-web status names the line",
};

/** Sentences with what the facts name, which need no detail. */
const factSentences: ErrorSentences = {
  // `provider` is given only if no server has that id any more.
  model_missing: ({ provider, model, available }) =>
    provider === undefined
      ? missingInEngine(printable(String(model)), available)
      : `the session's connection was removed (${printable(provider)}); pass --model to choose another model`,
  server_unreachable: ({ openAi, tried, online, router, status }) => {
    if (openAi !== undefined)
      return `the server at ${printable(openAi)} is not Ollama; set OPENAI_BASE_URL=${printable(openAi)} instead of OLLAMA_HOST, or add it as a connection`;
    if (tried !== undefined)
      return `no model server responds; start one, set OLLAMA_HOST or OPENAI_BASE_URL, or run gopi-web init, which finds one or downloads one with a model (tried ${printable(tried.join(", "))})${onlineHint(online?.[0])}`;
    return router
      ? `the router at this address can't reach a model host (${status}); check that a host behind it is running, then try again`
      : undefined;
  },
  server_busy: ({ retryAt }) =>
    retryAt === undefined ? undefined : `the model server asks for a longer wait; try again at ${localTime(retryAt)}`,
  key_refused: ({ keyFile, path, wants }) => {
    if (keyFile !== undefined) return keyFileText(keyFile, printable(String(path)));
    return wants === "user"
      ? "the model server asks for a user name; choose how the key is sent in Settings > Connections, and enter the name; a connection from the environment has both in its address: OPENAI_BASE_URL=https://NAME:PASSWORD@…"
      : undefined;
  },
  tool_refused: ({ tools }) =>
    tools === undefined
      ? undefined
      : `the model server refused the definition of ${printable(tools)}, which is left out of this session`,
};

/** Without a full stop, for the end of a line. */
export function cliErrorText(error: AgentError): string {
  const specific = errorSentence(factSentences, error, null);
  if (specific !== undefined) return specific;
  const sentence = errorSentences[error.code] ?? error.code.replaceAll("_", " ");
  return error.detail ? `${sentence} (${printable(error.detail)})` : sentence;
}

/** Why the file of a key has none. */
const keyFileText = (reason: string, path: string): string =>
  reason === "too_large"
    ? `${path}, which OPENAI_API_KEY_FILE names, is too large for a key; let it contain nothing but the key`
    : `${path}, which OPENAI_API_KEY_FILE names, can't be read; check that it exists and that this user may read it`;

const localTime = (at: number): string =>
  new Date(at).toLocaleString("en-CA", { dateStyle: "short", timeStyle: "short", hourCycle: "h23" });

/** Services on the internet are used only when they are named. */
const onlineHint = (connection: string | undefined): string =>
  connection === undefined
    ? ""
    : `; to use the online connection ${printable(connection)}, pass --model ${printable(connection)}`;

/** A model that the built-in engine does not have; undefined = it is another server's. */
const missingInEngine = (name: string, available: string | undefined): string | undefined =>
  available === ""
    ? `the built-in engine has no models; download or add ${name} in the settings under Models`
    : available &&
      `the built-in engine has no model ${name}; choose one that it has (${printable(available)}), or add it in the settings under Models`;

/** A run that cannot continue; the message is for the user. `code` = of the error that a command failed with. */
export class RunFailure extends Error {
  constructor(
    message: string,
    readonly code?: ErrorCode,
  ) {
    super(message);
  }
}
