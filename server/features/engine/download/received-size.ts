/** Sizes of files that are downloaded: of a whole one, or of the part that has arrived. */
import { stat } from "node:fs/promises";

/** Where a file is received before it is whole; `target` = its place. */
export const partFile = (target: string): string => `${target}.part`;

/** bytes; 0 = it does not exist. */
export const fileSize = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Bytes that have arrived: of the whole file, or of its part. */
export const receivedSize = async (target: string): Promise<number> =>
  (await fileSize(target)) || (await fileSize(partFile(target)));
