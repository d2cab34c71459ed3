"use client";
/** Model button of the composer: name, tool mode unless native, and the panel to choose another model. */
import { ChevronDown } from "lucide-react";
import { lazy } from "react";
import { useMessages } from "../../messages/messages";
import type { Think } from "@/lib/events/event";
import type { Connection, LoadedModel, ModelInfo, ModelNote, WindowPlan } from "@/lib/models/models";
import type { ModelState } from "@/lib/view/view";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { Popover } from "../../ui/overlays/popover";
import { pillClass, quietTextClass } from "../composer/pill-class";
import { menuAttribute } from "../composer/use-composer-handle";

const ModelPanel = lazy(async () => ({ default: (await import("./model-panel")).ModelPanel }));

/** The user's change of how a model is used; stored per model. */
export interface ModelUseChange {
  readonly toolMode?: "auto" | ModelState["toolMode"];
  readonly profile?: "auto" | ModelState["profile"];
  /** tokens; 0 = automatic */
  readonly numCtx?: number;
  readonly think?: Think;
}

export interface ModelUse {
  readonly state: ModelState;
  readonly note: ModelNote | undefined;
  /** Supported thinking levels; empty = the model cannot think. */
  readonly thinkChoices: readonly Think[];
  /** null = unknown for this server. */
  readonly loadWindow: () => Promise<WindowPlan | null>;
  /** False = rejected; already reported to the user. */
  readonly onChange: (change: ModelUseChange) => Promise<boolean>;
  /** Fetches the model's note again, for servers that do not push changes. */
  readonly refresh: () => void;
}

export interface ModelMenuProps {
  /** Empty = none chosen. */
  readonly model: string;
  /** Id of the connection that serves the model; null = Ollama. */
  readonly connection: string | null;
  readonly models: readonly ModelInfo[];
  readonly connections: readonly Connection[];
  /** Loads the models of a connection's server; null = failed, already reported to the user unless it `isQuiet`. */
  readonly loadModels: (
    connection: string,
    options?: { readonly isQuiet: boolean },
  ) => Promise<readonly ModelInfo[] | null>;
  readonly onModel: (name: string, connection: string | null) => void;
  /** State and options of the model in this session; null = there is no session yet. */
  readonly use: ModelUse | null;
  /** The model as loaded in memory; null = not loaded. */
  readonly loaded: LoadedModel | null;
  /** A run is open: nothing can be changed. */
  readonly isLocked: boolean;
}

export function ModelMenu(props: ModelMenuProps) {
  const { composer, models } = useMessages();
  const { model, use } = props;
  const label = model === "" ? composer.noModel : model;
  if (props.models.length === 0 && props.connections.length === 0)
    return <span className="cut px-2 text-ink-muted">{label}</span>;
  const mode = use?.state.toolMode;
  return (
    <Popover
      {...menuAttribute("model")}
      name={composer.model}
      className={classes(pillClass, quietTextClass)}
      panelClass="w-[26rem]"
      panel={(close) => <ModelPanel {...props} onClose={close} />}
    >
      <span className="cut">{label}</span>
      {mode !== undefined && mode !== "native" && (
        <span className="rounded-mark bg-ink/6 px-1.5 text-small" title={models.modeNotes[mode]}>
          {models.modes[mode]}
        </span>
      )}
      <Icon of={ChevronDown} size={14} />
    </Popover>
  );
}
