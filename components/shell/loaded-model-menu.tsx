"use client";
/** Model in the status bar: its name, how long it stays in memory, and a command that unloads it. */
import type { LoadedModel } from "@/lib/models";
import { useNow } from "../chat/use-now";
import { useClient } from "../state/client";
import { Menu } from "../ui/menu";
import { useWords, type Words } from "../words/words";
import { modelOf } from "./model-choice";
import { tellError } from "./tell-error";

export interface LoadedModelMenuProps {
  readonly model: string;
  /** Connection the model is loaded on; null = the Ollama server of the settings. */
  readonly connection: string | null;
  readonly loaded: LoadedModel;
  /** The model is generating; each answer restarts its time in memory. */
  readonly isBusy: boolean;
}

const minuteMs = 60_000;
/** Sufficient resolution for minutes. */
const tickMs = 30_000;
/** Ollama reports an expiry years ahead for models that are never unloaded. */
const foreverMs = 7 * 24 * 60 * minuteMs;

export function LoadedModelMenu({ model, connection, loaded, isBusy }: LoadedModelMenuProps) {
  const client = useClient();
  const words = useWords();
  const now = useNow(tickMs);
  const leaves = leavesIn(loaded, now, words);
  const unload = (): void =>
    void client.call("models.unload", modelOf({ model, connection })).then((answer) => {
      if (!answer.ok) tellError(client, words, answer.error);
    });
  return (
    <Menu
      name={model}
      side="above"
      className="-mx-1.5 flex h-5 min-w-0 items-center gap-1.5 rounded-mark px-1.5 hover:bg-hover hover:text-ink data-[state=open]:bg-hover"
      header={
        <div className="max-w-72 px-2 pt-1 pb-1.5">
          <p className="cut font-medium">{model}</p>
          <p className="text-small text-ink-muted">
            {words.models.inMemory(words.figures.bytes(loaded.size))} {leaves ?? words.models.stays}
          </p>
        </div>
      }
      items={[
        {
          id: "unload",
          label: words.models.unload,
          note: isBusy ? words.models.unloadLater : words.models.unloadNote,
          disabled: isBusy,
          onSelect: unload,
        },
      ]}
    >
      <span className="cut">{model}</span>
      {!isBusy && leaves !== null && <span className="text-ink-faint max-desktop:hidden">{leaves}</span>}
    </Menu>
  );
}

/** Returns e.g. "unloads in 12 min"; null = the model stays loaded. */
function leavesIn({ expiresAt }: LoadedModel, now: number, { models, figures }: Words): string | null {
  if (expiresAt === undefined || expiresAt - now > foreverMs) return null;
  const minutes = Math.round((expiresAt - now) / minuteMs);
  return minutes < 1 ? models.leavesSoon : models.leavesIn(figures.duration(minutes * minuteMs));
}
