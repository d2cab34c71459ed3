/** Commands for extensions. */
import * as z from "zod/mini";
import {
  type ExtensionFileText,
  extensionNameMaxChars,
  type ExtensionsState,
  extensionTemplates,
  type OfferedCommand,
} from "../tools/extensions";
import { defineCommand, hash, path, projectId, sessionId } from "./command-input";

const extension = path.check(z.minLength(1));
const name = z.string().check(z.minLength(1), z.maxLength(100));

export const extensionCommands = {
  /** Reads the folders of extensions now. Fails with the codes of opening a project. */
  "extensions.list": defineCommand<ExtensionsState>()(z.object({ projectId })),
  /**
   * Enables an extension as it was shown. Fails with not_found, changed_meanwhile, bad_input (it cannot be used),
   * store_readonly, disk_full.
   */
  "extensions.enable": defineCommand<ExtensionsState>()(z.object({ projectId, extension, hash })),
  /** Fails with store_readonly, disk_full. */
  "extensions.disable": defineCommand<ExtensionsState>()(z.object({ projectId, extension })),
  /**
   * Writes a new extension into the home; `path` is its folder. Fails with bad_path (its name), exists, no_permission,
   * disk_full.
   */
  "extensions.create": defineCommand<{ readonly path: string; readonly state: ExtensionsState }>()(
    z.object({
      projectId,
      name: z.string().check(z.minLength(1), z.maxLength(extensionNameMaxChars)),
      template: z.enum(extensionTemplates),
    }),
  ),
  /**
   * Reads one of its files. Fails with not_found, changed_meanwhile (it is not the file that was listed), and the codes
   * of opening a project.
   */
  "extensions.file": defineCommand<ExtensionFileText>()(
    z.object({ projectId, extension, path: path.check(z.minLength(1)) }),
  ),
  /** Recent output of its scripts, without secrets. */
  "extensions.log": defineCommand<{ readonly text: string }>()(z.object({ projectId, extension })),
  /** The slash commands of enabled extensions and of Markdown files. */
  "extensions.commands": defineCommand<{ readonly commands: readonly OfferedCommand[] }>()(z.object({ projectId })),
  /**
   * Returns the text of a slash command. Fails with not_found, too_large, changed_meanwhile, tool_failed (detail: what
   * its script wrote; facts: reason), aborted.
   */
  "extensions.expand": defineCommand<{ readonly text: string }>()(
    z.object({
      projectId,
      name,
      arguments: z.string().check(z.maxLength(20_000)),
      sessionId: z.optional(sessionId),
    }),
  ),
  /** Ends the scripts of slash commands that run in the project. */
  "extensions.stop": defineCommand<null>()(z.object({ projectId })),
};
