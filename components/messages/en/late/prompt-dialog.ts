/** Messages of the dialog that shows the next request. */
import type { PromptPiece } from "@/lib/protocol/answers";

export const promptDialog = {
  title: "Next request",
  note: "Everything the model gets with the next request, word for word. Instructions and tools stay identical for the whole session, so the model server can keep them cached.",
  isNew: "new",
  unchanged: "Nothing was added since the last request.",
  added: (added: string, before: string) =>
    `Since the last request ${added} tokens are new; the ${before} before them are unchanged.`,
  sections: {
    start: "Start of the session",
    history: "History",
    pending: "Pending notices",
  },
  pieces: {
    owner: () => "About you and the assistant",
    toolbox: () => "Tools of other programs",
    guide: () => "Project guide",
    memory: () => "Notes from the memory",
    environment: () => "Environment",
    tree: () => "File tree",
    summary: () => "Summary",
    message: () => "Your message",
    answer: () => "Answer",
    result: (tool: string) => `Result of ${tool}`,
    notice: () => "Notice",
    file: (name: string) => name,
    pending: () => "Goes with the next result",
    pendingFile: (name: string) => `${name}, with your next message`,
  } satisfies Record<PromptPiece["kind"], (tool: string) => string>,
};
