"use client";
/** Tab with all settings as YAML: `config.yaml` beside the forms of the other tabs; import and export. */
import { useMemo } from "react";
import { settingTable } from "@/lib/settings/setting-table";
import { useFullMessages } from "../../messages/full-messages";
import type { YamlKey } from "../../ui/code-editor/complete-yaml-keys";
import { listSettings } from "../fields/setting-list";
import { ConfigFileSetting } from "./config-file-setting";
import { ImportSetting } from "./import-setting";

export function YamlTab() {
  const messages = useFullMessages();
  const keys = useMemo(
    () =>
      listSettings(messages).flatMap(({ name, label, note }): readonly YamlKey[] => {
        if (name === undefined) return [];
        const [section, key] = settingTable[name].path;
        return [{ section, name: key, label, note }];
      }),
    [messages],
  );
  return (
    <>
      <ConfigFileSetting name="config" keys={keys} />
      <ImportSetting />
    </>
  );
}
