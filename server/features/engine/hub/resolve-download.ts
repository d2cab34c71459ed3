/** Finds the files of a model in its repository, before they are downloaded. */
import { ok, type Result } from "@/lib/events/error";
import { modelNameOfFile } from "../models/model-list";
import { chooseModelFiles } from "./choose-files";
import { readHubRepository } from "./hub";
import { formatModelReference, type ModelReference } from "./model-reference";
import type { StoredDownload } from "./stored-downloads";

/** `hub` = address without a slash at its end. Fails as `readHubRepository` and `chooseModelFiles`. */
export async function resolveDownload(
  hub: string,
  reference: ModelReference,
  signal: AbortSignal,
): Promise<Result<StoredDownload>> {
  const listed = await readHubRepository(hub, reference.repository, signal);
  if (!listed.ok) return listed;
  const { repository, commit, files } = listed.value;
  const chosen = chooseModelFiles(files, reference);
  if (!chosen.ok) return chosen;
  const { model, projector } = chosen.value;
  const name = modelNameOfFile(model[0]?.path ?? "").replace(/-\d{5}-of-\d{5}$/, "");
  return ok({
    reference: formatModelReference(reference),
    name,
    repository,
    commit,
    model: [...model],
    ...(projector && { projector }),
  });
}
