/** Whether a message may carry images: decided by the model that will get it. Called by session. */
import type { ImageRef } from "@/lib/content";
import { fail, ok, type Result } from "@/lib/error";
import type { SessionView } from "@/lib/view";
import type { SessionServices, WantedModel } from "./services";

/**
 * Asks about `wanted`, else the session's model, else the one a new session gets. Fails with no_vision, and with not_found when
 * an image is not stored. Without any model the caller fails with its own reason.
 */
export function mayShow(
  { chooseModel, seesImages, store }: Pick<SessionServices, "chooseModel" | "seesImages" | "store">,
  view: SessionView,
  images: readonly ImageRef[],
  wanted: WantedModel | undefined,
): Result<null> {
  if (images.length === 0) return ok(null);
  const current = wanted === undefined ? view.model?.model : undefined;
  const model = current ?? chooseModel(wanted ?? { name: "" })?.change.model;
  if (model !== undefined && !seesImages(model)) return fail("no_vision", undefined, { model });
  return images.every(({ blob }) => store.blobs.has(blob)) ? ok(null) : fail("not_found");
}
