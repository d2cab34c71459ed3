/** Finds requests that may carry data out of the conversation (R32), although their host is allowed. Pure. */
import type { SentRisk } from "@/lib/permissions/policy";
import { iterate } from "@/lib/view/chunks";
import { joinTextBlocks } from "@/lib/events/content";
import type { CallView, SessionView, ViewBlock } from "@/lib/view/view";
import { makeRedactor } from "@/server/security/redaction/redact";
import { carriesData } from "./address-data";

interface SentRiskFacts {
  /** Values that are secret, whatever they look like. */
  readonly secrets: readonly string[];
  /** Whether the user wrote this text, or a tool returned it. */
  wasSeen(text: string): boolean;
}

/** Returns the risk of a text that a host gets: an address, or words to search for. */
export function findSentRisk(sent: string, { secrets, wasSeen }: SentRiskFacts): SentRisk | null {
  const redactor = makeRedactor({ secrets, homes: [] });
  const holdsSecret = [sent, decodeLoosely(sent)].some((text) => redactor.text(text) !== text);
  if (holdsSecret) return "holds_secret";
  if (!URL.canParse(sent)) return null;
  const isUnseen = carriesData(new URL(sent)) && !spellings(sent).some(wasSeen);
  return isUnseen ? "unseen_url" : null;
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

/**
 * Whether a text is in a message of the user or in a result of a tool other than a subagent's answer. The result of a call that has the text in its own
 * input does not count: the model put it there.
 */
export function wasWrittenByOthers(view: Pick<SessionView, "entries">, text: string): boolean {
  for (const entry of iterate(view.entries)) {
    if (entry.kind !== "message") continue;
    // The task of a subagent was written by a model, as its answer is.
    if (
      entry.role === "user" &&
      entry.origin?.kind !== "agent" &&
      entry.blocks.some((block) => "text" in block && block.text.includes(text))
    )
      return true;
    if (
      entry.calls.some(
        (call) => call.kind !== "agent" && hasInOutput(call, text) && !hasInInput(entry.blocks, call, text),
      )
    )
      return true;
  }
  return false;
}

const hasInOutput = ({ output = [] }: CallView, text: string): boolean => joinTextBlocks(output).includes(text);

function hasInInput(blocks: readonly ViewBlock[], { callId, target }: CallView, text: string): boolean {
  const block = blocks.find((one) => one.type === "call" && one.callId === callId);
  const input = block?.type === "call" ? JSON.stringify(block.input) : "";
  return target.includes(text) || input.includes(JSON.stringify(text).slice(1, -1));
}
