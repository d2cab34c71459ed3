"use client";
/** Agent tab: limits of runs, context and tools; the config file; import and export. */
import { useFullMessages } from "../messages/full-messages";
import { ConfigFileSetting } from "./config/config-file-setting";
import { ImportSetting } from "./config/import-setting";
import { NumberSetting } from "./fields/number-setting";
import { SettingGroup } from "./fields/setting-field";

const groups = {
  runs: ["maxSteps", "maxRunMinutes", "retries", "stallSeconds"],
  context: ["compactionPercent", "keptMessages", "treeDepth", "treeFolderEntries"],
  tools: ["bashTimeoutSeconds", "bashOutputBytes", "readLines", "grepMatches", "findEntries"],
} as const;

export function AgentTab() {
  const { agent } = useFullMessages().config;
  return (
    <>
      <SettingGroup title={agent.runs}>
        {groups.runs.map((name) => (
          <NumberSetting key={name} name={name} {...agent.fields[name]} />
        ))}
      </SettingGroup>
      <SettingGroup title={agent.context}>
        {groups.context.map((name) => (
          <NumberSetting key={name} name={name} {...agent.fields[name]} />
        ))}
      </SettingGroup>
      <SettingGroup title={agent.tools}>
        {groups.tools.map((name) => (
          <NumberSetting key={name} name={name} {...agent.fields[name]} />
        ))}
      </SettingGroup>
      <ConfigFileSetting name="config" />
      <ImportSetting />
    </>
  );
}
