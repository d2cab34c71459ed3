/** Chooses the form in which earlier answers go back to a model. Pure. */
import type { HistoryUse } from "@/lib/events/event";
import type { ModelInfo } from "@/lib/models/models";

/** Prefers what was learned of the model, then the user's choice or the chat template, then what its family is trained with. */
export const chooseHistoryUse = (
  { name, note }: Pick<ModelInfo, "name" | "note">,
  template: HistoryUse = {},
): HistoryUse => {
  const { reasoning, ...other } = template;
  const isKept = note?.keepThinking ?? reasoning === "preserve";
  return {
    ...(/\bkimi/i.test(name) ? { callIds: "kimi" as const } : {}),
    ...other,
    ...(isKept ? { reasoning: "preserve" as const } : {}),
    ...note?.history,
  };
};

/** The members of a larger object. */
export const pickHistoryUse = ({ reasoning, callIds }: HistoryUse): HistoryUse => ({
  ...(reasoning === undefined ? {} : { reasoning }),
  ...(callIds === undefined ? {} : { callIds }),
});
