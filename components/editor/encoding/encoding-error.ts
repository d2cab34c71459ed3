/** Explains why a text cannot be read or saved in an encoding. */
import type { AgentError } from "@/lib/events/error";
import { encodingName } from "@/lib/workspace/encoding-name";
import { textEncodings } from "@/lib/workspace/project-files";
import type { FullMessages } from "../../messages/full-messages";

/** Returns a sentence that names the line, and the character that does not fit; other errors have their own. */
export function describeEncodingError({ code, facts }: AgentError, { editor, errors }: FullMessages): string {
  const text = editor.encoding;
  const encoding = textEncodings.find((one) => one === facts?.["encoding"]);
  const { character, line } = facts ?? {};
  if (encoding === undefined) return errors.sentences[code];
  const name = encodingName(encoding);
  if (code === "unencodable" && typeof character === "string" && typeof line === "number")
    return text.unencodable(line, describeCharacter(character), name);
  if (code !== "bad_encoding") return errors.sentences[code];
  return typeof line === "number" ? text.badLine(line, name) : text.badFile(name);
}

/** The character and its number: `中 (U+4E2D)`. */
const describeCharacter = (character: string): string =>
  `${character} (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")})`;
