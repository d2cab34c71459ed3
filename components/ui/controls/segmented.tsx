/** Radio group as adjacent segments. Arrow keys change the selection, as in every radio group. */
import { useId } from "react";

interface SegmentedProps<V extends string> {
  readonly name: string;
  /** null = no selection. */
  readonly value: V | null;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly onChange: (value: V) => void;
}

export function Segmented<V extends string>({ name, value, options, onChange }: SegmentedProps<V>) {
  const group = useId();
  return (
    <div role="radiogroup" aria-label={name} className="inline-flex gap-0.5 rounded-card bg-segment-track p-0.5">
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex items-center rounded-control px-2.5 py-0.5 text-ink-muted transition-colors hover:text-ink has-checked:bg-segment has-checked:text-ink has-checked:shadow-segment has-focus-visible:outline-2 has-focus-visible:outline-accent max-tablet:py-2.5"
        >
          <input
            type="radio"
            name={group}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 appearance-none outline-none"
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
