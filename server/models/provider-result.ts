/** Converts provider errors to results. */
import { ok, type Result } from "@/lib/events/error";
import { ProviderError } from "@/server/providers/provider";

/** Runs `question`; a ProviderError becomes a failed Result. Rethrows anything else, including the signal's reason. */
export async function providerResult<T>(question: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await question());
  } catch (cause) {
    if (cause instanceof ProviderError) return { ok: false, error: cause.error };
    throw cause;
  }
}
