/** Recognizes file systems that several machines may write to at once. */
import { statfsSync } from "node:fs";

/** By the type of Linux's statfs. */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff53_4d42, "SMB"],
  [0xfe53_4d42, "SMB"],
  [0x517b, "SMB"],
  [0x0bd0_0bd0, "Lustre"],
  [0x00c3_6400, "CephFS"],
  [0x4750_4653, "GPFS"],
  [0x1983_0326, "BeeGFS"],
  [0x5346_414f, "AFS"],
  [0x7461_636f, "OCFS2"],
  [0x0116_1970, "GFS2"],
]);

/** Returns the name of the network file system of a folder; null = it is on another one, or cannot be determined. */
export function networkFileSystem(folder: string, readType = typeOfFileSystem): string | null {
  try {
    return networkTypes.get(readType(folder) >>> 0) ?? null;
  } catch {
    return null;
  }
}

const typeOfFileSystem = (folder: string): number => (process.platform === "linux" ? statfsSync(folder).type : 0);
