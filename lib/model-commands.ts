/** Commands about model servers. Part of the table in command.ts. */
import * as z from "zod/mini";
import { command, connectionId, modelName, none, windowTokens } from "./command-input";
import { modelPatchSchema } from "./model-settings-schema";
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
} from "./models";

const connectionFields = z.object({
  id: z.optional(connectionId),
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  preset: z.string().check(z.maxLength(40)),
  baseUrl: z.string().check(z.maxLength(500)),
  model: z.string().check(z.maxLength(200)),
  temperature: z.optional(z.number().check(z.gte(0), z.lte(2))),
  numCtx: windowTokens,
  key: z.optional(z.string().check(z.maxLength(2000))),
});
/** Without a connection it is a model of the Ollama of the settings. */
const modelOfServer = z.object({ model: modelName, connection: z.optional(connectionId) });
const savedOrDraft = z.object({ id: z.optional(connectionId), draft: z.optional(connectionFields) });

export const modelCommands = {
  "models.refresh": command<ModelServerState>()(none),
  /** This client shows model state: the server is asked every few seconds while any client does. */
  "models.watch": command<null>()(z.object({ on: z.boolean() })),
  "models.start": command<ModelServerState>()(none),
  "models.pull": command<PullState>()(
    z.object({ name: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,198}$/)) }),
  ),
  "models.cancel_pull": command<null>()(z.object({ name: z.string() })),
  "models.show": command<ModelDetails>()(z.object({ model: modelName })),
  "models.window": command<WindowPlan>()(modelOfServer),
  /**
   * What the user sets for a model: written into `models.yaml`. Window, tool calls, instructions and thinking hold for sessions that
   * take it from now on, the rest for the next request. Fails with models_invalid while the file has bad syntax.
   */
  "models.choose": command<null>()(
    z.object({
      model: modelName,
      /** A connection's id; absent = Ollama. */
      connection: z.optional(connectionId),
      /** auto = what the program would choose. */
      ...modelPatchSchema.shape,
      /** tokens; 0 = what fits */
      numCtx: z.optional(windowTokens),
    }),
  ),
  /** Somebody is about to begin a session: what it would take (`model`, or the best) is loaded, unless it is or the server is busy. */
  "models.warm": command<null>()(z.object({ model: z.optional(modelName) })),
  "models.unload": command<null>()(modelOfServer),
  /** Deletes it from the model server. */
  "models.remove": command<null>()(z.object({ model: modelName })),
  /** Starts the test, or joins the one that goes on; progress and its end are pushed. Fails with busy while another model is tested. */
  "models.doctor": command<DoctorRun>()(z.object({ model: modelName, connection: z.optional(connectionId) })),
  "models.cancel_doctor": command<null>()(none),
  "connections.list": command<{ connections: readonly Connection[]; presets: readonly ConnectionPreset[] }>()(none),
  /** A new one without id. `key`: absent = as it is, empty = forget it. */
  "connections.save": command<Connection>()(connectionFields),
  "connections.remove": command<null>()(z.object({ id: connectionId })),
  /** Of a saved one by its id, or of a draft that is not saved: its key is sent to its own server and kept nowhere. */
  "connections.models": command<{ models: readonly ModelInfo[] }>()(savedOrDraft),
  "connections.test": command<ConnectionCheck>()(savedOrDraft),
} as const;
