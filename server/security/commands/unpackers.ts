/** Programs that write files whose names are in their input, not in the command: archives, patches, copies of trees. */
import type { CommandSegment } from "../shell/parsed-command";
import { literalWord, type Word } from "../shell/shell-words";
import { programName } from "../shell/wrapped-commands";

/** "unseen" = the names cannot be read in the command; words = the files that it writes besides those it names. */
type WrittenNames = "unseen" | readonly Word[];

/** A program writes unseen names if `writes` matches one of its words and `shows` none. */
interface Unpacker {
  readonly program: RegExp;
  readonly writes?: RegExp;
  readonly shows?: RegExp;
}

const unpackers: readonly Unpacker[] = [
  { program: /^(?:bsd|g)?tar$/, writes: /^-[A-Za-z]*x|^--(?:extract|get)$/, shows: /^-[A-Za-z]*O|^--to-stdout$/ },
  { program: /^unzip$/, shows: /^-[A-Za-z]*[ltpZvzh]/ },
  { program: /^7z[arz]?z?$/, writes: /^[xe]$/, shows: /^-so$/ },
  { program: /^(?:unrar|rar)$/, writes: /^[xe]$/ },
  {
    program: /^cpio$/,
    writes: /^-[A-Za-z]*[ip]|^--(?:extract|pass-through)$/,
    shows: /^-[A-Za-z]*t|^--(?:list|to-stdout)$/,
  },
  { program: /^pax$/, writes: /^-[A-Za-z]*r/ },
  { program: /^(?:ar|jar)$/, writes: /^-?[A-Za-z]*x|^--extract$/ },
  { program: /^(?:unar|dtrx|aunpack|unsquashfs|cabextract|unshar|uudecode)$/, shows: /^-[lt]$/ },
  {
    program: /^python[\d.]*$/,
    writes: /^-m(?:zip|tar)file$|^(?:zip|tar)file$/,
    shows: /^-[lct]$|^--(?:list|create|test)$/,
  },
];

/** Programs that write a file of the same name without its last extension. */
const expanders = /^(?:gzip|pigz|bzip2|pbzip2|xz|pixz|lzma|zstd|lz4|lzop|brotli|compress)$/;
const alwaysExpands = /^(?:gunzip|unpigz|bunzip2|unxz|unlzma|unzstd|unlz4|uncompress)$/;

/** Returns the names that a command writes without naming them. */
export function writtenNames({ words, text, redirects }: CommandSegment): WrittenNames {
  const [first, ...rest] = words;
  if (first?.literal !== true) return [];
  const name = programName(first);
  const texts = rest.map((word) => word.text);
  const isPatch = name === "git" ? gitWritesUnseen(texts) : /^g?patch$/.test(name) && patchWritesUnseen(texts);
  if (isPatch) return redirects.some(({ operator }) => operator === "<<") ? patchedNames(text, texts) : "unseen";
  const isExpanding =
    alwaysExpands.test(name) ||
    (expanders.test(name) && texts.some((text) => /^-[a-zA-Z\d]*d|^--(?:decompress|uncompress)$/.test(text)));
  if (isExpanding) return expandedNames(rest);
  // `tar xf` has no dash.
  const options = /tar$/.test(name) && /^[A-Za-z]/.test(texts[0] ?? "") ? [`-${texts[0]}`, ...texts.slice(1)] : texts;
  const found = unpackers.find(({ program }) => program.test(name));
  if (found === undefined || options.some((option) => found.shows?.test(option) === true)) return [];
  return found.writes === undefined || options.some((option) => found.writes?.test(option) === true) ? "unseen" : [];
}

/** Options of git before its verb that take the next word. */
const gitValues = /^(?:-C|-c|--git-dir|--work-tree|--namespace)$/;

function gitWritesUnseen(texts: readonly string[]): boolean {
  const at = texts.findIndex((text, index) => !text.startsWith("-") && !gitValues.test(texts[index - 1] ?? ""));
  const options = texts.slice(at + 1);
  if (texts[at] === "am") return !options.some((text) => /^--(?:abort|quit|show-current-patch)/.test(text));
  if (texts[at] !== "apply") return false;
  return options.includes("--apply") || !options.some((text) => /^--(?:check|stat|numstat|summary|cached)$/.test(text));
}

/** Options of patch that take the next word. */
const patchValues = /^(?:-[pidoBDFgrVYz]|--(?:strip|input|directory|output|prefix|ifdef|fuzz|get|reject-file|suffix))$/;

function patchWritesUnseen(texts: readonly string[]): boolean {
  if (texts.some((text) => /^--(?:dry-run|version|help)$|^-o|^--output/.test(text))) return false;
  return !texts.some((text, at) => !text.startsWith("-") && !patchValues.test(texts[at - 1] ?? ""));
}

/** The files of a patch in a here-document; a patch in a file is not read. */
function patchedNames(text: string, options: readonly string[]): WrittenNames {
  if (options.some((option) => /^(?:-i|--input)|\.(?:patch|diff|mbox)$/.test(option))) return "unseen";
  const heads = text.split("\n").filter((line) => /\+{3}|-{3}|\*{3}|Index:|diff|rename|copy/.test(line));
  if (heads.some((line) => /[$`"\\]/.test(line))) return "unseen";
  return heads.flatMap((line) => line.trim().split(/\s+/)).map(literalWord);
}

/** Returns what a command copies with all that is below it; empty for any other command. */
export function copiedTrees([first, ...rest]: readonly Word[]): readonly Word[] {
  const name = first?.literal === true ? programName(first) : "";
  const copies =
    name === "rsync"
      ? !rest.some(({ text }) => /^-[A-Za-z]*n|^--(?:dry-run|list-only)$/.test(text))
      : /^g?cp$/.test(name) && rest.some(({ text }) => /^-[A-Za-z]*[aRr]|^--(?:archive|recursive)$/.test(text));
  return copies ? rest.slice(0, -1).filter(({ text }) => !text.startsWith("-")) : [];
}

function expandedNames(words: readonly Word[]): WrittenNames {
  const texts = words.map(({ text }) => text);
  if (texts.some((text) => /^-[a-zA-Z\d]*[ctl]|^--(?:stdout|to-stdout|test|list)$/.test(text))) return [];
  // The name is in the file, has another extension, or is that of any file in a folder.
  if (texts.some((text) => /^-[a-zA-Z\d]*[NrS]|^--(?:name|recursive|suffix|filelist|files)/.test(text)))
    return "unseen";
  return words
    .filter(({ text }) => !text.startsWith("-"))
    .map((word) => ({ ...word, text: withoutExtension(word.text), pattern: withoutExtension(word.pattern) }));
}

const withoutExtension = (text: string): string => text.replace(/\.\w+$/, "");
