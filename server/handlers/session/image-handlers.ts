/** Commands of the image family. */
import { fail, ok } from "@/lib/events/error";
import { detectImageType } from "@/lib/workspace/detect-image-type";
import { limits } from "@/lib/settings/settings";
import type { HandlerTable } from "../handlers";
import type { CoreServices } from "../core-services";

export const imageHandlers = ({ store, services }: CoreServices) =>
  ({
    "images.check": ({ model, connection: provider = "ollama" }) =>
      services.seesImages({ provider, model }) ? ok(null) : fail("no_vision", undefined, { model }),
    "images.add": ({ data }) => {
      const bytes = Buffer.from(data, "base64");
      if (bytes.length > limits.imageMaxBytes) return fail("too_large", undefined, { limit: limits.imageMaxBytes });
      const mime = detectImageType(bytes);
      return mime === null ? fail("bad_image") : ok({ blob: store.blobs.put(bytes), mime });
    },
    "images.read": ({ blob }) => {
      const bytes = store.blobs.get(blob);
      const mime = bytes === undefined ? null : detectImageType(bytes);
      if (bytes === undefined || mime === null) return fail("not_found");
      return ok({ mime, data: Buffer.from(bytes).toString("base64") });
    },
  }) satisfies Partial<HandlerTable>;
