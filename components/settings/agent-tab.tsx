"use client";
/** Limits of runs, context and tools, and the file that holds all settings. */
import { useFullWords } from "../words/full-words";
import { ConfigFileSetting } from "./config-file-setting";
import { ImportSetting } from "./import-setting";
import { NumberSetting } from "./number-setting";
import { SettingGroup } from "./setting-field";

const groups = {
  runs: ["maxSteps", "maxRunMinutes", "retries", "stallSeconds"],
  context: ["compactionPercent", "keptMessages", "treeDepth", "treeFolderEntries"],
  tools: ["bashTimeoutSeconds", "bashOutputBytes", "readLines", "grepMatches", "findEntries"],
} as const;

export function AgentTab() {
  const { agent } = useFullWords().config;
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
