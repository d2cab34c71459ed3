/** The doctor with the model servers and sessions of this server. The tests load with the first run. */
import type { Push } from "@/lib/protocol/push";
import { randomSecret } from "@/server/base/id";
import type { ModelAccess } from "@/server/models/access/model-access";
import type { SessionServices } from "@/server/session/core/services";
import { type Doctor, makeDoctor } from "./doctor";

export interface DoctorServiceOptions {
  readonly access: ModelAccess;
  readonly services: SessionServices;
  readonly environment: NodeJS.ProcessEnv;
  push(push: Push): void;
  reportBug(name: string, error: unknown): void;
  now(): number;
}

export function makeDoctorService(options: DoctorServiceOptions): Doctor {
  const { access, services, environment, push, reportBug, now } = options;
  /** Returns a few letters that are in no prompt. */
  const word = (): string =>
    randomSecret()
      .replace(/[^a-z]/gi, "")
      .slice(0, 7)
      .toLowerCase();
  return makeDoctor({
    async prepare(...asked) {
      const { prepareModelUnderTest } = await import("./model-under-test");
      return prepareModelUnderTest({ access, services, environment, word }, ...asked);
    },
    onRun: (run) => push({ type: "doctor", run }),
    onBug: (error) => reportBug("doctor", error),
    now,
  });
}
