/** Images of messages: uploads them when they are attached and loads them when they are displayed. */
import { useMemo } from "react";
import type { AddedImage } from "../../chat/composer/use-images";
import type { ImageStore } from "../../chat/composer/composer";
import { type Messages, useMessages } from "../../messages/messages";
import { type AppClient, useClient } from "../../state/client";
import { loadImage } from "../../state/load-image";
import { useServerState } from "../../state/use-server-state";
import { type ModelSelection, toModelFields } from "../start/model-selection";
import { errorText } from "../notices/toast-error";

/** For the model the images are meant for; an empty name = the server chooses, and refuses what it cannot read. */
export function useImageStore({ model, connection }: ModelSelection): ImageStore {
  const client = useClient();
  const messages = useMessages();
  const models = useServerState("models");
  // A changed list of models may say that this one sees images now, so that images that wait are checked again.
  return useMemo(
    () => imageStore(client, messages, { model, connection }),
    [client, messages, model, connection, models],
  );
}

function imageStore(client: AppClient, messages: Messages, model: ModelSelection): ImageStore {
  return {
    load: loadImage(client),
    check: async () => {
      if (model.model === "") return null;
      const answer = await client.call("images.check", toModelFields(model));
      return !answer.ok && answer.error.code === "no_vision" ? errorText(messages, answer.error) : null;
    },
    add: async (file): Promise<AddedImage> => {
      const data = await readAsBase64(file);
      if (data === null) return { ok: false, refusal: messages.errors.sentences.bad_image };
      const answer = await client.call("images.add", { data });
      return answer.ok ? { ok: true, image: answer.value } : { ok: false, refusal: errorText(messages, answer.error) };
    },
  };
}

/** Reads a file as base64; null = the file is empty or cannot be read. */
const readAsBase64 = (file: File): Promise<string | null> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => {
      const data = typeof reader.result === "string" ? reader.result.slice(reader.result.indexOf(",") + 1) : "";
      resolve(data === "" ? null : data);
    };
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(file);
  });
