/** Chooses the form in which earlier answers go back to a model. Pure. */
import type { HistoryUse } from "@/lib/events/event";
import type { ModelInfo } from "@/lib/models/models";

/** What was learned of the model, else what its chat template shows, else what its family is trained with. */
export const chooseHistoryUse = (
  { name, note }: Pick<ModelInfo, "name" | "note">,
  template: HistoryUse = {},
): HistoryUse => ({ ...(/\bkimi/i.test(name) ? { callIds: "kimi" as const } : {}), ...template, ...note?.history });

/** The members of a larger object. */
export const pickHistoryUse = ({ reasoning, callIds }: HistoryUse): HistoryUse => ({
  ...(reasoning === undefined ? {} : { reasoning }),
  ...(callIds === undefined ? {} : { callIds }),
});
