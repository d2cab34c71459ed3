"use client";
/** Connections tab: list and presets, or the form of one connection. */
import type { Connection, ConnectionPreset } from "@/lib/models/models";
import { tourConnectionId } from "@/lib/models/tour";
import { useServerState } from "../../state/use-server-state";
import { useCommandQuery } from "../../state/use-command-query";
import { Button } from "../../ui/controls/button";
import { Select } from "../../ui/controls/select";
import { Skeleton } from "../../ui/indicators/skeleton";
import { useFullMessages } from "../../messages/full-messages";
import { BackLink } from "../item-section/back-link";
import { openItem, useOpenItem } from "../item-section/open-item";
import { SettingField } from "../fields/setting-field";
import { SettingGroup } from "../fields/setting-row";
import { emptyDraft, unusedName } from "./connection-draft";
import { ConnectionList } from "./connection-list";
import {
  connectionDisplayName,
  isEngineConnection,
  isEnvironmentConnection,
  presetDisplayName,
} from "../../messages/connection-name";
import { ConnectionPage } from "./connection-page";
import { useState } from "react";
import { Chip } from "../../ui/indicators/chip";
import { useChange } from "../../state/use-change";
import { ConnectionTest, type ConnectionTestState } from "./connection-test";
import { SectionTitle } from "../item-section/section-title";

/** Page of the connection defined by environment variables: address and test; read-only. */
function EnvironmentPage({ connection }: { readonly connection: Connection }) {
  const messages = useFullMessages();
  const text = messages.connectionSettings;
  const { perform } = useChange("toast");
  const settings = useServerState("settings");
  const [test, setTest] = useState<ConnectionTestState | null>(null);
  const isDefault = settings?.connection === connection.id;
  const runTest = async (): Promise<void> => {
    setTest("running");
    const answer = await perform("connections.test", { id: connection.id });
    setTest(answer ?? null);
  };
  const { key } = connection;
  const facts = [
    [text.baseUrl, connection.baseUrl],
    [text.key, key.name ?? text.keyNone],
  ] as const;
  return (
    <>
      <div className="mb-1 flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="min-w-0 text-title font-semibold">{connectionDisplayName(connection, messages)}</h2>
        {isDefault && <Chip>{text.isDefault}</Chip>}
        {!connection.local && <Chip tone="ask">{text.cloud}</Chip>}
      </div>
      <p className="max-w-[68ch] text-ink-muted">{text.environmentNote}</p>
      <p className="mt-1.5 mb-4 max-w-[68ch]">{connection.local ? text.localNote : text.leaves}</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 border-y border-line py-3.5">
        {facts.map(([name, fact]) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-ink-muted">{name}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{fact}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap items-center gap-2 py-4">
        <Button busy={test === "running"} onClick={() => void runTest()}>
          {text.test}
        </Button>
        {!isDefault && (
          <Button look="quiet" onClick={() => void perform("settings.write", { patch: { connection: connection.id } })}>
            {text.makeDefault}
          </Button>
        )}
      </div>
      {test !== null && <ConnectionTest test={test} />}
    </>
  );
}

/** URL prefix of an open, unsaved connection; ids contain no colon. */
const newPrefix = "new:";

export function ConnectionsTab() {
  const messages = useFullMessages();
  const text = messages.connectionSettings;
  const all = useServerState("connections");
  const presets = useCommandQuery("connections.list", {}, { select: ({ presets: listed }) => listed });
  const opened = useOpenItem();
  if (all === undefined) return <Skeleton label={messages.common.loading} className="h-24" />;
  const connections = all.filter((one) => !isEngineConnection(one) && one.id !== tourConnectionId);
  if (opened !== null)
    return (
      <>
        <BackLink label={text.back} />
        <OpenConnection opened={opened} connections={connections} presets={presets.data} />
      </>
    );
  return (
    <>
      <section aria-label={text.title} className="mb-8">
        <SectionTitle title={text.title} />
        <p className="max-w-[68ch] text-ink-muted">{text.about}</p>
        <p className="mt-1.5 mb-4 max-w-[68ch]">{text.leaves}</p>
        {connections.length === 0 ? (
          <p className="text-ink-muted">{text.none}</p>
        ) : (
          <ConnectionList connections={connections} presets={presets.data ?? []} />
        )}
      </section>
      {all.length > 0 && <DefaultConnection connections={all} />}
      <section aria-label={text.add} className="mb-8">
        <h2 className="mb-3 text-title font-semibold">{text.add}</h2>
        {presets.isPending && <Skeleton label={messages.common.loading} className="h-24" />}
        {presets.isError && (
          <p role="alert" className="flex items-center gap-3">
            {text.presetsFailed}
            <Button size="small" onClick={() => void presets.refetch()}>
              {messages.common.retry}
            </Button>
          </p>
        )}
        {presets.data !== undefined && <Presets presets={presets.data} />}
      </section>
    </>
  );
}

interface OpenConnectionProps {
  readonly opened: string;
  readonly connections: readonly Connection[];
  readonly presets: readonly ConnectionPreset[] | undefined;
}

function OpenConnection({ opened, connections, presets }: OpenConnectionProps) {
  const messages = useFullMessages();
  const text = messages.connectionSettings;
  if (!opened.startsWith(newPrefix)) {
    const connection = connections.find((one) => one.id === opened);
    if (connection === undefined) return <p>{text.missing}</p>;
    if (isEnvironmentConnection(connection)) return <EnvironmentPage connection={connection} />;
    const preset = presets?.find((one) => one.id === connection.preset);
    return <ConnectionPage key={opened} connection={connection} preset={preset} />;
  }
  if (presets === undefined) return <Skeleton label={messages.common.loading} className="h-24" />;
  const preset = presets.find((one) => one.id === opened.slice(newPrefix.length));
  if (preset === undefined) return <p>{text.missing}</p>;
  const name = unusedName(presetDisplayName(preset, messages), [text.ollama, ...connections.map((one) => one.name)]);
  return <ConnectionPage key={opened} preset={preset} start={emptyDraft(preset, name)} />;
}

function DefaultConnection({ connections }: { readonly connections: readonly Connection[] }) {
  const messages = useFullMessages();
  const { connectionSettings: text, settings: settingWords } = messages;
  return (
    <SettingGroup title={settingWords.model.title}>
      <SettingField name="connection">
        {({ settings, save, labelId }) => (
          <Select
            className="w-full"
            aria-labelledby={labelId}
            value={connections.some((one) => one.id === settings.connection) ? settings.connection : ""}
            options={[
              { value: "", label: text.ollama },
              ...connections.map((one) => ({ value: one.id, label: connectionDisplayName(one, messages) })),
            ]}
            onChange={(connection) => save({ connection })}
          />
        )}
      </SettingField>
    </SettingGroup>
  );
}

function Presets({ presets }: { readonly presets: readonly ConnectionPreset[] }) {
  const { connectionSettings: text } = useFullMessages();
  const services = presets.filter((preset) => preset.id !== "custom");
  const custom = presets.filter((preset) => preset.id === "custom");
  return (
    <div className="grid gap-4">
      <PresetGroup title={text.addLocal} note={text.localNote} presets={services.filter((preset) => preset.local)} />
      <PresetGroup title={text.addCloud} note={text.cloudNote} presets={services.filter((preset) => !preset.local)} />
      <PresetGroup title={text.addOther} note={text.customNote} presets={custom} />
    </div>
  );
}

interface PresetGroupProps {
  readonly title: string;
  readonly note: string;
  readonly presets: readonly ConnectionPreset[];
}

function PresetGroup({ title, note, presets }: PresetGroupProps) {
  const messages = useFullMessages();
  if (presets.length === 0) return null;
  return (
    <div>
      <h3 className="font-medium">{title}</h3>
      <p className="mb-2 text-small text-ink-muted">{note}</p>
      <ul aria-label={title} className="flex flex-wrap gap-2">
        {presets.map((preset) => (
          <li key={preset.id}>
            <Button onClick={() => openItem(`${newPrefix}${preset.id}`)}>{presetDisplayName(preset, messages)}</Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
