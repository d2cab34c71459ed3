/** Command builder and the input schemas shared by several commands. */
import * as z from "zod/mini";
import type { Json } from "../events/content";
import { asId, type CommandId, type Hash, type ProjectId, type SessionId } from "../events/id";
import { limits } from "../settings/settings";

/** owner = a signed-in device or the bearer token; viewer = additionally a share link, for its own session. */
type CommandAccess = "owner" | "viewer";

interface CommandSpec<I extends z.ZodMiniType, O> {
  readonly access: CommandAccess;
  readonly input: I;
  /** Carries the type of the result; never read at run time. */
  readonly output?: O;
}
export const defineCommand =
  <O>() =>
  <I extends z.ZodMiniType>(input: I, access: CommandAccess = "owner"): CommandSpec<I, O> => ({ access, input });

export const idText = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,80}$/));
/** Schema that parses text into a branded id. */
export const brandedId = <T extends Parameters<typeof asId>[0] & ReturnType<typeof asId>>() =>
  z.pipe(
    idText,
    z.transform((text: string): T => asId<T>(text)),
  );
export const sessionId = brandedId<SessionId>();
export const projectId = brandedId<ProjectId>();
export const commandId = brandedId<CommandId>();
export const path = z.string().check(z.maxLength(4096));
/** The full name of a commit: an abbreviated one may be the name of a branch. */
export const commit = z.string().check(z.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/));
export const seq = z.int().check(z.gte(0));
export const noInput = z.object({});
export const modelName = z.string().check(z.minLength(1), z.maxLength(200));
export const connectionId = idText;
export const windowTokens = z.int().check(z.gte(0), z.lte(limits.windowMaxTokens));
/** ms epoch; ranges include their start and exclude their end. */
export const timestamp = z.number().check(z.gte(0));
/** Filters of session lists and of the history; absent = no restriction. */
export const listFilters = {
  model: z.optional(z.string().check(z.maxLength(200))),
  from: z.optional(timestamp),
  to: z.optional(timestamp),
  /** The session changed files. */
  changed: z.optional(z.boolean()),
  /** The session has an active share link. */
  shared: z.optional(z.boolean()),
  pinned: z.optional(z.boolean()),
  /** Absent = false: archived sessions are excluded. */
  archived: z.optional(z.boolean()),
  /** true = deleted sessions only. */
  deleted: z.optional(z.boolean()),
};
export const hash = z.pipe(
  z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  z.transform((text: string): Hash => asId<Hash>(text)),
);
export const words = z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.minLength(1), z.maxLength(20));
export const pattern = z.union([
  z.object({ tool: z.literal("bash"), words, rest: z.boolean() }),
  z.object({
    tool: z.literal("files"),
    access: z.enum(["read", "write", "delete"]),
    glob: z.string().check(z.minLength(1), z.maxLength(300)),
  }),
  z.object({ tool: z.literal("net"), host: z.string().check(z.minLength(1), z.maxLength(300)) }),
  z.object({ tool: z.literal("external"), pattern: z.string().check(z.minLength(1), z.maxLength(300)) }),
]);
export const title = z.string().check(z.minLength(1), z.maxLength(limits.titleMaxChars));
export const json = z.pipe(
  z.json(),
  z.transform((value): Json => value),
);
