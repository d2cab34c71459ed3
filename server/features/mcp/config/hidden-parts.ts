/** The parts of a configured value that must not be shown. Pure. */
import { type SecretSpan, shapeSpans } from "@/server/security/redaction/secret-shapes";

export interface HiddenParts {
  /** Masked in what the server answers. */
  readonly secrets: readonly string[];
  /** Masked in its log and errors. */
  readonly logSecrets: readonly string[];
}

/** An address, alone or as the value of an option. */
const address = /^(--?[\w-]+=)?[a-z][\w+.-]*:\/\//i;

/**
 * Returns the parts of a value to mask. In an address these are only its secrets, since other addresses begin like it. In
 * an answer, a password that is also the user, the host or another word of its address stays visible.
 */
export function hiddenParts(value: string, isSecret: boolean): HiddenParts {
  const spans = shapeSpans(value);
  const parts = spans.map(({ start, end }) => value.slice(start, end));
  const [begin = null, option] = address.exec(value) ?? [];
  const isAddress = begin !== null && parts.length > 0;
  const words = isAddress ? wordsBeside(value, spans) : new Set<string>();
  return {
    secrets: isSecret && !isAddress ? [value] : parts.filter((part) => !words.has(part.toLowerCase())),
    logSecrets: isSecret && (!isAddress || option !== undefined) ? [value] : parts,
  };
}

/** Words of an address outside of its secrets, in lower case. */
function wordsBeside(value: string, secrets: readonly SecretSpan[]): ReadonlySet<string> {
  let rest = "";
  let at = 0;
  for (const { start, end } of secrets.toSorted((a, b) => a.start - b.start)) {
    rest += `${value.slice(at, Math.max(at, start))} `;
    at = Math.max(at, end);
  }
  return new Set(`${rest}${value.slice(at)}`.toLowerCase().split(/[\s/:@?#&=,;]+/));
}
