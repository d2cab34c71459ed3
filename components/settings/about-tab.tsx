"use client";
/** About tab: version, data folder, the files in it, and the log. */
import type { ReactNode } from "react";
import { useServerState } from "../state/use-server-state";
import { CopyButton } from "../ui/controls/copy-button";
import { useFullMessages } from "../messages/full-messages";
import { SettingGroup } from "./fields/setting-row";
import { LogGroup } from "./log-group";

const dataFiles = [
  ["database", "gopi.db"],
  ["blobs", "blobs/"],
  ["trash", "trash/"],
] as const;

export function AboutTab() {
  const messages = useFullMessages();
  const text = messages.settings.about;
  const version = useServerState("version");
  const home = useServerState("home");
  const server = useServerState("models");
  if (version === undefined || home === undefined) return null;
  return (
    <>
      <SettingGroup title={text.title}>
        <FactRow name={text.version}>{version}</FactRow>
        {server?.version !== undefined && (
          <FactRow name={text.modelServer}>{messages.modelUse.version(server.version)}</FactRow>
        )}
        <FactRow name={text.home}>
          <code className="text-code break-all">{home}</code>
          <CopyButton text={() => home} name={messages.common.copy} doneName={messages.common.copied} />
        </FactRow>
      </SettingGroup>
      <SettingGroup title={text.kept}>
        {dataFiles.map(([id, file]) => (
          <FactRow key={id} name={text.keptIn[id]}>
            <code className="text-code">{file}</code>
          </FactRow>
        ))}
        <FactRow name={text.browser}>{text.browserNote}</FactRow>
      </SettingGroup>
      <LogGroup />
      <p className="text-ink-muted">{text.local}</p>
    </>
  );
}

function FactRow({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-x-6 py-3 tablet:grid-cols-[1fr_1fr]">
      <span className="text-ink-muted">{name}</span>
      <span className="flex min-w-0 items-center gap-2">{children}</span>
    </div>
  );
}
