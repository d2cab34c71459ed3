/** Commands for model servers, models and connections. */
import * as z from "zod/mini";
import { defineCommand, connectionId, modelName, noInput, windowTokens } from "./command-input";
import { answersAtOnceMax } from "../models/connection-routing";
import { keyUses } from "../models/key-use";
import type { ModelHost } from "./status-report";
import { modelPatchSchema } from "../settings/model-settings-schema";
import type {
  Connection,
  ConnectionCheck,
  ConnectionPreset,
  DoctorRun,
  ModelDetails,
  ModelInfo,
  ModelServerState,
  PullState,
  WindowPlan,
} from "../models/models";

const connectionFields = z.object({
  id: z.optional(connectionId),
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  preset: z.string().check(z.maxLength(40)),
  baseUrl: z.string().check(z.maxLength(500)),
  model: z.string().check(z.maxLength(200)),
  temperature: z.optional(z.number().check(z.gte(0), z.lte(2))),
  numCtx: windowTokens,
  /** Absent = as a bearer token. */
  keyUse: z.optional(z.object({ as: z.enum(keyUses), name: z.string().check(z.maxLength(200)) })),
  key: z.optional(z.string().check(z.maxLength(2000))),
  /** Absent = by the address, empty = none. */
  sessionHeader: z.optional(z.string().check(z.maxLength(200))),
  /** Absent = as the server reports, or by the address. */
  atOnce: z.optional(z.int().check(z.gte(1), z.lte(answersAtOnceMax))),
});
/** Without `connection`: a model of the Ollama server in the settings. */
const modelOfServer = z.object({ model: modelName, connection: z.optional(connectionId) });
const savedOrDraft = z.object({ id: z.optional(connectionId), draft: z.optional(connectionFields) });

export const modelCommands = {
  "models.refresh": defineCommand<ModelServerState>()(noInput),
  /** Asks all model servers for their models. */
  "models.hosts": defineCommand<{ readonly hosts: readonly ModelHost[] }>()(noInput),
  /** Subscribes the client to model state; the server is polled while any client is subscribed. */
  "models.watch": defineCommand<null>()(z.object({ on: z.boolean() })),
  "models.start": defineCommand<ModelServerState>()(noInput),
  "models.pull": defineCommand<PullState>()(
    z.object({
      name: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,198}$/)),
      connection: z.optional(connectionId),
    }),
  ),
  "models.cancel_pull": defineCommand<null>()(z.object({ name: z.string(), connection: z.optional(connectionId) })),
  "models.show": defineCommand<ModelDetails>()(z.object({ model: modelName })),
  "models.window": defineCommand<WindowPlan>()(modelOfServer),
  /**
   * Writes the user's settings of a model to `models.yaml`. Window, tool calling, instructions and thinking apply to
   * sessions that select the model afterwards, the others to the next request. Fails with models_invalid if the file
   * has a syntax error.
   */
  "models.choose": defineCommand<null>()(
    z.object({
      model: modelName,
      /** A connection's id; absent = Ollama. */
      connection: z.optional(connectionId),
      /** auto = chosen by the program. */
      ...modelPatchSchema.shape,
      /** tokens; 0 = largest that fits */
      numCtx: z.optional(windowTokens),
    }),
  ),
  /**
   * Preloads the model of a new session (`model`, or the default) unless it is already loaded or the server is busy.
   */
  "models.warm": defineCommand<null>()(z.object({ model: z.optional(modelName) })),
  /**
   * Starts to load a model of a connection whose server lists states; its list has the progress. Fails with busy while a
   * session works there, and with the server's error.
   */
  "models.load": defineCommand<null>()(z.object({ model: modelName, connection: connectionId })),
  "models.unload": defineCommand<null>()(modelOfServer),
  /** Deletes the model from its server. */
  "models.remove": defineCommand<null>()(modelOfServer),
  /**
   * Starts the model test, or joins the running one; progress and result are pushed. Fails with busy while another
   * model is tested.
   */
  "models.doctor": defineCommand<DoctorRun>()(z.object({ model: modelName, connection: z.optional(connectionId) })),
  "models.cancel_doctor": defineCommand<null>()(noInput),
  "connections.list": defineCommand<{ connections: readonly Connection[]; presets: readonly ConnectionPreset[] }>()(
    noInput,
  ),
  /** Creates a connection if `id` is absent. `key`: absent = unchanged, empty = deleted. */
  "connections.save": defineCommand<Connection>()(connectionFields),
  "connections.remove": defineCommand<null>()(z.object({ id: connectionId })),
  /**
   * Lists the models of a saved connection or of a draft; the key of a draft is sent to its server only and not stored.
   */
  "connections.models": defineCommand<{ models: readonly ModelInfo[] }>()(savedOrDraft),
  "connections.test": defineCommand<ConnectionCheck>()(savedOrDraft),
} as const;
