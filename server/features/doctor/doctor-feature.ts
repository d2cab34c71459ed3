/** The doctor with the model servers and sessions of this server. */
import { ok } from "@/lib/events/error";
import { randomSecret } from "@/server/base/id";
import { untilAborted } from "@/server/base/abort";
import type { Feature, FeatureHost } from "../feature";
import { makeDoctor } from "./doctor";
import { prepareModelUnderTest } from "./model-under-test";

/** Returns a few letters that are in no prompt. */
const randomWord = (): string =>
  randomSecret()
    .replace(/[^a-z]/gi, "")
    .slice(0, 7)
    .toLowerCase();

export function doctorFeature({
  access,
  services,
  environment,
  leftovers,
  push,
  reportBug,
  now,
}: Pick<FeatureHost, "access" | "services" | "environment" | "leftovers" | "push" | "reportBug" | "now">) {
  const doctor = makeDoctor({
    prepare: (...parameters) =>
      prepareModelUnderTest({ access, services, environment, leftovers, word: randomWord }, ...parameters),
    onRun: (run) => push({ type: "doctor", run }),
    onBug: (error) => reportBug("doctor", error),
    now,
  });
  return {
    commands: {
      "models.doctor": ({ model, connection = "ollama" }) => doctor.start(connection, model),
      "models.cancel_doctor": () => {
        doctor.cancel();
        return ok(null);
      },
    },
    async start(signal) {
      await untilAborted(signal);
      await doctor.close();
    },
    keepsAlive: () => doctor.current() !== null,
    usedModel: () => doctor.current()?.model ?? null,
  } satisfies Feature;
}
