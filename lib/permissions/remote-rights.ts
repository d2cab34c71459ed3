/** What a client apart from the owner's page and terminal may do with the sessions. */

/** look = reads sessions; talk = also sends messages and ends runs; answer = also allows or denies a call once. */
export const remoteRights = ["look", "talk", "answer"] as const;
export type RemoteRight = (typeof remoteRights)[number];
