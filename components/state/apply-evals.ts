/** Applies the progress of evals to the fetched overview. */
import type { QueryClient } from "@tanstack/react-query";
import { applyEvalProgress, type EvalOverview, type EvalProgress } from "@/lib/evals/evals";

/** After a gap the overview is fetched again. */
export function applyEvals(cache: QueryClient, progress: EvalProgress): void {
  const overview = cache.getQueryData<EvalOverview>(["evals"]);
  if (overview === undefined) return;
  const run = applyEvalProgress(overview.run, progress);
  if (run === null) void cache.invalidateQueries({ queryKey: ["evals"] });
  else cache.setQueryData<EvalOverview>(["evals"], { ...overview, run });
}
