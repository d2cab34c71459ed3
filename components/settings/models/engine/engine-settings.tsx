"use client";
/** Settings of the built-in engine: its program, and where its program and models are downloaded from. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { settingsDefaults } from "@/lib/settings/settings";
import { useFullMessages } from "../../../messages/full-messages";
import { useServerState } from "../../../state/use-server-state";
import { invalidateCommands } from "../../../state/command-query";
import { Setting } from "../../fields/setting";
import { SettingGroup } from "../../fields/setting-row";

export function EngineSettings() {
  const text = useFullMessages().engine.sources;
  useEngineRefresh();
  return (
    <SettingGroup title={text.title}>
      <Setting name="engineProgram" />
      <Setting name="engineMirror" />
      <Setting name="modelHub" />
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
