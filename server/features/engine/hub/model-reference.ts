/** Names of models on Hugging Face: `hf:user/repository:Q4_K_M`, or the address of a page or file. Pure. */

export interface ModelReference {
  /** `user/repository` */
  readonly repository: string;
  /** Absent = the usual one of the repository. */
  readonly quantization?: string;
  /** Path of one file of the repository. */
  readonly file?: string;
}

const part = String.raw`[A-Za-z0-9][\w.-]{0,95}`;
const namePattern = new RegExp(`^(?:hf:|hf\\.co/|huggingface\\.co/)?(${part})/(${part})(?::([\\w.-]{1,40}))?$`);
/** Hosts of Hugging Face and its best-known mirror; branches other than the main one are not supported. */
const hosts = String.raw`(?:www\.)?(?:huggingface\.co|hf\.co|hf-mirror\.com)`;
const addressPattern = new RegExp(
  `^https?://${hosts}/(${part})/(${part})(?:/(?:blob|resolve|tree)/main(?:/(.*))?)?/?$`,
);

/** null = the text names no model of a repository. */
export function parseModelReference(text: string): ModelReference | null {
  const trimmed = text.trim().replace(/[?#].*$/, "");
  const name = namePattern.exec(trimmed);
  if (name !== null) {
    const [, user, repository, quantization] = name;
    return { repository: `${user}/${repository}`, ...(quantization !== undefined && { quantization }) };
  }
  const address = addressPattern.exec(trimmed);
  if (address === null) return null;
  const [, user, repository, path = ""] = address;
  const file = decodePath(path);
  return { repository: `${user}/${repository}`, ...(file !== null && isGgufPath(file) && { file }) };
}

/** A relative path below the repository's folder. */
export const isGgufPath = (path: string): boolean =>
  /\.gguf$/i.test(path) && path.split("/").every((name) => /^[\w][\w .+()-]*$/.test(name));

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** Names the same model on each way of writing it. */
export const formatModelReference = ({ repository, quantization, file }: ModelReference): string =>
  file === undefined
    ? `hf:${repository}${quantization === undefined ? "" : `:${quantization}`}`
    : `https://huggingface.co/${repository}/blob/main/${file.split("/").map(encodeURIComponent).join("/")}`;
