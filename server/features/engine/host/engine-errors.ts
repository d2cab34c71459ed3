/** Derives the reason why the engine ended from its log and its exit. Pure. */
import { type AgentError, type ErrorCode, makeError } from "@/lib/events/error";

/** End of an engine's process. */
interface EngineExit {
  /** null = by a signal. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The system's count of processes ended for lack of memory has increased since its start. */
  readonly isMemoryKill?: boolean;
}

interface LogRule {
  readonly says: RegExp;
  readonly code: ErrorCode;
  /** Name of the fact that holds the first group. */
  readonly fact?: "architecture" | "library" | "takenPort";
}

/** In order; the first match decides. Texts of llama.cpp (src/llama-model-loader.cpp, ggml/src), Vulkan and ld.so. */
const logRules: readonly LogRule[] = [
  { says: /unknown model architecture: '([^']*)'/, code: "model_unsupported", fact: "architecture" },
  { says: /unknown (?:pre-tokenizer|projector) type: '?([^'\s]*)/, code: "model_unsupported", fact: "architecture" },
  {
    says: /out of memory|bad_alloc|OutOfDeviceMemory|cudaMalloc failed|(?:failed|unable) to allocate|insufficient memory/i,
    code: "out_of_memory",
  },
  {
    says: /invalid magic|corrupted or incomplete|not within the file bounds|failed to read (?:magic|header|key-value)/i,
    code: "model_file_broken",
  },
  // A projector that is damaged, or of another model.
  { says: /mismatch between text model|failed to load multimodal model/i, code: "model_file_broken" },
  { says: /(GLIBC(?:XX)?_[\d.]+)' not found/, code: "engine_incompatible", fact: "library" },
  { says: /loading shared libraries: (\S+): cannot open/, code: "engine_incompatible", fact: "library" },
  { says: /Exec format error|Illegal instruction/i, code: "engine_incompatible" },
  // A card without memory has its own texts above.
  { says: /ErrorDeviceLost|DeviceLostError|ErrorInitializationFailed|CUDA error:/, code: "graphics_failed" },
  { says: /couldn't bind HTTP server socket.*port: (\d+)/i, code: "start_failed", fact: "takenPort" },
];

const detailChars = 600;
/** Time and level of a line. */
const linePrefix = /^[\d.]+ [A-Z] +/;

/**
 * `log` = its last lines. Facts: `architecture`, `library`, `takenPort`, `exit`, or the `signal` that killed it, with
 * `isMemoryKill` if it was certainly the system for lack of memory.
 */
export function findEngineError(
  log: readonly string[],
  { code, signal, isMemoryKill = false }: EngineExit,
): AgentError {
  const text = log.join("\n");
  for (const rule of logRules) {
    const match = rule.says.exec(text);
    if (match === null) continue;
    const line = log.find((each) => rule.says.test(each)) ?? "";
    const facts = rule.fact === undefined ? {} : { [rule.fact]: match[1] ?? "" };
    return makeError(rule.code, { detail: line.replace(linePrefix, "").slice(0, detailChars), facts });
  }
  if (signal === "SIGILL") return { code: "engine_incompatible", detail: signal };
  // The system ends the largest process when memory runs out; a user may have ended it, too.
  if (signal === "SIGKILL")
    return { code: "out_of_memory", detail: signal, facts: { signal, ...(isMemoryKill && { isMemoryKill }) } };
  const last = log.slice(-3).map((line) => line.replace(linePrefix, ""));
  const ending = signal ?? `exit ${code}`;
  return { code: "engine_ended", detail: [ending, ...last].join("\n").slice(0, detailChars), facts: { exit: ending } };
}
