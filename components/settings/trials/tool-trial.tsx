"use client";
/** Tries a tool of another program, as its source defines it now. */
import type { AgentError } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { ToolTrialPreview } from "@/lib/tools/trials";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { LoadedQuery } from "../item-section/project-section";
import { TrialForm } from "./trial-form";

interface ToolTrialFormProps {
  readonly projectId: ProjectId;
  /** In the catalogue. */
  readonly tool: string;
  /** Said before it is called; absent = the sentence for a server. */
  readonly reviewNote?: string;
}

export function ToolTrialForm({ projectId, tool, reviewNote }: ToolTrialFormProps) {
  const messages = useFullMessages();
  const { trials: text } = messages;
  const { call } = useClient();
  return (
    <LoadedQuery query={useCommandQuery("trials.tool", { projectId, tool })} failed={text.unusable}>
      {({ parameters }) => (
        <TrialForm<ToolTrialPreview>
          name={tool}
          parameters={parameters}
          labels={{ ...text, ...(reviewNote === undefined ? {} : { reviewNote }) }}
          review={(input) => call("trials.preview", { projectId, tool, input })}
          format={({ source, tool: own, input }) => `${source} · ${own}\n\n${JSON.stringify(input, null, 2)}`}
          run={({ definition }, input, trial) =>
            call("trials.run", { projectId, tool, input: { ...input }, definition, trial })
          }
          stop={(trial) => void call("trials.stop", { trial })}
          errorText={(error) => trialErrorText(error, messages)}
        />
      )}
    </LoadedQuery>
  );
}

/** The detail is what a model would get. */
function trialErrorText({ code, detail = "" }: AgentError, { trials, errors }: FullMessages): string {
  if (code === "not_found") return trials.unusable;
  if (detail !== "") return detail;
  return code === "changed_meanwhile" ? trials.changed : errors.sentences[code];
}
