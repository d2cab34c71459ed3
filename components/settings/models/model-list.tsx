"use client";
/** List of the installed models; a row opens the model's page. Long lists have a filter. */
import { Search } from "lucide-react";
import { useState } from "react";
import { isSameModelName } from "@/lib/models/model-names";
import type { LoadedModel, ModelInfo, ModelServerState } from "@/lib/models/models";
import { useServerState } from "../../state/use-server-state";
import { Chip } from "../../ui/indicators/chip";
import { TextField } from "../../ui/controls/text-field";
import { useFullMessages } from "../../messages/full-messages";
import { Icon } from "../../ui/indicators/icon";
import { ItemRow } from "../item-row";
import { OpenItemButton } from "../open-item-button";
import { LoadedLine } from "./loaded-line";
import { sortByName, modelFactTexts } from "./model-facts";
import { VerdictChip } from "../../ui/indicators/verdict-chip";

/** Lists of this length or more have a filter. */
const filterMinModels = 9;

export function ModelList({ server }: { readonly server: ModelServerState }) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const [filter, setFilter] = useState("");
  const settings = useServerState("settings");
  const wanted = filter.trim().toLowerCase();
  const models = sortByName(server.models).filter((model) => model.name.toLowerCase().includes(wanted));
  return (
    <>
      {server.status === "unreachable" && <p className="text-ink-muted">{text.asLastSeen}</p>}
      {server.models.length >= filterMinModels && (
        <div className="relative max-w-80">
          <Icon of={Search} className="absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-faint" />
          <TextField
            type="search"
            value={filter}
            aria-label={text.filter}
            placeholder={text.filter}
            className="pl-8"
            onChange={(event) => setFilter(event.target.value)}
          />
        </div>
      )}
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
