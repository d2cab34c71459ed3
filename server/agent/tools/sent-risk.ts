/** Finds requests that may carry data out of the conversation (R32), although their host is allowed. */
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
  const holdsSecret = [sent, decodeLoosely(sent)].some((text) => redactor.text(text) !== text);
  if (holdsSecret) return "holds_secret";
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

/** Decodes the percent codes of an address, those that are valid. */
const decodeLoosely = (text: string): string =>
  text.replace(/(?:%[\da-f]{2})+/gi, (codes) => Buffer.from(codes.replaceAll("%", ""), "hex").toString());
