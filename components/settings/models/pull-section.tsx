"use client";
/** Model download: name field, suggestions, and the downloads that run or can be resumed. */
import { isSameModelName } from "@/lib/models/model-names";
import type { ModelServerState, PullState } from "@/lib/models/models";
import { suggestedModels } from "@/lib/models/suggested-models";
import { useServerState } from "../../state/use-server-state";
import { Button } from "../../ui/controls/button";
import { useFullMessages } from "../../messages/full-messages";
import { useChange } from "../../state/use-change";
import { isPulling, visiblePulls } from "./model-facts";
import { PullForm } from "./pull-form";
import { PullRow } from "./pull-row";
import { ItemList } from "../item-section/item-section";

export function PullSection({ server }: { readonly server: ModelServerState }) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const { perform } = useChange("toast");
  const own = (useServerState("pulls") ?? []).filter(({ connection }) => connection === undefined);
  const isReady = server.status === "ready";
  const pull = (name: string): void => void perform("models.pull", { name });
  return (
    <section aria-label={text.pullTitle} className="mt-5 grid gap-3">
      <h3 className="font-medium">{text.pullTitle}</h3>
      {visiblePulls(own, server.models).map((one) => (
        <PullRow key={one.name} pull={one} onResume={() => pull(one.name)} />
      ))}
      <PullForm
        label={text.pullName}
        note={isReady ? text.pullNote : text.unreachablePull}
        disabled={!isReady}
        onPull={pull}
      />
      {isReady && <Suggestions server={server} pulls={own} onPull={pull} />}
    </section>
  );
}

interface SuggestionsProps {
  readonly server: ModelServerState;
  readonly pulls: readonly PullState[];
  readonly onPull: (name: string) => void;
}

/** Lists the suggested models that are neither installed nor being downloaded. */
function Suggestions({ server, pulls, onPull }: SuggestionsProps) {
  const messages = useFullMessages();
  const open = suggestedModels.filter(
    ({ name }) =>
      !server.models.some((model) => isSameModelName(model.name, name)) &&
      !visiblePulls(pulls, server.models).some((pull) => isSameModelName(pull.name, name)),
  );
  const isFirst = server.models.length === 0 && !pulls.some(isPulling);
  if (open.length === 0) return null;
  return (
    <ItemList label={messages.firstRun.suggested}>
      {open.map((model, index) => (
        <li key={model.name} className="flex items-center gap-3 py-2 pr-2 pl-3.5">
          <div className="min-w-0 flex-1">
            <p className="cut font-mono text-code font-medium">{model.name}</p>
            <p className="text-small text-ink-muted">
              {messages.firstRun.notes[model.note]} · {messages.firstRun.size(model.downloadGb)} ·{" "}
              {messages.firstRun.memory(model.memoryGb)}
            </p>
          </div>
          <Button look={isFirst && index === 0 ? "primary" : "plain"} size="small" onClick={() => onPull(model.name)}>
            {messages.models.pull}
          </Button>
        </li>
      ))}
    </ItemList>
  );
}
