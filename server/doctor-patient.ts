/** Sets up a model for the doctor: its server through the queue, and the product's agent in a scratch folder. */
import { fail, ok, type Result } from "@/lib/error";
import type { DoctorReport, ModelInfo } from "@/lib/models";
import { asId, type SessionId } from "@/lib/id";
import { storedPromptFor } from "./agent/stored-prompt";
import { makeScratch, type Scratch } from "./doctor-scratch";
import type { ModelAccess } from "./model-access";
import { profileOf, thinkAt, wantedModel } from "./model-choice";
import type { Patient } from "./models/doctor";
import type { Asked, DoctorSubject } from "./models/doctor-steps";
import type { Models } from "./models/models";
import { ollamaOf } from "./models/ollama-of";
import type { HostQueue } from "./models/queue";
import type { ModelRequest } from "./providers/provider";
import type { ServerEntry } from "./server-entry";
import type { SessionServices } from "./session/services";
import { builtinTools } from "./tools/registry";

export interface PatientOptions {
  readonly access: Pick<ModelAccess, "models" | "connections" | "queue" | "servers">;
  readonly services: SessionServices;
  readonly environment: NodeJS.ProcessEnv;
  /** Returns a word that is in no prompt yet. */
  word(): string;
}

/** Session id of a test in the queue of its server. */
const who = asId<SessionId>("doctor");

/** Fails with not_found, model_missing, server_unreachable. The scratch folder is created with the first task. */
export async function patientFor(
  options: PatientOptions,
  provider: string,
  name: string,
  signal: AbortSignal,
): Promise<Result<Patient>> {
  const { models, connections, servers } = options.access;
  const server = servers.get(provider);
  if (server === undefined) return fail("not_found", provider);
  const ollama = ollamaOf({ models, connections }, provider);
  if (ollama !== undefined) {
    const found = await ollama.find(name, signal);
    if (!found.ok) return found;
    await ollama.window(found.value.name, signal);
  }
  await connections.ready(provider);
  const model = wantedModel(server.known(), name);
  if (model === undefined) return fail("model_missing", undefined, { model: name });
  let scratch: Promise<Scratch> | null = null;
  const subject = makeSubject(options, server, model, () => (scratch ??= makeScratch(options)));
  return ok({
    name: model.name,
    subject,
    keep: (report) => keep(server, report),
    async close() {
      await (await scratch)?.close();
    },
  });
}

/** Stores the report; new sessions take the tool mode that works, unless the user chose one. */
function keep(server: ServerEntry, report: DoctorReport): void {
  const { learned } = server;
  const key = server.keyOf(report.model);
  if (report.steps.some(({ step, state }) => step === "tools" && (state === "ok" || state === "weak")))
    learned.rememberMode(key, report.toolMode);
  learned.keepReport(key, report);
}

function makeSubject(
  { access, services, word }: PatientOptions,
  server: ServerEntry,
  model: ModelInfo,
  scratch: () => Promise<Scratch>,
): DoctorSubject {
  const { provider } = server.known();
  const ollama = ollamaOf(access, provider);
  const keepAliveMinutes = (): number => services.settings().keepAliveMinutes;
  const note = () => server.note(model.name);
  return {
    numCtx: server.known().plan(model).chosen,
    thinks: model.capabilities.includes("thinking"),
    cloud: model.cloud,
    tokenRatio: () => note().tokenRatio ?? 1,
    readPerSecond: () => note().readPerSecond,
    word,
    load:
      ollama === undefined
        ? null
        : (numCtx, signal) => load(ollama, access.queue, model.name, { numCtx, minutes: keepAliveMinutes() }, signal),
    ask(text, asking, signal) {
      const request: ModelRequest = {
        provider,
        model: model.name,
        messages: [{ role: "user", text }],
        tools: [],
        numCtx: asking.numCtx,
        think: thinkAt(server.known(), model, asking.think),
        keepAliveMinutes: keepAliveMinutes(),
        maxOutputTokens: asking.maxOutputTokens,
      };
      return ask(services, request, signal);
    },
    async act(mode, numCtx, task, signal) {
      const profile = profileOf(model, numCtx);
      const change = {
        provider,
        model: model.name,
        ...(model.digest === undefined ? {} : { digest: model.digest }),
        toolMode: mode,
        numCtx,
        think: thinkAt(server.known(), model, false),
        profile,
      };
      return (await scratch()).act({ change, prompt: storedPromptFor(profile, mode, builtinTools) }, task, signal);
    },
  };
}

/** Loading occupies the server like an answer, so it waits in the queue. */
async function load(
  models: Models,
  queue: HostQueue,
  name: string,
  { numCtx, minutes }: { readonly numCtx: number; readonly minutes: number },
  signal: AbortSignal,
) {
  const release = await queue.enter(models.state().host, who, signal);
  try {
    // 0 would unload the model before the first prompt.
    await models.warm(name, numCtx, minutes === 0 ? 1 : minutes, signal);
    return await models.lookAtLoaded(name, numCtx);
  } finally {
    release();
  }
}

async function ask({ stream }: SessionServices, request: ModelRequest, signal: AbortSignal): Promise<Asked> {
  let text = "";
  let asked: Omit<Asked, "text"> = {
    thought: false,
    promptTokens: 0,
    promptMs: 0,
    outputTokens: 0,
    outputMs: 0,
  };
  for await (const part of stream(request, signal, who)) {
    if (part.type === "text") text += part.text;
    if (part.type === "thinking") asked = { ...asked, thought: true };
    if (part.type === "failed") asked = { ...asked, error: part.error };
    if (part.type === "finish") {
      const { promptTokens, promptMs, outputTokens, outputMs } = part.usage;
      asked = { ...asked, promptTokens, promptMs, outputTokens, outputMs };
    }
  }
  signal.throwIfAborted();
  return { ...asked, text };
}
