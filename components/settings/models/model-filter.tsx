"use client";
/** Field that filters a list of models by name; short lists have none. */
import { Search } from "lucide-react";
import { TextField } from "../../ui/controls/text-field";
import { useFullMessages } from "../../messages/full-messages";
import { Icon } from "../../ui/indicators/icon";

/** Lists of this length or more have a filter. */
const filterMinModels = 9;

interface ModelFilterProps {
  /** Number of models without the filter. */
  readonly count: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function ModelFilter({ count, value, onChange }: ModelFilterProps) {
  const text = useFullMessages().settings.models;
  if (count < filterMinModels) return null;
  return (
    <div className="relative max-w-80">
      <Icon of={Search} className="absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-faint" />
      <TextField
        type="search"
        value={value}
        aria-label={text.filter}
        placeholder={text.filter}
        className="pl-8"
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** Whether a model is among those that the filter shows. */
export const matchesFilter = (name: string, filter: string): boolean =>
  name.toLowerCase().includes(filter.trim().toLowerCase());
