"use client";
/** List of the installed models; a row opens the model's page. Long lists have a filter. */
import { ChevronRight, Search } from "lucide-react";
import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import type { LoadedModel, ModelInfo, ModelServerState } from "@/lib/models";
import { queries } from "../../state/queries";
import { Chip } from "../../ui/chip";
import { Icon } from "../../ui/icon";
import { TextField } from "../../ui/text-field";
import { useFullWords } from "../../words/full-words";
import { openItem } from "../opened";
import { LoadedLine } from "./loaded-line";
import { byName, modelWords } from "./model-facts";
import { VerdictChip } from "../../ui/verdict-chip";

/** Lists of this length or more have a filter. */
const filterFrom = 9;

export function ModelList({ server }: { readonly server: ModelServerState }) {
  const words = useFullWords();
  const text = words.settings.models;
  const [filter, setFilter] = useState("");
  const settings = useQuery(queries.settings()).data;
  const wanted = filter.trim().toLowerCase();
  const models = byName(server.models).filter((model) => model.name.toLowerCase().includes(wanted));
  return (
    <>
      {server.status === "unreachable" && <p className="text-ink-muted">{text.asLastSeen}</p>}
      {server.models.length >= filterFrom && (
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
              loaded={server.loaded.find((one) => one.name === model.name)}
              isDefault={settings?.connection === "" && settings.model === model.name}
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
  const words = useFullWords();
  const text = words.settings.models;
  const { note } = model;
  const speed = note?.writePerSecond ?? note?.doctor?.writePerSecond ?? 0;
  return (
    <li className="relative flex items-center gap-3 py-2.5 pr-2.5 pl-3.5 transition-colors hover:bg-hover">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
          <button
            type="button"
            title={model.name}
            onClick={() => openItem(model.name)}
            className="min-w-0 cut text-left font-mono text-code font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {model.name}
          </button>
          {isDefault && <Chip>{text.isDefault}</Chip>}
          {model.cloud && <Chip tone="ask">{text.cloud}</Chip>}
        </p>
        <p className="text-small text-ink-muted">{modelWords(words, model).join(" · ")}</p>
        {loaded !== undefined && <LoadedLine inList loaded={loaded} />}
      </div>
      <div className="flex shrink-0 flex-col items-end gap-0.5">
        {note?.doctor !== undefined && <VerdictChip verdict={note.doctor.verdict} />}
        {speed > 0 && <span className="text-small text-ink-muted tabular-nums">{words.figures.speed(speed)}</span>}
      </div>
      <Icon of={ChevronRight} className="text-ink-faint" />
    </li>
  );
}
