"use client";
/** About tab: version, data folder, and the files in it. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queries } from "../state/queries";
import { CopyButton } from "../ui/copy-button";
import { useFullWords } from "../words/full-words";
import { SettingGroup } from "./setting-field";

const kept = [
  ["database", "gopi.db"],
  ["blobs", "blobs/"],
  ["trash", "trash/"],
] as const;

export function AboutTab() {
  const words = useFullWords();
  const text = words.settings.about;
  const welcome = useQuery(queries.welcome()).data;
  const server = useQuery(queries.models()).data;
  if (welcome === undefined) return null;
  return (
    <>
      <SettingGroup title={text.title}>
        <Fact name={text.version}>{welcome.version}</Fact>
        {server?.version !== undefined && <Fact name={text.modelServer}>{words.models.version(server.version)}</Fact>}
        <Fact name={text.home}>
          <code className="text-code break-all">{welcome.home}</code>
          <CopyButton text={() => welcome.home} name={words.common.copy} doneName={words.common.copied} />
        </Fact>
      </SettingGroup>
      <SettingGroup title={text.kept}>
        {kept.map(([id, file]) => (
          <Fact key={id} name={text.keptIn[id]}>
            <code className="text-code">{file}</code>
          </Fact>
        ))}
        <Fact name={text.browser}>{text.browserNote}</Fact>
      </SettingGroup>
      <p className="text-ink-muted">{text.local}</p>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-x-6 py-3 tablet:grid-cols-[1fr_1fr]">
      <span className="text-ink-muted">{name}</span>
      <span className="flex min-w-0 items-center gap-2">{children}</span>
    </div>
  );
}
