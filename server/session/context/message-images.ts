/** Whether a message may carry images: decided by the model that receives it. */
import type { ImageRef } from "@/lib/events/content";
import { fail, ok, type Result } from "@/lib/events/error";
import type { SessionView } from "@/lib/view/view";
import type { SessionServices } from "../core/services";
import type { WantedModel } from "@/server/models/access/session-models";

/**
 * Checks `wanted`, otherwise the session's model, otherwise the model of a new session. Fails with no_vision, and with
 * not_found when an image is not stored. Without any model the caller fails with its own reason.
 */
export function checkImagesAllowed(
  { chooseModel, seesImages, store }: SessionServices,
  view: SessionView,
  images: readonly ImageRef[],
  wanted: WantedModel | undefined,
): Result<null> {
  if (images.length === 0) return ok(null);
  const current = wanted === undefined ? view.model : null;
  const model = current ?? chooseModel(wanted ?? { name: "" })?.change;
  if (model !== undefined && !seesImages(model)) return fail("no_vision", undefined, { model: model.model });
  return images.every(({ blob }) => store.blobs.has(blob)) ? ok(null) : fail("not_found");
}
