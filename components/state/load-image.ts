/** Loads stored images. */
import type { BlobId } from "@/lib/events/id";
import type { AppClient } from "./client";

/** Loads an image as a data: URL and caches it in the query cache; null = it could not be loaded. */
export const loadImage =
  ({ call, cache }: Pick<AppClient, "call" | "cache">) =>
  (blob: BlobId): Promise<string | null> =>
    cache.fetchQuery({
      queryKey: ["images.read", { blob }],
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: async () => {
        const answer = await call("images.read", { blob });
        return answer.ok ? `data:${answer.value.mime};base64,${answer.value.data}` : null;
      },
    });
