/** Commands for the built-in engine. */
import * as z from "zod/mini";
import type { EngineState, ForeignModel, ModelPreview } from "../models/engine";
import { defineCommand, modelName, noInput } from "./command-input";

/** A path on the server's machine. */
const filePath = z.string().check(z.minLength(1), z.maxLength(4_096));
/** Name of a model on Hugging Face. */
const hubName = z.string().check(z.minLength(1), z.maxLength(500));

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
  /** Removes a model from the list. Its file stays, unless gopi-web has downloaded it. Fails with not_found, no_permission. */
  "engine.remove": defineCommand<EngineState>()(z.object({ model: modelName })),
  /**
   * Starts the download of a model from Hugging Face, or continues it; the `engine` push has its progress and its end.
   * `model` = `hf:user/repository:Q4_K_M`, where the quantization may be left out, or the address of a page or file. Fails
   * with bad_input (no such name), not_found (facts: `available` quantizations, if only this one is missing), no_permission
   * (an account is needed), exists, too_many (models; or files, fact: `repository`), disk_full, download_failed,
   * model_file_broken (it has arrived as it is on the server).
   */
  "engine.download": defineCommand<EngineState>()(z.object({ model: hubName })),
  /**
   * Size of a model on Hugging Face, and how it suits this machine's memory; reads the list of its repository and the start
   * of its file. Fails as `engine.download` does before a transfer, except with disk_full.
   */
  "engine.preview": defineCommand<ModelPreview>()(z.object({ model: hubName })),
  /** Pauses a download; what was received is kept. Fails with not_found. */
  "engine.pauseDownload": defineCommand<EngineState>()(z.object({ model: hubName })),
  /** Gives a download up and deletes what was received. Fails with not_found, no_permission. */
  "engine.cancelDownload": defineCommand<EngineState>()(z.object({ model: hubName })),
  /**
   * Starts fetching a build of llama.cpp, or continues it; the `engine` push has its progress and its end. Fails with
   * not_found for a build that is not offered.
   */
  "engine.install": defineCommand<EngineState>()(
    z.object({ build: z.enum(["cpu", "metal", "vulkan", "cuda12", "cuda13"]) }),
  ),
  /** Pauses fetching; what was received is kept. */
  "engine.pauseInstall": defineCommand<EngineState>()(noInput),
  /** Gives fetching up and deletes what was received. The program that is used stays. Fails with no_permission. */
  "engine.cancelInstall": defineCommand<EngineState>()(noInput),
  /** Deletes the program that was fetched, and what was received of one. Models stay. Fails with no_permission. */
  "engine.uninstall": defineCommand<EngineState>()(noInput),
  /**
   * Starts loading a model with the window of new sessions; the `engine` push has the result. Fails with not_found, and with
   * busy while a model answers.
   */
  "engine.load": defineCommand<EngineState>()(z.object({ model: modelName })),
  /** Ends the engine, so that its memory is free. */
  "engine.unload": defineCommand<EngineState>()(noInput),
  /** Resolves when the list of its models has been read after the start: only then its connection is in the welcome. */
  "engine.ready": defineCommand<Record<never, never>>()(noInput),
};
