/** The faces of a project's files and shell, as tools and handlers see them. files.ts and shell.ts implement them. */
import type { Result } from "@/lib/error";
import type { TextEncoding } from "@/lib/files";
import type { BlobId, Hash } from "@/lib/id";
import type { StyleSpan } from "@/lib/text/ansi-styles";
import type { SafePath } from "../security/paths";
import type { FileLines, LineRange } from "./read-lines";

export interface FileInfo {
  readonly kind: "file" | "folder" | "link" | "other";
  /** bytes */
  readonly size: number;
  /** ms epoch */
  readonly modifiedAt: number;
  /** permission bits */
  readonly mode: number;
}

/** A text file as it stands on disk. `text` has no BOM; line ends are as in the file. */
export interface TextFile {
  readonly text: string;
  /** sha256 of the bytes on disk: what a later write is checked against */
  readonly hash: Hash;
  readonly encoding: TextEncoding;
  readonly eol: "\n" | "\r\n";
  readonly finalNewline: boolean;
  readonly mode: number;
  readonly size: number;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: FileInfo["kind"];
  readonly size: number;
  readonly ignored: boolean;
}

export interface FolderList {
  readonly entries: readonly FolderEntry[];
  readonly total: number;
  /** The folder lies in an ignored one, or is one: who asks for it wants to see its entries all the same. */
  readonly allIgnored: boolean;
}

export interface Written {
  readonly before: BlobId | null;
  readonly after: Hash;
}

/** The one door to project files. Every path was minted by security/paths; every refusal is a code, never an exception. */
export interface Files {
  readonly root: string;
  info(path: SafePath): Promise<Result<FileInfo>>;
  /** Whole file as text; binary and files over `maxBytes` are refused with size and type in the facts. */
  readText(path: SafePath, maxBytes: number): Promise<Result<TextFile>>;
  readBytes(path: SafePath, maxBytes: number): Promise<Result<Uint8Array>>;
  /** Some lines of a text file of any size, in bounded memory. Fails as readText does, but for too_large, and with aborted. */
  readLines(path: SafePath, range: LineRange, signal: AbortSignal): Promise<Result<FileLines>>;
  /** One folder, names sorted folders first; at most `max` entries. What the asker may not know of is left out. */
  list(path: SafePath, max: number): Promise<Result<FolderList>>;
  /** A list of the folder would show something: ignored entries count only where the folder itself is ignored. */
  hasEntries(path: SafePath): Promise<Result<boolean>>;
  /**
   * Atomic write (R28): temp file in the same folder, fsync, rename, mode kept. `expect` is the hash the caller has seen,
   * null = the file must not exist yet; otherwise `changed_meanwhile`. `keep` says how the text is encoded.
   */
  write(
    path: SafePath,
    text: string,
    expect: Hash | null,
    keep?: Pick<TextFile, "encoding" | "mode">,
  ): Promise<Result<{ readonly hash: Hash }>>;
  /** The same with bytes as they are, and the permission bits the file then has. */
  writeBytes(path: SafePath, bytes: Uint8Array, expect: Hash | null, mode: number): Promise<Result<void>>;
  /**
   * Moves a file or folder out of the project into `toFolder` (the trash), across devices too, links as links. `toFolder`
   * is made when missing and must be empty: it holds this one thing under its own name. Counts stop at limits.walkEntries.
   * With `expect` it must be a file of that hash: otherwise changed_meanwhile.
   */
  moveOut(
    path: SafePath,
    toFolder: string,
    expect?: Hash,
  ): Promise<Result<{ readonly files: number; readonly bytes: number }>>;
  /** Takes away a folder, and those above it, while there is nothing in them; never the project's own. */
  removeEmpty(path: SafePath): Promise<void>;
  /** Puts back the one thing in `fromFolder`; refuses with `exists` when something stands at `path` now. */
  moveBack(fromFolder: string, path: SafePath): Promise<Result<void>>;
  /** Parents too; fails with `exists` when something stands there. */
  makeFolder(path: SafePath): Promise<Result<void>>;
  /** Never overwrites: `exists`. */
  rename(from: SafePath, to: SafePath): Promise<Result<void>>;
}

export interface ShellOutput {
  /** text with control sequences stripped (R34), in the order it came */
  (text: string): void;
}

export interface ShellResult {
  readonly exit: number | null;
  readonly signal: string | null;
  readonly ended?: "timeout" | "aborted" | "output_limit" | "user";
  /** processes of the group that were still alive at the end and were ended */
  readonly killed: number;
  /** absolute, real: where the next run starts */
  readonly cwd: string;
  /** The folder it would have started in is gone; it ran in the project's root. */
  readonly cwdLost?: boolean;
  /** It ran fenced in by the operating system. */
  readonly fenced?: true;
  /** Nothing ran: there is no bash, or the system could not start it (`detail` has its words). */
  readonly error?: "no_shell";
  readonly detail?: string;
  readonly tookMs: number;
  /** Over all of the output; absent = it has none. */
  readonly styles?: readonly StyleSpan[];
}

/** One logical bash of one session: every run is a fresh process that starts from the saved cwd and exported variables. */
export interface Shell {
  readonly cwd: string;
  /** Serial: a second run waits for the first. Never throws. */
  run(
    command: string,
    options: {
      readonly timeoutMs: number;
      readonly onOutput: ShellOutput;
      /** It was judged to read only, by the names of its programs: none of them may come from the project. */
      readonly readsOnly?: boolean;
      /** The user ends this command alone; the run that asked for it goes on. */
      readonly kill?: AbortSignal;
    },
    signal: AbortSignal,
  ): Promise<ShellResult>;
}
