"use client";
/** List setting: removable chips and a field that adds values. */
import { X } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { ListItems } from "@/lib/settings/setting-table";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { TextField } from "../../ui/controls/text-field";
import { useFullMessages } from "../../messages/full-messages";
import { useListChange } from "../../state/use-change";

interface ListSettingProps {
  readonly values: readonly string[];
  readonly items: ListItems;
  readonly labelId: string;
  readonly addLabel: string;
  readonly placeholder: string;
  readonly isValid: (text: string) => boolean;
  /** Resolves when it is answered. */
  readonly onSave: (values: string[]) => Promise<void>;
}

export function ListSetting({ values, items, labelId, addLabel, placeholder, isValid, onSave }: ListSettingProps) {
  const messages = useFullMessages();
  const { list: shown, change } = useListChange(values, onSave);
  const [text, setText] = useState("");
  const typed = (items === "words" ? text.split(/[\s,，、]+/) : [text.trim()]).filter((word) => word !== "");
  const isRefused = typed.some((word) => !isValid(word));
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (typed.length === 0 || isRefused) return;
    void change((list) => (items === "arguments" ? [...list, ...typed] : [...new Set([...list, ...typed])]));
    setText("");
  };
  return (
    <div>
      <ul aria-labelledby={labelId} className="flex flex-wrap gap-1.5 not-empty:mb-2">
        {shown.map((value, index) => (
          <li
            key={index}
            className="flex h-7 items-center rounded-control border border-line bg-raised pl-2 font-mono text-code max-tablet:h-11"
          >
            {value}
            <button
              type="button"
              aria-label={messages.settings.removeWord(value)}
              onClick={() => void change((list) => list.toSpliced(index, 1))}
              className="grid size-7 place-items-center rounded-control text-ink-muted hover:text-ink max-tablet:size-11"
            >
              <Icon of={X} size={12} />
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={add} className="flex max-w-96 gap-2">
        <TextField
          mono
          value={text}
          invalid={isRefused}
          placeholder={placeholder}
          aria-label={addLabel}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" disabled={typed.length === 0 || isRefused}>
          {messages.settings.add}
        </Button>
      </form>
    </div>
  );
}
