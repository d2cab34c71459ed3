"use client";
/** The model in the composer: its name, how its calls are read when not natively, and the panel to choose another. */
import { ChevronDown } from "lucide-react";
import { lazy } from "react";
import { useWords } from "@/components/words/words";
import type { Think } from "@/lib/event";
import type { Connection, LoadedModel, ModelInfo, ModelNote, WindowPlan } from "@/lib/models";
import type { ModelState } from "@/lib/view";
import { classes } from "../../ui/classes";
import { Icon } from "../../ui/icon";
import { Popover } from "../../ui/popover";
import { pill, quietText } from "./pill";

const ModelPanel = lazy(async () => ({ default: (await import("./model-panel")).ModelPanel }));

/** What the user changes of how a model is used; the program remembers it for the model. */
export interface UseChange {
  readonly toolMode?: "auto" | ModelState["toolMode"];
  readonly profile?: "auto" | ModelState["profile"];
  /** tokens; 0 = what fits */
  readonly numCtx?: number;
  readonly think?: Think;
}

export interface ModelUse {
  readonly state: ModelState;
  readonly note: ModelNote | undefined;
  /** How much thinking may be asked for; empty = it cannot think. */
  readonly thinkChoices: readonly Think[];
  /** null = not known of this server. */
  readonly loadWindow: () => Promise<WindowPlan | null>;
  /** False = it was not taken, and the user knows. */
  readonly onChange: (change: UseChange) => Promise<boolean>;
  /** Asks anew for the note of a model whose server's changes are not told by themselves. */
  readonly refresh: () => void;
}

export interface ModelMenuProps {
  /** Empty = none chosen. */
  readonly model: string;
  /** The connection it answers from; null = Ollama. */
  readonly connection: string | null;
  readonly models: readonly ModelInfo[];
  readonly connections: readonly Connection[];
  /** What a connection's server has; null = it did not say, and the user was told. */
  readonly loadModels: (connection: string) => Promise<readonly ModelInfo[] | null>;
  readonly onModel: (name: string, connection: string | null) => void;
  /** How the model of this session is used; null = there is no session yet. */
  readonly use: ModelUse | null;
  /** It is in memory. */
  readonly loaded: LoadedModel | null;
  /** A run is open: nothing can be changed. */
  readonly isLocked: boolean;
}

export function ModelMenu(props: ModelMenuProps) {
  const { composer, models } = useWords();
  const { model, use } = props;
  const label = model === "" ? composer.noModel : model;
  if (props.models.length === 0 && props.connections.length === 0)
    return <span className="cut px-2 text-ink-muted">{label}</span>;
  const mode = use?.state.toolMode;
  return (
    <Popover
      name={composer.model}
      className={classes(pill, quietText)}
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
