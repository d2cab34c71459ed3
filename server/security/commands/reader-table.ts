/**
 * The allow-list of read-only programs as data: a program that is not listed asks. git is absent on purpose: its
 * configuration runs programs.
 */

/** The options with which a reading program may be called. */
export interface ReaderOptions {
  /** Short options without a value. */
  readonly flags?: string;
  /** Short options with a value that is not a path. */
  readonly values?: string;
  /** Short options that take only an attached value, never the next word. */
  readonly attached?: string;
  /** Short options whose value is a file to read. */
  readonly fileValues?: string;
  /** Long options, blank-separated; `name=` takes a value, `name:` a file to read. */
  readonly longs?: string;
  /** A number as an option, such as `-20`, is a line count. */
  readonly digits?: boolean;
  /** Kind of the operands: files; a pattern and then files; formats that begin with `+`; no paths. */
  readonly operands: "paths" | "pattern" | "formats" | "none";
  /** Options that give the pattern instead of the first operand. */
  readonly patternOptions?: readonly string[];
  readonly maxOperands?: number;
  /**
   * Options that make it walk folders; "always" when it does without one. `defaultsToCurrentFolder`: without operands it starts in the
   * current folder.
   */
  readonly recursive?: readonly string[] | "always";
  readonly defaultsToCurrentFolder?: boolean;
  /** Omits hidden names unless one of these options is given. */
  readonly hiddenOptions?: readonly string[];
}

const checksumOptions = { flags: "bt", operands: "paths" } satisfies ReaderOptions;
const noOperands = { operands: "none", maxOperands: 0 } satisfies ReaderOptions;
const grepOptions = {
  flags: "EFGPivwxcLlqsobHhnTZzUarRIy0123456789",
  values: "eABCm",
  fileValues: "f",
  longs:
    "ignore-case line-number recursive dereference-recursive files-with-matches files-without-match count word-regexp line-regexp invert-match only-matching no-messages quiet silent fixed-strings extended-regexp basic-regexp perl-regexp no-filename with-filename text byte-offset null color colour color= colour= include= exclude= exclude-dir= after-context= before-context= context= max-count= regexp= file:",
  operands: "pattern",
  patternOptions: ["e", "f", "regexp", "file"],
  recursive: ["r", "R", "recursive", "dereference-recursive"],
  defaultsToCurrentFolder: true,
} satisfies ReaderOptions;

/** Programs that only read when called with these options alone. */
export const readerTable: { readonly [name: string]: ReaderOptions } = {
  cat: {
    flags: "AbeEnstTuv",
    longs: "number number-nonblank show-all show-ends show-tabs squeeze-blank",
    operands: "paths",
  },
  head: { flags: "qvz", values: "nc", longs: "lines= bytes= quiet verbose", digits: true, operands: "paths" },
  tail: { flags: "qvz", values: "nc", longs: "lines= bytes= quiet verbose", digits: true, operands: "paths" },
  wc: { flags: "cmlLw", longs: "bytes chars lines words max-line-length", operands: "paths" },
  ls: {
    flags: "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1",
    values: "ITw",
    longs:
      "all almost-all recursive color color= reverse human-readable directory size inode group-directories-first full-time classify ignore= sort= time= time-style= format= hide=",
    operands: "paths",
    recursive: ["R", "recursive"],
    defaultsToCurrentFolder: true,
  },
  grep: grepOptions,
  egrep: grepOptions,
  fgrep: grepOptions,
  rg: {
    flags: "iSsFwxvclonNHIUPpuah0.",
    values: "eABCmgtTMjEr",
    fileValues: "f",
    longs:
      "ignore-case smart-case case-sensitive fixed-strings word-regexp line-regexp invert-match count count-matches files files-with-matches files-without-match only-matching line-number no-line-number with-filename no-filename heading no-heading hidden no-ignore no-ignore-vcs unrestricted multiline pcre2 pretty text vimgrep json stats column trim quiet glob= iglob= type= type-not= max-count= max-depth= after-context= before-context= context= color= regexp= replace= sort= sortr= max-columns= threads= encoding= file:",
    operands: "pattern",
    patternOptions: ["e", "f", "regexp", "file", "files"],
    recursive: "always",
    defaultsToCurrentFolder: true,
    hiddenOptions: ["hidden", ".", "u", "unrestricted", "g", "glob", "iglob"],
  },
  sort: {
    flags: "bdfgiMhnRrVcCmsuz",
    values: "kt",
    longs:
      "reverse numeric-sort unique ignore-case human-numeric-sort version-sort general-numeric-sort stable check key= field-separator=",
    operands: "paths",
  },
  uniq: {
    flags: "cdDiuz",
    values: "fsw",
    longs: "count repeated unique ignore-case",
    operands: "paths",
    maxOperands: 1,
  },
  cut: {
    flags: "nsz",
    values: "dfbc",
    longs: "delimiter= fields= bytes= characters= complement only-delimited output-delimiter=",
    operands: "paths",
  },
  tr: { flags: "cCdst", longs: "complement delete squeeze-repeats truncate-set1", operands: "none" },
  pwd: { flags: "LP", ...noOperands },
  true: { operands: "none" },
  false: { operands: "none" },
  ":": { operands: "none" },
  exit: { operands: "none" },
  break: { operands: "none" },
  continue: { operands: "none" },
  sleep: { operands: "none" },
  seq: { flags: "w", values: "sf", operands: "none" },
  date: {
    flags: "uR",
    values: "d",
    attached: "I",
    longs: "utc universal date= iso-8601 iso-8601= rfc-3339= rfc-email",
    // Any other operand would set the clock.
    operands: "formats",
  },
  whoami: noOperands,
  id: { flags: "ugGnrz", ...noOperands },
  groups: noOperands,
  hostname: { flags: "fsidAI", ...noOperands },
  arch: noOperands,
  nproc: { longs: "all", ...noOperands },
  uname: { flags: "asnrvmpio", longs: "all kernel-name machine operating-system", ...noOperands },
  which: { flags: "a", operands: "none" },
  type: { flags: "afpPt", operands: "none" },
  basename: { flags: "az", values: "s", longs: "multiple suffix=", operands: "none" },
  dirname: { flags: "z", operands: "none" },
  realpath: {
    flags: "emLPqsz",
    longs: "canonicalize-existing canonicalize-missing no-symlinks quiet",
    operands: "paths",
  },
  readlink: { flags: "femnqsvz", longs: "canonicalize canonicalize-existing canonicalize-missing", operands: "paths" },
  stat: { flags: "Lft", values: "c", longs: "format= printf= dereference file-system terse", operands: "paths" },
  file: { flags: "bihkLNnprs0", longs: "brief mime mime-type mime-encoding", operands: "paths" },
  du: {
    flags: "abchHklmPsSx0",
    values: "dt",
    longs: "all human-readable summarize total max-depth= apparent-size",
    operands: "paths",
    recursive: "always",
    defaultsToCurrentFolder: true,
  },
  df: { flags: "ahHiklPT", longs: "human-readable all inodes", operands: "paths" },
  diff: {
    flags: "abBcdeEinpqrsuwyN",
    values: "UCWFIxL",
    longs:
      "brief unified unified= color color= side-by-side recursive ignore-case ignore-all-space ignore-space-change ignore-blank-lines new-file text width= suppress-common-lines exclude= report-identical-files strip-trailing-cr",
    operands: "paths",
    // Two folders are compared file by file also without -r, and a file is compared with the file of the same name in
    // a folder.
    recursive: "always",
  },
  cmp: { flags: "bls", values: "ni", longs: "silent quiet verbose print-bytes", operands: "paths" },
  comm: { flags: "123z", longs: "nocheck-order check-order total", operands: "paths" },
  nl: { flags: "p", values: "bdfhilnsvw", operands: "paths" },
  tac: { flags: "br", values: "s", operands: "paths" },
  rev: { operands: "paths" },
  paste: { flags: "sz", values: "d", longs: "serial delimiters=", operands: "paths" },
  fold: { flags: "bs", values: "w", operands: "paths" },
  column: { flags: "t", values: "sc", operands: "paths" },
  od: { flags: "bcdoxv", values: "AtNj", attached: "w", operands: "paths" },
  hexdump: { flags: "Cbcdoxv", values: "ns", operands: "paths" },
  strings: { flags: "a", values: "nt", operands: "paths" },
  tree: {
    flags: "adfghpsuDFCin",
    values: "LPI",
    longs: "noreport dirsfirst",
    operands: "paths",
    recursive: "always",
    defaultsToCurrentFolder: true,
  },
  jq: {
    flags: "rcneSsajCM",
    longs:
      "raw-output compact-output null-input exit-status sort-keys slurp raw-input color-output monochrome-output tab",
    operands: "pattern",
  },
  md5sum: checksumOptions,
  sha1sum: checksumOptions,
  sha256sum: checksumOptions,
  sha512sum: checksumOptions,
  cksum: { operands: "paths" },
};
