/**
 * home/server.json: address and token of the running server, for other processes of the same home. Valid only while the
 * home lock is held.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { writePrivateFile } from "./private-file";

const serverFileSchema = z.object({
  /** Host to connect to, without the port. */
  address: z.string().check(z.minLength(1)),
  port: z.int().check(z.gte(1), z.lte(65_535)),
  /** Bearer token with full access. */
  token: z.string().check(z.minLength(1)),
  pid: z.int().check(z.gte(1)),
  version: z.string(),
  /** Address at which the pages begin for a browser, without a final slash; absent = http://localhost with the port. */
  origin: z.optional(z.string()),
  /** The machine it runs on, where the home may be shared by several; absent = this one. */
  machine: z.optional(z.string()),
  /** Unix socket that it listens on as well; absent = none. */
  socket: z.optional(z.string()),
  /** Whether people sign in at a hub: a link of this server signs no one in. Absent = they do not. */
  isOfHub: z.optional(z.boolean()),
  /** Build of the version; absent = unknown. */
  build: z.optional(z.string()),
});
export type ServerFile = z.infer<typeof serverFileSchema>;

const serverFilePath = (home: string): string => join(home, "server.json");

/** Writes the file atomically with mode 0600, once the server listens. Requires the home lock. Throws system errors. */
export const writeServerFile = (home: string, server: ServerFile): void =>
  writePrivateFile(serverFilePath(home), `${JSON.stringify(server)}\n`);

/** Reads the file; undefined if it is missing or invalid. The file of a killed server remains. */
export const readServerFile = (home: string): ServerFile | undefined => {
  try {
    return serverFileSchema.parse(JSON.parse(readFileSync(serverFilePath(home), "utf8")));
  } catch {
    return undefined;
  }
};

/** Removes the file if it was written by process `pid`. */
export const removeServerFile = (home: string, pid: number): void => {
  if (readServerFile(home)?.pid === pid) rmSync(serverFilePath(home), { force: true });
};
