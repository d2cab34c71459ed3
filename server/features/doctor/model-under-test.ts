/** Sets up a model for the doctor: its server through the queue, and the product's agent in a scratch folder. */
import { ok, type Result } from "@/lib/events/error";
import type { DoctorReport, ModelInfo } from "@/lib/models/models";
import type { Profile, ToolMode } from "@/lib/events/event";
import { asId, type SessionId } from "@/lib/events/id";
import { composeStoredPrompt } from "@/server/agent/context/stored-prompt";
import { makeDoctorScratch, type DoctorScratch } from "./doctor-scratch";
import { findServedModel } from "@/server/models/access/find-model";
import type { ModelAccess } from "@/server/models/access/model-access";
import { resolveProfile, resolveThink } from "@/server/models/choice/model-choice";
import type { FeatureHost } from "../feature";
import type { ModelUnderTest } from "./doctor";
import type { ProbeResult, DoctorSubject } from "./doctor-subject";
import type { OllamaService } from "@/server/models/ollama/ollama-service";
import { findOllama } from "@/server/models/ollama/find-ollama";
import type { HostQueue } from "@/server/models/queue/host-queue";
import type { ModelRequest } from "@/server/providers/provider";
import type { ModelServerEntry } from "@/server/models/access/model-server-entry";
import { toolboxToolSource } from "@/server/tools/toolbox/toolbox";
import type { SessionServices } from "@/server/session/core/services";

interface ModelUnderTestOptions {
  readonly access: Pick<ModelAccess, "models" | "connections" | "queue" | "servers">;
  readonly services: SessionServices;
  readonly environment: NodeJS.ProcessEnv;
  readonly leftovers: FeatureHost["leftovers"];
  /** Returns a word that is in no prompt yet. */
  word(): string;
}

/** Session id of a test in the queue of its server. */
const doctorSessionId = asId<SessionId>("doctor");

/** Fails with not_found, model_missing, server_unreachable. The scratch folder is created with the first task. */
export async function prepareModelUnderTest(
  options: ModelUnderTestOptions,
  provider: string,
  name: string,
  signal: AbortSignal,
): Promise<Result<ModelUnderTest>> {
  const found = await findServedModel(options.access, provider, name, signal);
  if (!found.ok) return found;
  const { server, model } = found.value;
  let scratch: Promise<DoctorScratch> | null = null;
  const subject = makeDoctorSubject(options, server, model, () => (scratch ??= makeDoctorScratch(options)));
  return ok({
    name: model.name,
    subject,
    saveReport: (report) => saveReport(server, report),
    async close() {
      await (await scratch)?.close();
    },
  });
}

/** Stores the report; new sessions take the tool mode that works, unless the user chose one. */
function saveReport(server: ModelServerEntry, report: DoctorReport): void {
  const { knowledge } = server;
  const key = server.keyOf(report.model);
  if (report.steps.some(({ step, state }) => step === "tools" && (state === "ok" || state === "weak")))
    knowledge.saveToolMode(key, report.toolMode);
  knowledge.saveReport(key, report);
}

function makeDoctorSubject(
  { access, services, word }: ModelUnderTestOptions,
  server: ModelServerEntry,
  model: ModelInfo,
  scratch: () => Promise<DoctorScratch>,
): DoctorSubject {
  const { provider } = server.facts();
  const ollama = findOllama(access, provider);
  const keepAliveMinutes = (): number => services.settings().keepAliveMinutes;
  const note = () => server.note(model.name);
  const prompt = (profile: Profile, mode: ToolMode) =>
    composeStoredPrompt(profile, mode, [...services.toolSources(), toolboxToolSource]);
  return {
    numCtx: server.facts().plan(model).chosen,
    thinks: model.capabilities.includes("thinking"),
    cloud: model.cloud,
    tokenRatio: () => note().tokenRatio ?? 1,
    readPerSecond: () => note().readPerSecond,
    word,
    load:
      ollama === undefined
        ? null
        : (numCtx, signal) =>
            loadInQueue(ollama, access.queue, model.name, { numCtx, minutes: keepAliveMinutes() }, signal),
    probe(text, asking, signal) {
      const request: ModelRequest = {
        provider,
        model: model.name,
        messages: [...(asking.before ?? []), { role: "user", text }],
        tools: asking.tools ?? [],
        numCtx: asking.numCtx,
        think: resolveThink(server.facts(), model, asking.think),
        keepAliveMinutes: keepAliveMinutes(),
        maxOutputTokens: asking.maxOutputTokens,
      };
      return probe(services, request, signal);
    },
    async runTask(mode, numCtx, task, signal) {
      const profile = resolveProfile(model, numCtx);
      const change = {
        provider,
        model: model.name,
        digest: model.digest,
        toolMode: mode,
        numCtx,
        think: resolveThink(server.facts(), model, false),
        profile,
      };
      return (await scratch()).runTask({ change, prompt: prompt(profile, mode) }, task, signal);
    },
    tools: (numCtx) => prompt(resolveProfile(model, numCtx), "native").tools,
  };
}

/** Loading occupies the server like an answer, so it waits in the queue. */
async function loadInQueue(
  models: OllamaService,
  queue: HostQueue,
  name: string,
  { numCtx, minutes }: { readonly numCtx: number; readonly minutes: number },
  signal: AbortSignal,
) {
  const release = await queue.enter(models.state().host, doctorSessionId, signal);
  try {
    // 0 would unload the model before the first prompt.
    await models.warm(name, numCtx, minutes === 0 ? 1 : minutes, signal);
    return await models.queryLoaded(name, numCtx);
  } finally {
    release();
  }
}

async function probe({ stream }: SessionServices, request: ModelRequest, signal: AbortSignal): Promise<ProbeResult> {
  let text = "";
  let result: Omit<ProbeResult, "text"> = {
    hasThinking: false,
    promptTokens: 0,
    promptMs: 0,
    outputTokens: 0,
    outputMs: 0,
    reading: {},
  };
  for await (const part of stream(request, signal, doctorSessionId)) {
    if (part.type === "text") text += part.text;
    if (part.type === "thinking") result = { ...result, hasThinking: true };
    if (part.type === "failed") result = { ...result, error: part.error };
    if (part.type === "finish") {
      const { promptTokens, promptMs, outputTokens, outputMs } = part.usage;
      result = { ...result, promptTokens, promptMs, outputTokens, outputMs, reading: part.reading ?? {} };
    }
  }
  signal.throwIfAborted();
  return { ...result, text };
}
