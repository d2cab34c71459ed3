"use client";
/** Status tab: what works and what to do next: server, model servers, sessions, cards that wait, channels, files, service. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { isHostBroken, type RunningStatus } from "@/lib/protocol/status-report";
import { isWarning } from "@/lib/settings/config-keys";
import { useFullMessages } from "../../messages/full-messages";
import { isOfHub } from "../../state/base-path";
import { CallError, invalidateCommands } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";
import { queries } from "../../state/queries";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { Skeleton } from "../../ui/indicators/skeleton";
import { SettingGroup } from "../fields/setting-row";
import { ChannelRow, isChannelBroken } from "./channel-row";
import { ConfigRow, DiskRow, isTlsBroken, ProgramRow, ServiceRow, TlsRow } from "./installation-rows";
import { statusDelay } from "./status-delay";
import { HostRow, SessionsRow } from "./work-rows";

export function StatusTab() {
  const messages = useFullMessages();
  const text = messages.status;
  const { data, error } = useCommandQuery(
    "server.status",
    {},
    { retry: false, refetchInterval: ({ state }) => statusDelay(state, Date.now()) },
  );
  const channels = useCommandQuery("channels.list", {}, { enabled: data?.hasChannels === true }).data?.channels ?? [];
  useInvalidatedStatus();
  if (data === undefined)
    return error === null ? (
      <Skeleton label={messages.common.loading} className="h-80" />
    ) : (
      <p role="alert" className="text-danger">
        {messages.errors.sentences[error instanceof CallError ? error.error.code : "connection_lost"]}
      </p>
    );
  const broken = countBroken(data) + channels.filter(isChannelBroken).length;
  return (
    <SettingGroup title={text.title}>
      <div className="py-3">
        <p role="status" className={broken === 0 ? "font-medium" : "font-medium text-ask"}>
          {broken === 0 ? text.wellTitle : text.brokenTitle(broken)}
        </p>
        <p className="text-small text-ink-muted">{text.updated}</p>
      </div>
      <ProgramRow status={data} />
      {data.hosts.map((host) => (
        <HostRow key={host.id} host={host} />
      ))}
      <SessionsRow sessions={data.sessions} />
      {channels.map((channel) => (
        <ChannelRow key={channel.kind} channel={channel} />
      ))}
      {data.tls !== undefined && <TlsRow tls={data.tls} />}
      <ConfigRow config={data.config} />
      <DiskRow home={data.home} />
      {!isOfHub() && <ServiceRow service={data.service} />}
    </SettingGroup>
  );
}

/** Lets the state be requested again when the server has sent messages about a part of it. */
function useInvalidatedStatus(): void {
  const { cache, serverState } = useClient();
  const state = useStore(serverState, (all) => all);
  const sessions = useInfiniteQuery(queries.sessions({})).data;
  const config = useCommandQuery("config.read", {}).data;
  useEffect(() => {
    void invalidateCommands(cache, ["server.status"], {}, "none");
  }, [cache, state, sessions, config]);
}

/** A card that waits is work, not a fault. */
const countBroken = ({ hosts, config, home, tls }: RunningStatus): number =>
  hosts.filter(isHostBroken).length +
  Number(config.error !== undefined || config.problems.some((problem) => !isWarning(problem))) +
  Number(tls !== undefined && isTlsBroken(tls)) +
  Number(!home.isWritable);
