/** Changes of the agent that the user rejected and the model has not been sent yet, also if a rewind hides the review. */
import type { RejectedPlace, ReviewedFile } from "@/lib/events/review-events";
import { reviewWindowShare } from "@/lib/review/review-share";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { formatFileName } from "@/lib/text/format-file-name";
import { iterateBackward } from "@/lib/view/chunks";
import { isOnCurrentPath, type MessageEntry, type SessionView } from "@/lib/view/view";
import type { ContextSource } from "@/server/agent/context/context-source";
import { promptFile } from "@/server/prompts/prompts";

/** Tokens of the line that counts what is left out. */
const countTokens = 10;

export const reviewSource: ContextSource = {
  topic: "review",
  kind: "notice",
  order: { message: 42, result: 15 },
  resend: "when_due",
  share: (window) => Math.floor(window * reviewWindowShare),
  text({ view, maxTokens }) {
    const places = rejectedFiles(view).flatMap(({ path, places: list = [] }) => list.map((place) => ({ path, place })));
    if (places.length === 0) return null;
    const frame = promptFile("review-rejected.md");
    let left = maxTokens() - estimateTokens(frame) - countTokens;
    const shown: string[] = [];
    for (const { path, place } of places) {
      const name = `${formatFileName(path)}:${place.line}`;
      const text = [formatPlace(name, place), name].find((one) => estimateTokens(one) <= left);
      if (text === undefined) break;
      left -= estimateTokens(text) + 1;
      shown.push(text);
    }
    const omitted = places.length - shown.length;
    const lines = [...shown, ...(omitted > 0 ? [`${omitted} more places`] : [])].join("\n");
    return frame.replace("{{places}}", () => lines).trimEnd();
  },
};

function formatPlace(name: string, { taken, more }: RejectedPlace): string {
  if (taken.length === 0) return name;
  const lines = [...taken.map((line) => `- ${line}`), ...(more > 0 ? [`- (${more} more lines)`] : [])];
  return [`${name} taken out:`, ...lines].join("\n");
}

function rejectedFiles(view: SessionView): readonly ReviewedFile[] {
  const found: ReviewedFile[] = [];
  const undone = new Set<number>();
  for (const entry of iterateBackward(view.entries)) {
    if (entry.kind === "message" && isOnCurrentPath(view, entry.seq) && hasNotice(entry)) break;
    if (entry.kind !== "review") continue;
    if (entry.undone !== undefined) undone.add(entry.undone);
    else if (!undone.has(entry.seq)) found.unshift(...entry.files.filter(({ rejected }) => rejected > 0));
  }
  return found;
}

const hasNotice = ({ blocks, calls }: MessageEntry): boolean =>
  [...blocks, ...calls.flatMap(({ output = [] }) => output)].some(
    (block) => block.type === "context" && block.topic === "review",
  );
