/** The engine's models as its connection offers them: with their measurements, and with the window of new sessions. */
import { fail, ok, type Result } from "@/lib/events/error";
import { engineConnectionId, type EngineModel } from "@/lib/models/engine";
import type { ModelAccess } from "@/server/models/access/model-access";

type OfferedBy = Pick<ModelAccess, "servers" | "queue">;

export function withNotes(models: readonly EngineModel[], { servers }: OfferedBy): readonly EngineModel[] {
  const noted = servers.get(engineConnectionId)?.facts().models ?? [];
  return models.map((model) => {
    const info = noted.find(({ name }) => name === model.name);
    return model.info === undefined || info === undefined ? model : { ...model, info };
  });
}

/** Returns the window of new sessions, tokens. Fails with not_found, and with busy while a model answers. */
export function windowToLoad(name: string, { servers, queue }: OfferedBy): Result<number> {
  const server = servers.get(engineConnectionId);
  const { models, plan } = server?.facts() ?? {};
  const info = models?.find((model) => model.name === name);
  if (server === undefined || info === undefined || plan === undefined) return fail("not_found", name);
  return queue.isBusy(server.host()) ? fail("busy", undefined, { model: name }) : ok(plan(info).chosen);
}
