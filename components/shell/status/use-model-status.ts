/** Model of the session or of the next one, and the state of its server. */
import type { ModelServerState } from "@/lib/models/models";
import { useClient } from "../../state/client";
import { useServerState } from "../../state/use-server-state";
import { useStore } from "../../state/store";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";
import { findOllamaState, modelForNewSession, type ModelSelection, toModelSelection } from "../start/model-selection";

interface ModelStatus {
  /** `model` "" = none. */
  readonly selection: ModelSelection;
  /** State of the Ollama server the model is on; undefined = not loaded, or the model is on another server. */
  readonly server: ModelServerState | undefined;
  /** Whether the page is connected, so that its last state is the current one. */
  readonly isCurrent: boolean;
}

export function useModelStatus({ projectId, session: { view } }: WorkbenchLocation): ModelStatus {
  const server = useServerState("models");
  const settings = useServerState("settings");
  const connections = useServerState("connections") ?? [];
  const draft = useStore(useClient().workbench, (value) => value.draft);
  const selection =
    view === null || view.model === null
      ? modelForNewSession(draft, settings, server, connections, projectId)
      : toModelSelection(view.model);
  return { selection, server: findOllamaState(selection, server, connections), isCurrent: useIsCurrent() };
}

/** Whether the page is connected, so that its last state is the current one. */
export const useIsCurrent = (): boolean =>
  useStore(useClient().connection.state, (state) => state !== "offline" && state !== "gone");
