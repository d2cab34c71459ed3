/** Interfaces of a project's files and shell. */
import type { Result } from "@/lib/events/error";
import type { FolderPosition, TextEncoding } from "@/lib/workspace/project-files";
import type { Mode } from "@/lib/permissions/policy";
import type { Hash } from "@/lib/events/id";
import type { StyleSpan } from "@/lib/text/ansi-styles";
import type { SafePath } from "@/server/security/paths/safe-path";
import type { FileLines, LineRange } from "./files/read-lines";

export interface FileInfo {
  readonly kind: "file" | "folder" | "link" | "other";
  /** Size in bytes. */
  readonly size: number;
  /** ms epoch. */
  readonly modifiedAt: number;
  /** Permission bits. */
  readonly mode: number;
}

/** A text file on disk. `text` has no BOM; line ends are as in the file. */
export interface TextFile {
  readonly text: string;
  /** sha256 of the bytes on disk; a later write is checked against it. */
  readonly hash: Hash;
  readonly encoding: TextEncoding;
  readonly eol: "\n" | "\r\n";
  readonly finalNewline: boolean;
  readonly mode: number;
  readonly size: number;
}

/** A file that is open for reading. */
export interface FileBytes {
  /** Relative path. */
  readonly path: string;
  /** Bytes when it was opened. */
  readonly size: number;
  /** Differs when the file was replaced or changed. */
  readonly version: string;
  /**
   * Reads the bytes from `from` until before `to`, in pieces of bounded size. Throws an error of the system, and one
   * with code `ERR_FILE_SHORTENED` if the file has become shorter.
   */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: FileInfo["kind"];
  readonly size: number;
  readonly ignored: boolean;
}

/** Entries that follow a position of a folder's list. */
export interface FolderPage {
  readonly entries: readonly Omit<FolderEntry, "size">[];
  /** Entries of the folder. */
  readonly total: number;
}

export interface FolderList {
  readonly entries: readonly FolderEntry[];
  readonly total: number;
  /** Entries that are left out because their names are not UTF-8. */
  readonly unreadable: number;
  /** The folder is ignored or inside an ignored one; its entries are listed all the same. */
  readonly allIgnored: boolean;
}

/** A file that is being sent. */
export interface IncomingFile {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** bytes, as announced; null = unknown. */
  readonly size: number | null;
  readonly maxBytes: number;
  /** Permission bits; undefined = those of a new file. */
  readonly mode: number | undefined;
}

/** Entries of a project for one archive. */
export interface ArchiveRequest {
  /** Files, folders and links, with their names in the archive. */
  readonly entries: readonly { readonly path: SafePath; readonly name: string }[];
  /** Leaves out what is in a folder and begins with a dot. */
  readonly hidesDotFiles: boolean;
  /** Leaves out what is in a folder and ignored, unless the folder itself is ignored. */
  readonly hidesIgnored: boolean;
}

/**
 * File operations of a project. Every path was created by security/paths/safe-path; every refusal is a code, never an
 * exception.
 */
export interface Files {
  readonly root: string;
  info(path: SafePath): Promise<Result<FileInfo>>;
  /** Reads a whole file as text; refuses binary and files over `maxBytes` with size and type in the facts. `encoding` replaces the detected one. */
  readText(path: SafePath, maxBytes: number, encoding?: TextEncoding): Promise<Result<TextFile>>;
  readBytes(path: SafePath, maxBytes: number): Promise<Result<Uint8Array>>;
  /** Calls `work` with a file of any size while it is open; rejects with what `work` rejects with. */
  withBytes<T>(path: SafePath, work: (bytes: FileBytes) => Promise<T>): Promise<Result<T>>;
  /**
   * Reads a range of lines of a text file of any size in bounded memory. Fails like readText except too_large, and
   * with aborted.
   */
  readLines(path: SafePath, range: LineRange, signal: AbortSignal): Promise<Result<FileLines>>;
  /**
   * Lists a folder, sorted with folders first; at most `max` entries. Leaves out entries the requester may not see, and
   * temporary files of unfinished writes.
   */
  list(path: SafePath, max: number): Promise<Result<FolderList>>;
  /**
   * Lists a folder of any size for the file tree, in the order of `list`: at most `max` of the entries after `after`, by
   * default the first ones. Git's own folder is left out. Entries beyond limits.treeFolderEntries are only counted.
   */
  listPage(path: SafePath, max: number, after?: FolderPosition): Promise<Result<FolderPage>>;
  /**
   * Returns whether a list of the folder would show something; ignored entries count only if the folder itself is
   * ignored.
   */
  hasEntries(path: SafePath): Promise<Result<boolean>>;
  /**
   * Writes atomically: temporary file in the same folder, fsync, rename, mode retained; a file with other names
   * (hard links) is written in place after that. A read-only file is replaced only if `keep` has its mode. `expect` is the hash of
   * the version the caller read, null = the file must not exist yet; otherwise `changed_meanwhile`. `keep` gives
   * encoding and mode.
   */
  write(
    path: SafePath,
    text: string,
    expect: Hash | null,
    keep?: Pick<TextFile, "encoding"> & { readonly mode?: number },
  ): Promise<Result<{ readonly hash: Hash }>>;
  /** Writes bytes atomically with the given permission bits; undefined = as `write` without a mode. */
  writeBytes(path: SafePath, bytes: Uint8Array, expect: Hash | null, mode: number | undefined): Promise<Result<void>>;
  /**
   * Writes a file as its bytes arrive, beside `path`. When all are on the disk, `publish` gets a function that moves it
   * to a path in the same folder, never over another entry (`exists`). Fails with too_large, disk_full and as write
   * does; a failure leaves nothing.
   */
  receive<T>(
    path: SafePath,
    file: IncomingFile,
    publish: (moveTo: (to: SafePath) => Promise<Result<void>>) => Promise<Result<T>>,
  ): Promise<Result<T>>;
  /**
   * Moves a file or folder out of the project into `toFolder` (the file trash), also across devices; links stay
   * links. `toFolder` is created if missing and must be empty; it holds the entry under its own name. Counts stop at
   * serverLimits.walkEntries. With `expect` the entry must be a file of that hash: otherwise changed_meanwhile.
   */
  moveOut(
    path: SafePath,
    toFolder: string,
    expect?: Hash,
  ): Promise<Result<{ readonly files: number; readonly bytes: number }>>;
  /** Removes a folder and its parents while they are empty; never the project's top folder. */
  removeEmpty(path: SafePath): Promise<void>;
  /** Moves the single entry of `fromFolder` back; fails with `exists` if `path` exists. */
  moveBack(fromFolder: string, path: SafePath): Promise<Result<void>>;
  /** Creates a folder and its parents; fails with `exists` if the path exists. */
  makeFolder(path: SafePath): Promise<Result<void>>;
  /** Renames an entry; never overwrites: fails with `exists`. */
  rename(from: SafePath, to: SafePath): Promise<Result<void>>;
  /**
   * Copies an entry; links are copied as links. Fails with exists, with too_large (`copyLimits`),
   * with bad_path for a folder into itself, and with not_a_file for a special file; a failed copy leaves nothing.
   */
  copy(from: SafePath, to: SafePath): Promise<Result<void>>;
  /**
   * Writes a ZIP archive while its entries are read; waits for each `write`. Git's own folders, temporary and special
   * files are left out, and so are entries that vanish or cannot be opened. Links stay links. Rejects with the signal's
   * reason, as `write` does, and with errors of reading.
   */
  archive(request: ArchiveRequest, write: (bytes: Uint8Array) => Promise<void>, signal: AbortSignal): Promise<void>;
}

export interface ShellOutput {
  /** Text without control sequences, in the order of arrival. */
  (text: string): void;
}

export interface ShellResult {
  readonly exit: number | null;
  readonly signal: string | null;
  readonly ended?: "timeout" | "aborted" | "output_limit" | "user";
  /** Number of processes of the group that were still alive at the end and were killed. */
  readonly killed: number;
  /** Absolute, real path: the folder of the next run. */
  readonly cwd: string;
  /** Its start folder was deleted; it ran in the project's root. */
  readonly cwdLost?: boolean;
  /** It ran in the operating system's sandbox, with or without network. */
  readonly sandboxed?: { readonly network: boolean };
  /** Nothing ran: there is no bash, or it could not be started (`detail` has the reason). */
  readonly error?: "no_shell";
  readonly detail?: string;
  readonly tookMs: number;
  /** Styles of the whole output; absent = none. */
  readonly styles?: readonly StyleSpan[];
  /** Its processes had the limits of a command without an approval. */
  readonly limited?: true;
}

/** Facts of a session that its command's sandbox depends on. */
export interface SandboxedCall {
  readonly mode: Mode;
  /** The user allowed the network for the session. */
  readonly network: boolean;
}

/**
 * One logical bash per session: every run is a fresh process that starts with the saved cwd and exported variables.
 */
export interface Shell {
  readonly cwd: string;
  /** Runs a command. Serial: a second run waits for the first. Never throws. */
  run(
    command: string,
    options: {
      readonly timeoutMs: number;
      readonly onOutput: ShellOutput;
      /** Classified as read-only by the names of its programs: none of them may come from the project. */
      readonly readsOnly?: boolean;
      /** It runs without an approval: its processes can neither write large files nor take much memory. */
      readonly isLimited?: boolean;
      /** The session that runs it, as far as its sandbox depends on it; absent = no session. */
      readonly sandboxedCall?: SandboxedCall;
      /** Ends this command only, by the user; the agent run continues. */
      readonly kill?: AbortSignal;
    },
    signal: AbortSignal,
  ): Promise<ShellResult>;
}
