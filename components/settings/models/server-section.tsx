"use client";
/** Ollama server: status, address, start button; and its address as a setting. */
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import type { ModelServerState } from "@/lib/models/models";
import { Button } from "../../ui/controls/button";
import { classes } from "../../ui/theme/classes";
import { IconButton } from "../../ui/controls/icon-button";
import { Spinner } from "../../ui/indicators/spinner";
import { useFullMessages } from "../../messages/full-messages";
import { Disclosure, RawText } from "../item-section/disclosure";
import { Setting } from "../fields/setting";
import { SettingGroup } from "../fields/setting-row";
import { useChange } from "../../state/use-change";

const ollamaAddress = "http://127.0.0.1:11434";
const installHref = "https://ollama.com/download";

type ServerCommand = "models.start" | "models.refresh";

export function ServerSection({ server }: { readonly server: ModelServerState | undefined }) {
  const messages = useFullMessages();
  const { perform } = useChange("toast");
  const [pending, setPending] = useState<ServerCommand | null>(null);
  const ask = (command: ServerCommand): void => {
    setPending(command);
    void perform(command, {}).then(() => setPending(null));
  };
  return (
    <SettingGroup title={messages.settings.model.server}>
      {server?.status === "unreachable" ? (
        <Unreachable server={server} pending={pending} onAsk={ask} />
      ) : (
        <ServerLine server={server} busy={pending !== null} onAgain={() => ask("models.refresh")} />
      )}
      <Setting name="ollamaHost" example={server?.host ?? ollamaAddress} />
    </SettingGroup>
  );
}

interface ServerLineProps {
  readonly server: ModelServerState | undefined;
  readonly busy: boolean;
  readonly onAgain: () => void;
}

function ServerLine({ server, busy, onAgain }: ServerLineProps) {
  const messages = useFullMessages();
  const isReady = server?.status === "ready";
  const name =
    server?.version === undefined ? messages.settings.model.noVersion : messages.modelUse.version(server.version);
  return (
    <div className="flex min-h-12 items-center gap-2.5 py-2">
      <span aria-hidden className={classes("size-2 shrink-0 rounded-full", isReady ? "bg-accent" : "bg-ink-faint")} />
      <p role="status" className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {isReady ? (
          <>
            <span className="font-medium">{name}</span>{" "}
            <span className="text-ink-muted">{messages.settings.model.at(server.host)}</span>
          </>
        ) : (
          <span className="text-ink-muted">{messages.models.looking}</span>
        )}
      </p>
      {busy ? (
        <Spinner className="m-2.5 text-ink-muted" />
      ) : (
        <IconButton icon={RefreshCw} name={messages.settings.model.lookAgain} onClick={onAgain} />
      )}
    </div>
  );
}

interface UnreachableProps {
  readonly server: ModelServerState;
  readonly pending: ServerCommand | null;
  readonly onAsk: (command: ServerCommand) => void;
}

function Unreachable({ server, pending, onAsk }: UnreachableProps) {
  const messages = useFullMessages();
  const { models, firstRun } = messages;
  const { error, canStart } = server;
  return (
    <div className="grid gap-3 py-4">
      <div className="flex gap-2.5">
        <span aria-hidden className="mt-1.5 size-2 shrink-0 rounded-full bg-danger" />
        <div className="min-w-0">
          <p role="status" className="font-medium [overflow-wrap:anywhere]">
            {firstRun.unreachable(server.host)}
          </p>
          <p className="text-ink-muted">
            {error === undefined || error.code === "server_unreachable"
              ? firstRun.unreachableNote
              : messages.errors.sentences[error.code]}
          </p>
          {error?.detail !== undefined && (
            <Disclosure title={messages.common.details} className="mt-1">
              <RawText text={error.detail} />
            </Disclosure>
          )}
        </div>
      </div>
      <div className="flex flex-wrap gap-2 pl-4.5">
        {canStart && (
          <Button
            look="primary"
            busy={pending === "models.start"}
            disabled={pending !== null}
            onClick={() => onAsk("models.start")}
          >
            {pending === "models.start" ? firstRun.starting : models.start}
          </Button>
        )}
        <Button
          look={canStart ? "plain" : "primary"}
          busy={pending === "models.refresh"}
          disabled={pending !== null}
          onClick={() => onAsk("models.refresh")}
        >
          {models.retry}
        </Button>
        {!canStart && (
          <a
            href={installHref}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex h-8 items-center rounded-control px-3 font-medium text-ink-muted hover:bg-hover hover:text-ink max-tablet:h-11"
          >
            {firstRun.install}
          </a>
        )}
      </div>
    </div>
  );
}
