"use client";
/** The models of a connection that has none yet, each chosen by one click. */
import { canChat } from "@/lib/models/can-chat";
import { environmentConnectionId } from "@/lib/models/default-connection";
import type { Connection } from "@/lib/models/models";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { toastError } from "../notices/toast-error";

/** More are in the model menu. */
const shownMax = 8;

export function ChooseConnectionModel({ connection }: { readonly connection: Connection }) {
  const client = useClient();
  const messages = useFullMessages();
  const { id } = connection;
  const models = useCommandQuery("connections.models", { id }, { retry: false }).data?.models.filter(canChat) ?? [];
  if (models.length === 0) return null;
  const choose = async (model: string): Promise<void> => {
    // It belongs to the environment of the program, which cannot be changed.
    if (id === environmentConnectionId) return client.workbench.changeDraft({ model, connection: id });
    const { key: _key, local: _local, server: _server, ...fields } = connection;
    const saved = await client.call("connections.save", { ...fields, model });
    if (!saved.ok) toastError(client, messages, saved.error);
  };
  return (
    <ul
      aria-label={messages.firstRun.modelsOf(connection.name)}
      className="mt-3 divide-y divide-line overflow-hidden rounded-card border border-line bg-raised text-ink"
    >
      {models.slice(0, shownMax).map(({ name }) => (
        <li key={name}>
          <button
            type="button"
            onClick={() => void choose(name)}
            className="flex min-h-9 w-full items-center px-4 text-left font-mono text-code [overflow-wrap:anywhere] hover:bg-hover active:bg-pressed max-tablet:min-h-11"
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}
