/** home/server.json: how a second start finds the server of this home. It is true only while the home's lock is held. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { writePrivateFile } from "./private-file";

const serverFileSchema = z.object({
  /** Host to connect to, without the port. */
  address: z.string().check(z.minLength(1)),
  port: z.int().check(z.gte(1), z.lte(65_535)),
  /** Bearer token: whoever reads it may do everything. */
  token: z.string().check(z.minLength(1)),
  pid: z.int().check(z.gte(1)),
  version: z.string(),
  /** Which build of the version; absent where none is known. */
  build: z.optional(z.string()),
});
export type ServerFile = z.infer<typeof serverFileSchema>;

const pathIn = (home: string): string => join(home, "server.json");

/** Written by the holder of the lock once it listens; whole or not at all, 0600. Throws system errors. */
export const writeServerFile = (home: string, server: ServerFile): void =>
  writePrivateFile(pathIn(home), `${JSON.stringify(server)}\n`);

/** What the last server wrote; undefined when there is none or it is not readable. A server that died leaves it behind. */
export const readServerFile = (home: string): ServerFile | undefined => {
  try {
    return serverFileSchema.parse(JSON.parse(readFileSync(pathIn(home), "utf8")));
  } catch {
    return undefined;
  }
};

/** Removes the file if it is still the one of process `pid`. */
export const removeServerFile = (home: string, pid: number): void => {
  if (readServerFile(home)?.pid === pid) rmSync(pathIn(home), { force: true });
};
