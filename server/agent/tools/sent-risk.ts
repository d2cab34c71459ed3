/** Finds requests that may carry data out of the conversation, although their host is allowed. */
import type { SentRisk } from "@/lib/permissions/policy";
import { makeRedactor } from "@/server/security/redaction/redact";
import { carriesData } from "./address-data";

interface SentRiskFacts {
  /** Values that are secret, whatever they look like. */
  readonly secrets: readonly string[];
  /** Whether others than the model wrote this text into the conversation. */
  wasSeen(text: string): Promise<boolean>;
}

/** Returns the risk of a text that a host gets: an address, or words to search for. */
export async function findSentRisk(sent: string, { secrets, wasSeen }: SentRiskFacts): Promise<SentRisk | null> {
  const redactor = makeRedactor({ secrets, homes: [] });
  if (decodings(sent).some((text) => redactor.text(text) !== text)) return "holds_secret";
  // Words with a colon are no address.
  if (!/^https?:\/\//i.test(sent) || !URL.canParse(sent) || !carriesData(new URL(sent))) return null;
  for (const spelling of spellings(sent)) if (await wasSeen(spelling)) return null;
  return "unseen_url";
}

/** The spellings an address may have in a text: with and without scheme and percent codes. */
function spellings(url: string): readonly string[] {
  const plain = url.replace(/^https?:\/\//, "");
  return [url, plain, ...decodeAddress(plain)];
}

function decodeAddress(url: string): readonly string[] {
  try {
    return [decodeURI(url)];
  } catch {
    return [];
  }
}

/** Number of times that a text is decoded: a key may be written in hexadecimal digits, and those in base64. */
const decodingDepth = 3;
/** Texts that are examined; more than a key needs. */
const maxDecodings = 500;
/** A shorter run has no secret. */
const base64Run = /[A-Za-z0-9+/_-]{11,}/g;
/** Hexadecimal digits of eight or more bytes, with or without a separator or a prefix of code between two of them. */
const hexRun = /(?:[\da-f]{2}(?:[:., _/-]|[, ]{0,2}(?:0|\\)x)?){7,}[\da-f]{2}/gi;

/** The text, and what percent codes, base64 and hexadecimal digits in it stand for. */
function decodings(sent: string): readonly string[] {
  const texts = new Set([sent]);
  let last: readonly string[] = [sent];
  for (let depth = 0; depth < decodingDepth; depth += 1) {
    last = last.flatMap(decodeOnce).filter((text) => !texts.has(text));
    for (const text of last) if (texts.size < maxDecodings) texts.add(text);
  }
  return [...texts];
}

function decodeOnce(text: string): readonly string[] {
  const runs = text.match(base64Run) ?? [];
  // A slash may be a digit, or divide the parts of a path.
  const words = new Set([...runs, ...runs.flatMap((run) => run.split("/"))]);
  const digits = (text.match(hexRun) ?? []).map((run) => run.replace(/0x|[^\da-f]/gi, ""));
  return [
    decodeLoosely(text),
    ...[...words].map((word) => Buffer.from(word, "base64").toString("latin1")),
    ...digits.map((run) => Buffer.from(run, "hex").toString("latin1")),
  ];
}

/** Decodes the percent codes of an address, those that are valid. */
const decodeLoosely = (text: string): string =>
  text.replace(/(?:%[\da-f]{2})+/gi, (codes) => Buffer.from(codes.replaceAll("%", ""), "hex").toString());
