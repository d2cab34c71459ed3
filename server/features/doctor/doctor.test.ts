/**
 * Order of tests: one at a time, and a failed start does not block the next. The test steps themselves are covered by
 * server/features/doctor/doctor-sessions.test.ts.
 */
import { expect, it } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { fail, ok } from "@/lib/events/error";
import type { DoctorRun } from "@/lib/models/models";
import { ProviderError } from "@/server/providers/provider";
import { makeDoctor, type ModelUnderTest } from "./doctor";
import type { DoctorSubject } from "./doctor-subject";

const unloadable: DoctorSubject = {
  numCtx: 4_096,
  thinks: false,
  cloud: false,
  tokenRatio: () => 1,
  readPerSecond: () => undefined,
  load: () => Promise.reject(new Error("a bug")),
  probe: () => Promise.reject(new Error("a bug")),
  runTask: () => Promise.reject(new Error("a bug")),
  tools: () => [],
  word: () => "lantern",
};

function doctorOf(modelNamed: (name: string) => Partial<ModelUnderTest> | null) {
  const runs: DoctorRun[] = [];
  const bugs: unknown[] = [];
  const doctor = makeDoctor({
    async prepare(_provider, name) {
      const overrides = modelNamed(name);
      if (overrides === null) return fail("model_missing");
      return ok({ name, subject: unloadable, saveReport: () => {}, close: async () => {}, ...overrides });
    },
    onRun: (run) => runs.push(run),
    onBug: (bug) => bugs.push(bug),
    now: () => 0,
  });
  return { doctor, runs, bugs };
}

it("a failed start leaves the doctor free for the next test", async () => {
  const load = (): Promise<never> => new Promise(() => {});
  const { doctor } = doctorOf((name) => (name === "gone" ? null : { subject: { ...unloadable, load } }));
  expect(await doctor.start("ollama", "gone")).toMatchObject({ ok: false });
  expect(await doctor.start("ollama", "m:8b")).toMatchObject({ ok: true });
  await Promise.resolve().then(() => undefined);
  expect(doctor.current()?.model).toBe("m:8b");
  expect(await doctor.start("ollama", "other")).toMatchObject({ ok: false, error: { code: "busy" } });
});

it("a running test is returned for each name of its model", async () => {
  const load = (): Promise<never> => new Promise(() => {});
  const { doctor } = doctorOf((name) => ({ name: name === "" ? "m:latest" : name, subject: { ...unloadable, load } }));
  const started = await doctor.start("ollama", "");
  expect(started).toMatchObject({ ok: true, value: { model: "m:latest" } });
  for (const name of ["", "m", "m:latest"]) expect(await doctor.start("ollama", name)).toMatchObject({ ok: true });
  expect(await doctor.start("ollama", "m:8b")).toMatchObject({ ok: false, error: { code: "busy" } });
});

it("a scratch folder that cannot be deleted is reported as a bug, and the next test begins", async () => {
  const { doctor, runs, bugs } = doctorOf(() => ({ close: () => Promise.reject(new Error("the disk is full")) }));
  await doctor.start("ollama", "m:8b");
  await doctor.close();
  expect(runs.at(-1)).toMatchObject({ model: "m:8b", cancelled: true });
  expect(bugs.map(String)).toContain("Error: the disk is full");
  expect(doctor.current()).toBeNull();
});

it("a model that its server does not have any more gets no report", async () => {
  const saved: string[] = [];
  const saveReport = ({ model }: { readonly model: string }): void => void saved.push(model);
  const load = (code: "model_missing" | "out_of_memory") => () => Promise.reject(new ProviderError({ code }));
  const { doctor, runs } = doctorOf((name) => ({
    saveReport,
    subject: { ...unloadable, load: load(name === "gone" ? "model_missing" : "out_of_memory") },
  }));
  for (const name of ["gone", "large"]) {
    expect(await doctor.start("ollama", name)).toMatchObject({ ok: true });
    await eventually(() => expect(doctor.current()).toBeNull());
    expect(runs.at(-1)?.report).toMatchObject({ model: name, verdict: "unusable" });
  }
  expect(saved).toEqual(["large"]);
});
