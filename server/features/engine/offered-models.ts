/** The engine's models as its connection offers them: with their measurements, and how they are loaded. */
import { fail, ok, type Result } from "@/lib/events/error";
import { engineConnectionId } from "@/lib/models/engine";
import type { ModelAccess } from "@/server/models/access/model-access";
import type { ListedModel } from "./models/model-list";

type OfferedBy = Pick<ModelAccess, "servers" | "queue">;

export function withNotes(models: readonly ListedModel[], { servers }: OfferedBy): readonly ListedModel[] {
  const noted = servers.get(engineConnectionId)?.facts().models ?? [];
  return models.map((model) => {
    const info = noted.find(({ name }) => name === model.name);
    return model.info === undefined || info === undefined ? model : { ...model, info };
  });
}

/** Settings with which a model is loaded before its first request. */
interface LoadPlan {
  /** Window of new sessions, tokens. */
  readonly window: number;
  /** It stays in memory for so long without a request; -1 = until it is unloaded. */
  readonly keepAliveMinutes: number;
}

/** Fails with not_found, and with busy while a model answers. */
export function planLoad(name: string, keepAliveMinutes: number, { servers, queue }: OfferedBy): Result<LoadPlan> {
  const server = servers.get(engineConnectionId);
  const { models, plan } = server?.facts() ?? {};
  const info = models?.find((model) => model.name === name);
  if (server === undefined || info === undefined || plan === undefined) return fail("not_found", name);
  if (queue.isBusy(server.host())) return fail("busy", undefined, { model: name });
  const minutes = info.note?.keepAliveMinutes ?? keepAliveMinutes;
  // 0 would unload the model before the first request.
  return ok({ window: plan(info).chosen, keepAliveMinutes: minutes === 0 ? 1 : minutes });
}
