/** References of user messages: what a client sends, and the command that measures them before. */
import * as z from "zod/mini";
import type { ReferencedLines } from "../events/content";
import type { AgentError } from "../events/error";
import { limits } from "../settings/settings";
import { commit, connectionId, defineCommand, idText, modelName, path, projectId, sessionId } from "./command-input";

const lineNumber = z.int().check(z.gte(1));

const lines = z.object({ first: lineNumber, last: lineNumber }).check(z.refine(({ first, last }) => last >= first));
const label = z.string().check(z.minLength(1), z.maxLength(limits.referenceLabelChars));

const reference = z.discriminatedUnion("kind", [
  /** `lines` absent = the whole file; lines after its end are left out. */
  z.object({ kind: z.literal("file"), path: path.check(z.minLength(1)), lines: z.optional(lines) }),
  /** The names in a folder; "" = the project. */
  z.object({ kind: z.literal("folder"), path }),
  z.object({
    kind: z.literal("text"),
    label,
    text: z.string().check(z.minLength(1), z.maxLength(limits.promptMaxChars)),
  }),
  /**
   * The uncommitted changes of the project; where git is not run, those of the session. `git` = git's patch of the staged ones, of
   * those that are not staged, or of a commit. Stored as a text.
   */
  z.object({
    kind: z.literal("changes"),
    label,
    git: z.optional(z.union([z.enum(["staged", "changed"]), commit])),
    lines: z.optional(lines),
  }),
  /** Title, summary and last answer of another session of the project. Stored as a text. */
  z.object({ kind: z.literal("session"), sessionId, label, lines: z.optional(lines) }),
  /** A reference of an earlier or queued message of the session, with the bytes stored there. */
  z.object({ kind: z.literal("stored"), messageId: idText, index: z.int().check(z.gte(0)) }),
]);

/** A reference as a client names it, before its content is read. */
export type Reference = z.infer<typeof reference>;
/** A reference that needs no session. */
export type NewReference = Exclude<Reference, { readonly kind: "stored" }>;

/** The references of one message. */
export const messageReferences = z.readonly(z.array(reference).check(z.maxLength(limits.messageReferences)));

/** Size of a reference for the model, or why it cannot be sent. */
export type ReferenceSize =
  | {
      readonly ok: true;
      /** Estimated tokens, scaled by the counts of the model server. */
      readonly tokens: number;
      /** Its first lines that fit, if the whole exceeds `maxTokens`; null = not even one. Absent = it fits. */
      readonly fitting?: ReferencedLines | null;
    }
  | { readonly ok: false; readonly error: AgentError };

export const referenceCommands = {
  /** Sizes of references in their order; `maxTokens` is the limit of each. `model` is that of a new session. */
  "references.measure": defineCommand<{ maxTokens: number; sizes: readonly ReferenceSize[] }>()(
    z.object({
      projectId,
      sessionId: z.optional(sessionId),
      model: z.optional(modelName),
      connection: z.optional(connectionId),
      references: messageReferences,
    }),
  ),
} as const;
