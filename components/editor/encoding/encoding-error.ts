/** Explains why a text cannot be read or saved in an encoding. */
import type { AgentError } from "@/lib/events/error";
import { type ErrorSentences, errorSentence } from "@/lib/events/error-sentences";
import { encodingName } from "@/lib/workspace/encoding-name";
import { textEncodings } from "@/lib/workspace/project-files";
import type { FullMessages } from "../../messages/full-messages";

/** Returns a sentence that names the line, and the character that does not fit; other errors have their own. */
export const describeEncodingError = (error: AgentError, { editor, errors }: FullMessages): string =>
  errorSentence(sentences, error, editor.encoding) ?? errors.sentences[error.code];

const nameOf = (encoding: string | undefined): string => {
  const listed = textEncodings.find((one) => one === encoding);
  return listed === undefined ? "" : encodingName(listed);
};

const sentences: ErrorSentences<FullMessages["editor"]["encoding"]> = {
  unencodable({ encoding, character, line }, text) {
    const name = nameOf(encoding);
    if (name === "" || character === undefined || line === undefined) return undefined;
    return text.unencodable(line, describeCharacter(character), name);
  },
  bad_encoding({ encoding, line = null }, text) {
    const name = nameOf(encoding);
    return name && (line === null ? text.badFile(name) : text.badLine(line, name));
  },
};

/** The character and its number: `中 (U+4E2D)`. */
const describeCharacter = (character: string): string =>
  `${character} (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")})`;
