/** What an error says on the command line: one plain sentence, and the words of whoever failed. */
import type { AgentError, ErrorCode } from "@/lib/error";
import { printable } from "./options";

const sentences: Readonly<Partial<Record<ErrorCode, string>>> = {
  not_allowed: "the server does not know this program any more",
  not_found: "it is not there any more",
  too_large: "it is too large",
  not_idle: "the session is still running",
  gone: "the project's folder is gone",
  not_folder: "it is not a folder",
  no_permission: "no permission",
  disk_full: "the disk is full",
  server_unreachable: "the model server does not answer; start it, or set OLLAMA_HOST",
  connection_lost: "the connection was lost",
  stalled: "the model server stopped in the middle of its answer",
  model_missing: "this model is not installed",
  key_refused: "the model server refuses the key",
  prompt_cut: "the model server read less than was sent",
  timeout: "it took too long",
  no_tools: "this model cannot call tools",
  out_of_memory: "there is not enough memory for this model",
  window_full: "the conversation no longer fits the context window",
  server_busy: "the model server is busy",
  server_error: "the model server reported an error",
  bad_answer: "the model server's answer could not be read",
  incomplete: "the answer ended before it was complete",
  empty_answer: "the model gave an empty answer",
  no_model: "no model is installed or chosen; pull one, or name one with --model",
  step_limit: "the run reached its step limit",
  internal: "something went wrong in gopi-web itself",
  interrupted: "the run was interrupted",
  store_failed: "the database reported an error",
};

/** Without a full stop, for the end of a line. */
export function sentenceOf(error: AgentError): string {
  // Named only where there is no server of that id any more.
  if (error.code === "model_missing" && typeof error.facts?.provider === "string")
    return `the session's connection was removed (${printable(error.facts.provider)}); name a model with --model`;
  const said = sentences[error.code] ?? error.code.replaceAll("_", " ");
  return error.detail ? `${said} (${printable(error.detail)})` : said;
}

/** A run that cannot go on; the message is for the user. */
export class RunFailure extends Error {}
