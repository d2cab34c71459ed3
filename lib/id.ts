/** Branded ids: a SessionId never passes for a CallId. This file and server/security/paths.ts alone may cast. */
declare const brand: unique symbol;
type Branded<B extends string> = string & { readonly [brand]: B };

export type SessionId = Branded<"session">;
export type ProjectId = Branded<"project">;
export type RunId = Branded<"run">;
export type TurnId = Branded<"turn">;
export type MessageId = Branded<"message">;
export type CallId = Branded<"call">;
export type ApprovalId = Branded<"approval">;
/** Made by the client that sends a command; unique per session, so a repeated command does nothing twice. */
export type CommandId = Branded<"command">;
/** One browser tab or one command-line client, for as long as it lives. */
export type ClientId = Branded<"client">;
export type QueuedId = Branded<"queued">;
export type RuleId = Branded<"rule">;
/** sha256 of the content in hex: the name of a blob. */
export type BlobId = Branded<"blob">;
/** sha256 in hex of what an approval or a file version is bound to. */
export type Hash = Branded<"hash">;
/** One deleted file or folder in the trash. */
export type TrashId = Branded<"trash">;
/** One share link. */
export type ShareId = Branded<"share">;

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
  | ShareId;

/** Names a text as an id. Only at a border: a parsed command, a database row, a fresh random id. */
export const asId = <T extends AnyId>(text: string): T => text as T;
