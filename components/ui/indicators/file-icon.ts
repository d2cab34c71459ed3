/** Icons of files by their kind. */
import {
  Braces,
  File,
  FileArchive,
  FileAudio,
  FileCode,
  FileCog,
  FileImage,
  FileKey,
  FileSpreadsheet,
  FileTerminal,
  FileText,
  FileVideo,
  type LucideIcon,
} from "lucide-react";

const iconKinds: readonly (readonly [LucideIcon, string])[] = [
  [
    FileCode,
    "js mjs cjs jsx ts mts cts tsx vue svelte html htm css scss less py pyi rb rs go java kt swift c h cc cpp cxx hpp cs php sql lua dart ex exs hs ml scala zig r pl",
  ],
  [Braces, "json jsonc json5 jsonl webmanifest"],
  [FileCog, "yaml yml toml ini conf cfg xml plist properties lock editorconfig"],
  [FileText, "md mdx markdown txt rst adoc log pdf doc docx odt tex"],
  [FileImage, "png jpg jpeg gif webp avif bmp ico svg tiff"],
  [FileSpreadsheet, "csv tsv xls xlsx ods parquet"],
  [FileArchive, "zip tar gz tgz bz2 xz zst 7z rar jar whl"],
  [FileTerminal, "sh bash zsh fish ps1 bat cmd"],
  [FileAudio, "mp3 wav ogg flac m4a aac"],
  [FileVideo, "mp4 webm mov mkv avi"],
  [FileKey, "pem key crt cer p12"],
];

const iconByExtension = new Map(iconKinds.flatMap(([icon, endings]) => endings.split(" ").map((one) => [one, icon])));

const namePatterns: readonly (readonly [RegExp, LucideIcon])[] = [
  [/^\.env\b/i, FileKey],
  [/^(?:docker|container)file\b/i, FileCog],
  [/^(?:make|rake|gem|proc|jenkins)file$/i, FileTerminal],
  [/^(?:readme|license|licence|changelog|notice|authors)\b/i, FileText],
  [/^\.[\w-]+(?:rc|ignore|config|attributes)$/i, FileCog],
];

/** Returns the icon of a file by its name, then by its extension. */
export function fileIconOf(path: string): LucideIcon {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return namePatterns.find(([pattern]) => pattern.test(name))?.[1] ?? iconByExtension.get(ending) ?? File;
}
