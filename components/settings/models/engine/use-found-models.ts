"use client";
/** Models that other programs have downloaded, and the use of one of them. */
import { useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { EngineState, ForeignModel } from "@/lib/models/engine";
import { useAddModel } from "./use-add-model";
import { useCommandQuery } from "../../../state/use-command-query";

/** Returns the models found on this machine that are not in the engine's list. */
export function useFoundModels({ models }: Pick<EngineState, "models">): readonly ForeignModel[] {
  const found = useCommandQuery("engine.find", {}, { select: ({ models: files }) => files });
  return (found.data ?? []).filter(({ file }) => !models.some((model) => model.file === file));
}

interface FoundModel {
  readonly isAdding: boolean;
  /** Why it was not added. */
  readonly problem: AgentError | null;
  readonly use: () => Promise<void>;
}

/** `onAdded` runs once the model is in the list. */
export function useFoundModel({ file, name, projector }: ForeignModel, onAdded?: () => Promise<unknown>): FoundModel {
  const add = useAddModel();
  const [isAdding, setIsAdding] = useState(false);
  const [problem, setProblem] = useState<AgentError | null>(null);
  const use = async (): Promise<void> => {
    setIsAdding(true);
    const refusal = await add({ file, name, projector });
    setProblem(refusal);
    if (refusal === null) await onAdded?.();
    setIsAdding(false);
  };
  return { isAdding, problem, use };
}
