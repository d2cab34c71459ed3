/** The program that the engine runs: searched for when it is needed, and again when the user has chosen another one, or it has failed. */
import { ok, type Result } from "@/lib/events/error";
import type { EngineOffer, EngineState } from "@/lib/models/engine";
import { type CheckedProgram, findEngineProgram, type ProgramSearch } from "./engine-program";

export interface CurrentProgram {
  /** Searches for it. Fails as `findEngineProgram`. */
  look(): Promise<Result<CheckedProgram | null>>;
  /** Searches unless the last search has found one, the choice is still the same, and it has not failed since. */
  get(): Promise<Result<CheckedProgram | null>>;
  /** It could not be started: it may have been removed or updated. */
  failed(): void;
  /** Result of the last search; null = no program that runs. */
  found(): CheckedProgram | null;
  /** `update` = what replaces it. */
  state(update: (program: CheckedProgram) => EngineOffer | undefined): Pick<EngineState, "program" | "problem">;
}

interface CurrentProgramOptions extends Omit<ProgramSearch, "chosen"> {
  /** Absolute path; empty = none. */
  chosen(): string;
}

export function makeCurrentProgram({ chosen, ...place }: CurrentProgramOptions, signal: AbortSignal): CurrentProgram {
  let last: Result<CheckedProgram | null> = ok(null);
  let lastChosen = "";
  let hasFailed = false;
  const found = (): CheckedProgram | null => (last.ok ? last.value : null);
  const look = async (): Promise<typeof last> => {
    const choice = chosen();
    const result = await findEngineProgram({ ...place, chosen: choice }, signal);
    last = result;
    lastChosen = choice;
    hasFailed = false;
    return result;
  };
  return {
    look,
    get: async () => (found() === null || lastChosen !== chosen() || hasFailed ? look() : last),
    failed() {
      hasFailed = true;
    },
    found,
    state(updateOf) {
      if (!last.ok) return { program: null, problem: last.error };
      if (last.value === null) return { program: null };
      const { program, version, isInstalled } = last.value;
      const update = updateOf(last.value);
      return { program: { path: program, version, isInstalled, ...(update && { update }) } };
    },
  };
}
