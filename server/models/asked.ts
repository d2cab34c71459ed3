/** A question to a model server whose failure is an answer. Called by memory and pages. */
import { ok, type Result } from "@/lib/error";
import { ProviderError } from "@/server/providers/provider";

/** What the server refuses becomes a failed Result; a bug, and the signal's reason, are thrown on. */
export async function asked<T>(question: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await question());
  } catch (cause) {
    if (cause instanceof ProviderError) return { ok: false, error: cause.error };
    throw cause;
  }
}
