"use client";
/** The context of the actions, for components that perform them. */
import { createContext, useContext } from "react";
import type { ActionContext } from "./action";

/** null = actions cannot be performed here. */
export const CurrentActionContext = createContext<ActionContext | null>(null);
export const useCurrentActionContext = (): ActionContext | null => useContext(CurrentActionContext);
