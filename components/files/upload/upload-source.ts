/** Files that the user drops onto the page or chooses, with the folders that contain them. */

export interface UploadFile {
  /** Path below the folder into which it is uploaded. */
  readonly name: string;
  readonly file: File;
}

export interface UploadSource {
  readonly files: readonly UploadFile[];
  /** Paths of folders without entries. */
  readonly emptyFolders: readonly string[];
}

export const hasDroppedFiles = ({ types }: Partial<Pick<DataTransfer, "types">>): boolean =>
  types?.includes("Files") === true;

/** Returns the dropped entries. Called in the event: the browser clears them afterwards. */
export const takeDroppedEntries = ({ items }: DataTransfer): readonly FileSystemEntry[] =>
  [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);

/** Reads dropped folders completely. Rejects if one cannot be read. */
export async function readDroppedEntries(entries: readonly FileSystemEntry[]): Promise<UploadSource> {
  const files: UploadFile[] = [];
  const emptyFolders: string[] = [];
  const add = async (entry: FileSystemEntry, name: string): Promise<void> => {
    if (isFileEntry(entry)) {
      files.push({ name, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) });
      return;
    }
    if (!isFolderEntry(entry)) return;
    const children = await readFolderEntry(entry);
    if (children.length === 0) emptyFolders.push(name);
    for (const child of children) await add(child, `${name}/${child.name}`);
  };
  for (const entry of entries) await add(entry, entry.name);
  return { files, emptyFolders };
}

export const chosenFiles = (files: Iterable<File>): UploadSource => ({
  files: [...files].map((file) => ({ name: file.name, file })),
  emptyFolders: [],
});

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolderEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** The browser returns the entries of a folder in parts, and an empty part at the end. */
async function readFolderEntry(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all;
    all.push(...part);
  }
}
