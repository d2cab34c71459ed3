"use client";
/** Settings of the built-in engine: its program, and where its program and models are downloaded from. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { isDownloadAddress } from "@/lib/models/server-address";
import { settingsDefaults } from "@/lib/settings/settings";
import { useFullMessages } from "../../../messages/full-messages";
import { useServerState } from "../../../state/use-server-state";
import { invalidateCommands } from "../../../state/command-query";
import { SettingField } from "../../fields/setting-field";
import { SettingGroup } from "../../fields/setting-row";
import { TextSetting } from "../../fields/text-setting";

export function EngineSettings() {
  const text = useFullMessages().engine.sources;
  useEngineRefresh();
  return (
    <SettingGroup title={text.title}>
      <SettingField name="engineProgram">
        {({ settings, save, labelId }) => (
          <TextSetting
            mono
            value={settings.engineProgram}
            labelId={labelId}
            placeholder={text.programExample}
            problemOf={(path) => (path === "" || path.startsWith("/") ? null : text.programBad)}
            onSave={(engineProgram) => save({ engineProgram })}
          />
        )}
      </SettingField>
      {(["engineMirror", "modelHub"] as const).map((name) => (
        <SettingField key={name} name={name}>
          {({ settings, save, labelId }) => (
            <TextSetting
              mono
              inputMode="url"
              value={settings[name]}
              labelId={labelId}
              placeholder={name === "modelHub" ? text.hubExample : text.mirrorExample}
              problemOf={(typed) => (isDownloadAddress(typed) ? null : text.addressBad(typed))}
              onSave={(address) => save({ [name]: address })}
            />
          )}
        </SettingField>
      ))}
    </SettingGroup>
  );
}

/** The section above shows the program and the hosts: it is loaded again when one of these settings has changed. */
function useEngineRefresh(): void {
  const cache = useQueryClient();
  const { engineProgram, engineMirror, modelHub } = useServerState("settings") ?? settingsDefaults;
  const sources = [engineProgram, engineMirror, modelHub].join("\n");
  const last = useRef(sources);
  useEffect(() => {
    if (last.current === sources) return;
    last.current = sources;
    void invalidateCommands(cache, ["engine."]);
  }, [cache, sources]);
}
