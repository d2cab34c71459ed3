/** Rights over the sessions that a client apart from the owner's page and terminal can have. */

/** look = reads sessions; talk = also sends messages and ends runs; answer = also allows or denies a call once. */
export const remoteRights = ["look", "talk", "answer"] as const;
export type RemoteRight = (typeof remoteRights)[number];
