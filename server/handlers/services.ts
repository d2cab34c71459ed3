/** What the handlers may ask: everything they need was built by main. */
import type { Push } from "@/lib/push";
import type { Models } from "../models/models";
import type { Registry } from "../session/registry";
import type { Session } from "../session/session";
import type { Store } from "../store/open-store";
import type { Projects } from "../workspace/projects";
import { fail, ok, type Result } from "@/lib/error";
import { limits } from "@/lib/settings";
import type { ProjectId, SessionId, TrashId } from "@/lib/id";

export interface HandlerServices {
  readonly registry: Registry;
  readonly store: Store;
  readonly projects: Projects;
  readonly worlds: { restore(projectId: ProjectId, trashId: TrashId): Promise<Result<{ readonly path: string }>> };
  readonly models: Models;
  readonly version: string;
  readonly home: string;
  push(push: Push): void;
  now(): number;
  bug(name: string, error: unknown): void;
}

export function sessionOf(services: Pick<HandlerServices, "registry">, id: SessionId): Result<Session> {
  const session = services.registry.get(id);
  return session === undefined ? fail("not_found") : ok(session);
}

/** Models are known before one is chosen; asks the server only when nothing was ever heard of it. */
export async function modelsKnown(models: Models): Promise<void> {
  if (models.state().status === "unknown")
    await models.refresh(AbortSignal.timeout(limits.serverAnswerMs)).catch(() => {});
}
