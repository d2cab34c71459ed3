/** Commands for the built-in engine. */
import * as z from "zod/mini";
import type { EngineState, ForeignModel } from "../models/engine";
import { defineCommand, modelName, noInput } from "./command-input";

/** A path on the server's machine. */
const filePath = z.string().check(z.minLength(1), z.maxLength(4_096));

export const engineCommands = {
  "engine.state": defineCommand<EngineState>()(noInput),
  /** Lists the model files of Ollama and LM Studio on this machine that are not added yet. */
  "engine.find": defineCommand<{ readonly models: readonly ForeignModel[] }>()(noInput),
  /**
   * Adds a GGUF file, which stays where it is. `name` is absent: that of the file. Fails with model_file_broken, not_found,
   * no_permission, is_folder, bad_path, exists, too_many.
   */
  "engine.add": defineCommand<EngineState>()(
    z.object({ file: filePath, name: z.optional(modelName), projector: z.optional(filePath) }),
  ),
  /** Removes a model from the list; its file stays. Fails with not_found. */
  "engine.remove": defineCommand<EngineState>()(z.object({ model: modelName })),
  /** Ends the engine, so that its memory is free. */
  "engine.unload": defineCommand<EngineState>()(noInput),
};
