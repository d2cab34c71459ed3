"use client";
/** Ollama server: status, address, start button; and its address as a setting. */
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import type { ModelServerState } from "@/lib/models";
import { isServerAddress } from "@/lib/server-address";
import { settingsDefaults } from "@/lib/settings";
import { useClient } from "../../state/client";
import { Button } from "../../ui/button";
import { classes } from "../../ui/classes";
import { IconButton } from "../../ui/icon-button";
import { Spinner } from "../../ui/spinner";
import { useFullWords } from "../../words/full-words";
import { Fold, RawText } from "../fold";
import { SettingField, SettingGroup } from "../setting-field";
import { TextSetting } from "../text-setting";
import { useToldCall } from "../use-told-call";

const ollamaAddress = "http://127.0.0.1:11434";
const installHref = "https://ollama.com/download";

type Asked = "models.start" | "models.refresh";

export function ServerSection({ server }: { readonly server: ModelServerState | undefined }) {
  const words = useFullWords();
  const { cache } = useClient();
  const call = useToldCall();
  const [pending, setPending] = useState<Asked | null>(null);
  const ask = (what: Asked): void => {
    setPending(what);
    void call(what, {}).then((state) => {
      setPending(null);
      if (state !== undefined) cache.setQueryData(["models"], state);
    });
  };
  return (
    <SettingGroup title={words.settings.model.server}>
      {server?.status === "unreachable" ? (
        <Unreachable server={server} pending={pending} onAsk={ask} />
      ) : (
        <ServerLine server={server} busy={pending !== null} onAgain={() => ask("models.refresh")} />
      )}
      <SettingField
        label={words.settings.model.host}
        note={words.settings.model.hostNote}
        defaults={{ ollamaHost: settingsDefaults.ollamaHost }}
      >
        {({ settings, save, labelId }) => (
          <TextSetting
            mono
            inputMode="url"
            value={settings.ollamaHost}
            labelId={labelId}
            placeholder={server?.host ?? ollamaAddress}
            problemOf={(text) => (isServerAddress(text) ? null : words.settings.model.hostBad(text))}
            onSave={(ollamaHost) => save({ ollamaHost })}
          />
        )}
      </SettingField>
    </SettingGroup>
  );
}

interface ServerLineProps {
  readonly server: ModelServerState | undefined;
  readonly busy: boolean;
  readonly onAgain: () => void;
}

function ServerLine({ server, busy, onAgain }: ServerLineProps) {
  const words = useFullWords();
  const isReady = server?.status === "ready";
  const name = server?.version === undefined ? words.settings.model.noVersion : words.models.version(server.version);
  return (
    <div className="flex min-h-12 items-center gap-2.5 py-2">
      <span aria-hidden className={classes("size-2 shrink-0 rounded-full", isReady ? "bg-accent" : "bg-ink-faint")} />
      <p role="status" className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {isReady ? (
          <>
            <span className="font-medium">{name}</span>{" "}
            <span className="text-ink-muted">{words.settings.model.at(server.host)}</span>
          </>
        ) : (
          <span className="text-ink-muted">{words.models.looking}</span>
        )}
      </p>
      {busy ? (
        <Spinner className="m-2.5 text-ink-muted" />
      ) : (
        <IconButton icon={RefreshCw} name={words.settings.model.lookAgain} onClick={onAgain} />
      )}
    </div>
  );
}

interface UnreachableProps {
  readonly server: ModelServerState;
  readonly pending: Asked | null;
  readonly onAsk: (what: Asked) => void;
}

function Unreachable({ server, pending, onAsk }: UnreachableProps) {
  const words = useFullWords();
  const { models } = words;
  const { error, canStart } = server;
  return (
    <div className="grid gap-3 py-4">
      <div className="flex gap-2.5">
        <span aria-hidden className="mt-1.5 size-2 shrink-0 rounded-full bg-danger" />
        <div className="min-w-0">
          <p role="status" className="font-medium [overflow-wrap:anywhere]">
            {models.unreachable(server.host)}
          </p>
          <p className="text-ink-muted">
            {error === undefined || error.code === "server_unreachable"
              ? models.unreachableNote
              : words.errors.sentences[error.code]}
          </p>
          {error?.detail !== undefined && (
            <Fold title={words.common.details} className="mt-1">
              <RawText text={error.detail} />
            </Fold>
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
            {pending === "models.start" ? models.starting : models.start}
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
            {models.install}
          </a>
        )}
      </div>
    </div>
  );
}
