"use client";
/** Model in the status bar: its name, how long it stays in memory, and a command that unloads it. */
import type { LoadedModel } from "@/lib/models/models";
import { minuteMs } from "@/lib/time/duration";
import { neverUnloadedMs } from "@/lib/models/loaded-model";
import { useNow } from "../../ui/text/use-now";
import { useClient } from "../../state/client";
import { Menu } from "../../ui/controls/menu";
import { useMessages, type Messages } from "../../messages/messages";
import { toModelFields } from "../start/model-selection";
import { toastError } from "../notices/toast-error";

interface LoadedModelMenuProps {
  readonly model: string;
  /** Connection the model is loaded on; null = the Ollama server of the settings. */
  readonly connection: string | null;
  readonly loaded: LoadedModel;
  /** The model is generating; each answer restarts its time in memory. */
  readonly isBusy: boolean;
}

/** Sufficient resolution for minutes. */
const tickMs = 30_000;

export function LoadedModelMenu({ model, connection, loaded, isBusy }: LoadedModelMenuProps) {
  const client = useClient();
  const messages = useMessages();
  const now = useNow(tickMs);
  const leaves = unloadTimeText(loaded, now, messages);
  const unload = (): void =>
    void client.call("models.unload", toModelFields({ model, connection })).then((answer) => {
      if (!answer.ok) toastError(client, messages, answer.error);
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
            {messages.models.inMemory(messages.figures.bytes(loaded.size))} {leaves ?? messages.models.stays}
          </p>
        </div>
      }
      items={[
        {
          id: "unload",
          label: messages.models.unload,
          note: isBusy ? messages.models.unloadLater : messages.models.unloadNote,
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
function unloadTimeText({ expiresAt }: LoadedModel, now: number, { models, figures }: Messages): string | null {
  if (expiresAt === undefined || expiresAt - now > neverUnloadedMs) return null;
  const minutes = Math.round((expiresAt - now) / minuteMs);
  return minutes < 1 ? models.leavesSoon : models.leavesIn(figures.duration(minutes * minuteMs));
}
