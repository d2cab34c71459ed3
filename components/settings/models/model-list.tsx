"use client";
/** List of the installed models; a row opens the model's page. Long lists have a filter. */
import { useState } from "react";
import { isSameModelName } from "@/lib/models/model-names";
import type { LoadedModel, ModelInfo, ModelServerState } from "@/lib/models/models";
import { useServerState } from "../../state/use-server-state";
import { Chip } from "../../ui/indicators/chip";
import { useFullMessages } from "../../messages/full-messages";
import { ItemRow } from "../item-section/item-row";
import { OpenItemButton } from "../item-section/open-item-button";
import { LoadedLine } from "./loaded-line";
import { sortByName, modelFactTexts } from "./model-facts";
import { matchesFilter, ModelFilter } from "./model-filter";
import { VerdictChip } from "../../ui/indicators/verdict-chip";

export function ModelList({ server }: { readonly server: ModelServerState }) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const [filter, setFilter] = useState("");
  const settings = useServerState("settings");
  const models = sortByName(server.models).filter(({ name }) => matchesFilter(name, filter));
  return (
    <>
      {server.status === "unreachable" && <p className="text-ink-muted">{text.asLastSeen}</p>}
      <ModelFilter count={server.models.length} value={filter} onChange={setFilter} />
      {models.length === 0 ? (
        <p className="py-2 text-ink-muted">{text.noMatch}</p>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised">
          {models.map((model) => (
            <ModelRow
              key={model.name}
              model={model}
              loaded={server.loaded.find((one) => isSameModelName(one.name, model.name))}
              isDefault={settings?.connection === "" && isSameModelName(settings.model, model.name)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

interface ModelRowProps {
  readonly model: ModelInfo;
  readonly loaded: LoadedModel | undefined;
  readonly isDefault: boolean;
}

function ModelRow({ model, loaded, isDefault }: ModelRowProps) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const { note } = model;
  const speed = note?.writePerSecond ?? note?.doctor?.writePerSecond ?? 0;
  return (
    <ItemRow
      name={
        <OpenItemButton item={model.name} title={model.name} className="cut font-mono text-code">
          {model.name}
        </OpenItemButton>
      }
      chips={
        <>
          {isDefault && <Chip>{text.isDefault}</Chip>}
          {model.cloud && <Chip tone="ask">{text.cloud}</Chip>}
        </>
      }
      end={
        <div className="flex shrink-0 flex-col items-end gap-0.5">
          {note?.doctor !== undefined && <VerdictChip verdict={note.doctor.verdict} />}
          {speed > 0 && <span className="text-small text-ink-muted tabular-nums">{messages.figures.speed(speed)}</span>}
        </div>
      }
    >
      <p className="text-small text-ink-muted">{modelFactTexts(messages, model).join(" · ")}</p>
      {loaded !== undefined && <LoadedLine inList loaded={loaded} />}
    </ItemRow>
  );
}
