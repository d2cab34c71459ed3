"use client";
/** Agent tab: limits of runs, context and tools. */
import { useFullMessages } from "../messages/full-messages";
import { Setting } from "./fields/setting";
import { SettingGroup } from "./fields/setting-row";

const groups = {
  runs: ["maxSteps", "maxRunMinutes", "retries", "stallSeconds", "maxOutputTokens"],
  context: ["compactionPercent", "keptMessages", "pinnedPercent", "treeDepth", "treeFolderEntries"],
  tools: ["bashTimeoutSeconds", "bashOutputBytes", "readLines", "grepMatches", "findEntries"],
} as const;

export function AgentTab() {
  const { agent } = useFullMessages().config;
  return (
    <>
      <SettingGroup title={agent.runs}>
        {groups.runs.map((name) => (
          <Setting key={name} name={name} />
        ))}
        <Setting name="modelTitles" />
        <Setting name="sourceAssistedBy" />
        <Setting name="reviewAcceptCommitted" />
      </SettingGroup>
      <SettingGroup title={agent.context}>
        <Setting name="autoFill" />
        <Setting name="keepReadFiles" />
        {groups.context.map((name) => (
          <Setting key={name} name={name} />
        ))}
      </SettingGroup>
      <SettingGroup title={agent.tools}>
        {groups.tools.map((name) => (
          <Setting key={name} name={name} />
        ))}
      </SettingGroup>
    </>
  );
}
