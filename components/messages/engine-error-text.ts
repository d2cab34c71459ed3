/** Sentences for the errors of the built-in engine, with what is known about them. Pure. */
import type { AgentError } from "@/lib/events/error";
import type { EngineState } from "@/lib/models/engine";
import type { FullMessages } from "./full-messages";
import { joinSentences } from "./join-sentences";

/** `program` = the one that is used, null = none; absent = not known, and the next step that depends on it is left out. */
export function engineErrorText(
  { code, facts = {} }: AgentError,
  messages: FullMessages,
  program?: EngineState["program"],
): string {
  const { problems } = messages.engine;
  const { host, status, hasOtherFile, missingBytes, library, architecture, signal, variable, privateHost } = facts;
  const { program: path, place, takenPort, isMemoryKill, model, file, repository } = facts;
  switch (code) {
    case "bad_input":
      if (typeof variable === "string") return problems.badHub(variable);
      break;
    case "disk_full":
      if (typeof missingBytes === "number") return problems.noSpace(messages.figures.bytes(missingBytes));
      break;
    case "download_failed":
      if (typeof host !== "string") break;
      if (typeof privateHost === "string") return problems.privateHost(host, privateHost);
      if (hasOtherFile === true) return problems.otherFile(host);
      return typeof status === "number" && status >= 400 ? problems.refused(host, status) : problems.noAnswer(host);
    case "out_of_memory":
      if (signal === "SIGKILL") return isMemoryKill === true ? problems.memoryKilled : problems.killed;
      break;
    case "model_missing":
      if (typeof file === "string") return problems.noModelFile(String(model), file);
      break;
    case "engine_missing":
      if (typeof path !== "string") break;
      if (place === "folder") return problems.isFolder(path);
      return place === "file" ? problems.notExecutable(path) : problems.noProgram(path);
    case "engine_incompatible":
    case "engine_ended":
      if (typeof library === "string") return problems.noLibrary(library);
      if (typeof path === "string") return problems.notRunning(path);
      break;
    case "model_unsupported": {
      if (typeof architecture !== "string" || architecture === "") break;
      const isLatest = program?.isInstalled === true && program.update === undefined;
      const next = isLatest ? problems.updateProduct : problems.updateProgram;
      return joinSentences(messages, [problems.unsupported(architecture), program === undefined ? "" : next]);
    }
    case "too_many":
      return typeof repository === "string" ? problems.tooManyFiles(repository) : problems.tooManyModels;
    case "tool_missing":
      return problems.noTar;
    case "start_failed":
      if (takenPort !== undefined) return problems.port;
      break;
    default:
      break;
  }
  return messages.errors.sentences[code];
}
