/** Test rig: the services of the product over a scripted model server, and the doctor. */
import { onTestFinished } from "vitest";
import { type Script, type ScriptedModel, startScriptedModel } from "@/e2e/fixtures/scripted-model.mjs";
import type { DoctorRun } from "@/lib/models/models";
import type { ComposedServices } from "@/server/compose-services";
import { type Doctor, makeDoctor } from "@/server/features/doctor/doctor";
import { prepareModelUnderTest } from "@/server/features/doctor/model-under-test";
import { makeTestServices, type TestServices } from "@/server/session/testing/test-services";

export interface ModelRig
  extends ComposedServices,
    Pick<TestServices, "store" | "settings" | "leftovers" | "pushes" | "logged" | "home" | "root"> {
  readonly model: ScriptedModel;
  readonly doctor: Doctor;
  /** Resolves with the last doctor run when it has ended. */
  doctorResult(): Promise<DoctorRun>;
  /** Simulates a kill and a start over the same home; returns the services of the new process. */
  restart(): ComposedServices;
}

export interface RigOptions {
  /** Variables added to the minimal environment. */
  readonly environment?: (model: ScriptedModel) => Readonly<Record<string, string>>;
  /** --model */
  readonly named?: string;
  readonly now?: () => number;
}

export async function makeModelRig(script: Script = {}, options: RigOptions = {}): Promise<ModelRig> {
  const model = await startScriptedModel(script);
  // Registered first, so that it runs last.
  onTestFinished(model.close);
  const services = makeTestServices({
    model: options.named ?? null,
    now: options.now,
    settings: { ollamaHost: model.url },
    environment: options.environment?.(model),
  });
  const { pushes, logged, leftovers } = services;
  const running = services.services();
  const environment = { PATH: process.env.PATH, HOME: services.home, NODE_ENV: "test" } as const;
  const waiting = new Set<() => void>();
  const doctor = makeDoctor({
    prepare: (...parameters) =>
      prepareModelUnderTest({ ...running, environment, leftovers, word: () => "lantern" }, ...parameters),
    onRun(run) {
      pushes.push({ type: "doctor", run });
      for (const check of [...waiting]) check();
    },
    onBug: (error) => void logged.push(error instanceof Error ? (error.stack ?? "") : String(error)),
    now: Date.now,
  });
  onTestFinished(doctor.close);
  return {
    ...services,
    ...running,
    model,
    doctor,
    restart() {
      services.restart();
      return services.services();
    },
    doctorResult: () =>
      new Promise((resolve) => {
        const check = (): void => {
          const run = pushes.flatMap((one) => (one.type === "doctor" ? [one.run] : [])).at(-1);
          if (run?.report === undefined && run?.cancelled !== true) return;
          waiting.delete(check);
          resolve(run);
        };
        waiting.add(check);
        check();
      }),
  };
}
