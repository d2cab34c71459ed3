/**
 * Trials of tools by the owner: run on the road of a model's call, within the limits of its results, and ended by Stop. A
 * trial is run once: a client that lost its connection sends its command again.
 */
import { joinTextBlocks, messageImageRefs } from "@/lib/events/content";
import { fail, ok, type Result } from "@/lib/events/error";
import type { ToolTrial } from "@/lib/tools/trials";
import { ToolError, type ToolResult } from "../core/tool";
import { truncateText } from "../core/truncate-text";
import { externalResultLimits } from "./external-tool";
import { describeMissingFiles } from "./result-files";

/** Results that a repeated command still gets; trials that run are beside them. */
const maxResults = 20;

interface Trials {
  /** `id` = of the trial. Fails with aborted after `stop`, and as `attemptTrial`. */
  run(id: string, work: (signal: AbortSignal) => Promise<ToolResult>): Promise<Result<ToolTrial>>;
  stop(id: string): void;
}

/** `ends` fires when all trials are to end. */
export function makeTrials(ends: AbortSignal): Trials {
  const stops = new Map<string, AbortController>();
  const results = new Map<string, Promise<Result<ToolTrial>>>();
  const start = async (id: string, work: (signal: AbortSignal) => Promise<ToolResult>): Promise<Result<ToolTrial>> => {
    const stop = new AbortController();
    const signal = AbortSignal.any([ends, stop.signal]);
    stops.set(id, stop);
    try {
      return await attemptTrial(async () => toToolTrial(await work(signal)));
    } catch (error) {
      if (signal.aborted) return fail("aborted");
      throw error;
    } finally {
      stops.delete(id);
      const ended = [...results.keys()].filter((one) => !stops.has(one));
      for (const old of ended.slice(0, -maxResults)) results.delete(old);
    }
  };
  return {
    run(id, work) {
      const result = results.get(id) ?? start(id, work);
      results.set(id, result);
      return result;
    },
    stop: (id) => stops.get(id)?.abort(),
  };
}

/** Fails with the code of a ToolError; the detail is the text that a model would get. Rejects with anything else. */
export async function attemptTrial<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    if (error instanceof ToolError) return fail(error.code, error.messageForModel);
    throw error;
  }
}

function toToolTrial({ output, facts, failed = false }: ToolResult): ToolTrial {
  const text = describeMissingFiles(joinTextBlocks(output), facts.files ?? [], "not kept after a trial");
  return { text: truncateText(text, externalResultLimits, text.length).text, images: messageImageRefs(output), failed };
}
