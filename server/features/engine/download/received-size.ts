/** Sizes of files that are downloaded: of a whole one, or of the part that has arrived. */
import { stat } from "node:fs/promises";

/** Returns the path at which a file is received until it is whole; `target` = its final path. */
export const partFile = (target: string): string => `${target}.part`;

/** bytes; null = it does not exist. */
const findFileSize = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  );

/** bytes; 0 = it does not exist. */
export const fileSize = async (path: string): Promise<number> => (await findFileSize(path)) ?? 0;

/** Bytes that have arrived: of the whole file, or of its part, which may be empty; null = there is neither. */
export const findReceivedSize = async (target: string): Promise<number | null> =>
  (await findFileSize(target)) ?? (await findFileSize(partFile(target)));

/** The same; 0 = there is neither. */
export const receivedSize = async (target: string): Promise<number> => (await findReceivedSize(target)) ?? 0;
