/**
 * Recognizes an Ollama that answers nothing any more after an error of its parser, as 0.32.6 to 0.32.14 do (ollama
 * e0c95a5ff).
 */
import { anyFacts, type ErrorCode } from "@/lib/events/error";
import { pause } from "@/server/base/abort";
import { type Failure, ProviderError } from "../provider";

/** The version with the cure. */
const curedIn = "0.32.15";
const isAffected = (version: string): boolean => /^v?0\.32\.(?:[6-9]|1[0-4])(?!\d)/.test(version);

/** Codes of the errors of its parsers, some of which have no words of their own. */
const parserCodes = new Set<ErrorCode>(["unparsed_answer", "bad_answer", "server_error"]);

interface ParserHangsOptions {
  version(signal: AbortSignal): Promise<string>;
  /** Wait for the head of an answer after such an error, ms. */
  readonly silentMs: number;
}

interface ParserHangs {
  /** Records how an answer failed. */
  learn(failure: Failure): void;
  /**
   * Sends a request; its own signal fires with `signal`, too. Throws `stalled` if no head of an answer arrives in time from
   * a server that may hang; the second time in a row it is certain (fact: `cure`).
   */
  send<T>(request: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function makeParserHangs({ version, silentMs }: ParserHangsOptions): ParserHangs {
  let mayHang = false;
  let silent = 0;

  /** Resolves with whether the server hangs, or with false as soon as the signal fires. */
  async function hangs(signal: AbortSignal): Promise<boolean> {
    if (!(await pause(silentMs, signal))) return false;
    return isAffected(await version(signal).catch(() => ""));
  }

  return {
    learn({ error }) {
      // A line below an answer that had begun, not a status.
      if (parserCodes.has(error.code)) mayHang ||= anyFacts(error).status === undefined;
    },
    async send(request, signal) {
      if (!mayHang) return await request(signal);
      const stop = new AbortController();
      const answered = new AbortController();
      let isSilent = false;
      const watch = hangs(AbortSignal.any([signal, answered.signal])).then((found) => {
        isSilent = found;
        if (found) stop.abort();
      });
      try {
        const answer = await request(AbortSignal.any([signal, stop.signal]));
        mayHang = false;
        silent = 0;
        return answer;
      } catch (cause) {
        if (!isSilent) throw cause;
        silent += 1;
        const error = {
          code: "stalled",
          facts: { stallMs: silentMs, ...(silent > 1 ? { cure: curedIn } : {}) },
        } as const;
        throw new ProviderError(error, { retryable: silent === 1 });
      } finally {
        answered.abort();
        await watch;
      }
    },
  };
}
