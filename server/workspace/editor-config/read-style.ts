/** Reads the `.editorconfig` files that apply to a file, from its folder up to the project folder. */
import type { FileStyle } from "@/lib/workspace/file-style";
import { parseEditorConfig, readFileStyle } from "./editor-config";

/** Returns the text of a project file; null = it cannot be read. */
type TextReader = (path: string) => Promise<string | null>;

/** `path` is relative to the project. Folders above the project are not read. */
export async function readStyleOf(path: string, readText: TextReader): Promise<FileStyle> {
  const names = path.split("/");
  const places = names.map((_, depth) => ({
    folder: names.slice(0, depth).join("/"),
    path: names.slice(depth).join("/"),
  }));
  const texts = await Promise.all(
    places.map(async ({ folder, path: relative }) => {
      const text = await readText(folder === "" ? ".editorconfig" : `${folder}/.editorconfig`);
      return text === null ? [] : [{ config: parseEditorConfig(text), path: relative }];
    }),
  );
  return readFileStyle(texts.flat().toReversed());
}
