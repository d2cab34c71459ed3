/**
 * Branded ids, so that a SessionId is not assignable to a CallId. Only this file and server/security/paths/safe-path.ts may cast.
 */
declare const brand: unique symbol;
type Branded<B extends string> = string & { readonly [brand]: B };

export type SessionId = Branded<"session">;
export type ProjectId = Branded<"project">;
export type RunId = Branded<"run">;
export type TurnId = Branded<"turn">;
export type MessageId = Branded<"message">;
export type CallId = Branded<"call">;
export type ApprovalId = Branded<"approval">;
/** Chosen by the client; unique per session, so that a repeated command is executed once. */
export type CommandId = Branded<"command">;
/** A browser tab or a command-line client, for its lifetime. */
export type ClientId = Branded<"client">;
export type QueuedId = Branded<"queued">;
export type RuleId = Branded<"rule">;
/** sha256 of the blob's content, hex. */
export type BlobId = Branded<"blob">;
/** sha256, hex, of the content an approval or a file version is bound to. */
export type Hash = Branded<"hash">;
/** A deleted file or folder in the file trash. */
export type TrashId = Branded<"trash">;
/** A share link. */
export type ShareId = Branded<"share">;
export type TerminalId = Branded<"terminal">;

type AnyId =
  | SessionId
  | ProjectId
  | RunId
  | TurnId
  | MessageId
  | CallId
  | ApprovalId
  | CommandId
  | ClientId
  | QueuedId
  | RuleId
  | BlobId
  | Hash
  | TrashId
  | ShareId
  | TerminalId;

/** Casts a text to an id. Only at a boundary: a parsed command, a database row, a new random id. */
export const asId = <T extends AnyId>(text: string): T => text as T;
