"use client";
/** Agent tab: limits of runs, context and tools; import and export. */
import { useFullMessages } from "../messages/full-messages";
import { ImportSetting } from "./config/import-setting";
import { NumberSetting } from "./fields/number-setting";
import { SwitchSetting } from "./fields/switch-setting";
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
          <NumberSetting key={name} name={name} />
        ))}
      </SettingGroup>
      <SettingGroup title={agent.context}>
        <SwitchSetting name="autoFill" />
        <SwitchSetting name="keepReadFiles" />
        {groups.context.map((name) => (
          <NumberSetting key={name} name={name} />
        ))}
      </SettingGroup>
      <SettingGroup title={agent.tools}>
        {groups.tools.map((name) => (
          <NumberSetting key={name} name={name} />
        ))}
      </SettingGroup>
      <ImportSetting />
    </>
  );
}
