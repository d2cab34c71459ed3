/** Error messages of the command line: one plain sentence, with the error's own detail. */
import type { Json } from "@/lib/events/content";
import type { AgentError, ErrorCode } from "@/lib/events/error";
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

/** Without a full stop, for the end of a line. */
export function cliErrorText(error: AgentError): string {
  // `provider` is given only if no server has that id any more.
  if (error.code === "model_missing" && typeof error.facts?.provider === "string")
    return `the session's connection was removed (${printable(error.facts.provider)}); pass --model to choose another model`;
  if (error.code === "model_missing" && typeof error.facts?.available === "string") return missingInEngine(error.facts);
  if (error.code === "server_unreachable" && typeof error.facts?.openAi === "string")
    return `the server at ${printable(error.facts.openAi)} is not Ollama; set OPENAI_BASE_URL=${printable(error.facts.openAi)} instead of OLLAMA_HOST, or add it as a connection`;
  if (error.code === "server_unreachable" && Array.isArray(error.facts?.tried))
    return `no model server responds; start one, set OLLAMA_HOST or OPENAI_BASE_URL, or run gopi-web init, which finds one or downloads one with a model (tried ${printable(error.facts.tried.join(", "))})${onlineHint(error.facts.online)}`;
  if (error.code === "server_unreachable" && error.facts?.router === true)
    return `the router at this address can't reach a model host (${printable(String(error.facts.status))}); check that a host behind it is running, then try again`;
  if (error.code === "server_busy" && typeof error.facts?.retryAt === "number")
    return `the model server asks for a longer wait; try again at ${localTime(error.facts.retryAt)}`;
  if (error.code === "key_refused" && typeof error.facts?.keyFile === "string")
    return keyFileText(error.facts.keyFile, printable(String(error.facts.path)));
  if (error.code === "key_refused" && error.facts?.wants === "user")
    return "the model server asks for a user name; choose how the key is sent in Settings > Connections, and enter the name; a connection from the environment has both in its address: OPENAI_BASE_URL=https://NAME:PASSWORD@…";
  if (error.code === "tool_refused" && typeof error.facts?.tools === "string")
    return `the model server refused the definition of ${printable(error.facts.tools)}, which is left out of this session`;
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
const onlineHint = (online: Json | undefined): string =>
  Array.isArray(online) && typeof online[0] === "string"
    ? `; to use the online connection ${printable(online[0])}, pass --model ${printable(online[0])}`
    : "";

/** A model that the built-in engine does not have. */
function missingInEngine({ model, available }: NonNullable<AgentError["facts"]>): string {
  const name = printable(String(model));
  if (available === "")
    return `the built-in engine has no models; download or add ${name} in the settings under Models`;
  return `the built-in engine has no model ${name}; choose one that it has (${printable(String(available))}), or add it in the settings under Models`;
}

/** A run that cannot continue; the message is for the user. `code` = of the error that a command failed with. */
export class RunFailure extends Error {
  constructor(
    message: string,
    readonly code?: ErrorCode,
  ) {
    super(message);
  }
}
