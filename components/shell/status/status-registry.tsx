"use client";
/** Registry of the status items: short facts and badges of the status bar, the top bar and the phone's top bar. */
import type { RegisteredComponent } from "../../ui/lazy-components";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";
import { NetworkItem, ShareItem } from "./exposure-items";
import {
  ConnectionStatus,
  EditorStatusItem,
  GpuStatus,
  ModelStatus,
  PhaseStatus,
  SpeedStatus,
  StepStatus,
} from "./status-items";

/** Data available to an item. */
export interface StatusContext {
  readonly place: WorkbenchLocation;
  /** Icon only, for the phone's top bar. */
  readonly isCompact: boolean;
}

/** `left` and `right` are the ends of the status bar; the others are the top bars, `project` beside the project's name. */
export type StatusArea = "left" | "right" | "project" | "header" | "phone";

/** A status item. Its component draws nothing while it has nothing to show. */
export type StatusItem = RegisteredComponent<StatusContext> & {
  /** Unique id. */
  readonly id: string;
  readonly areas: readonly StatusArea[];
  /** Whether the item is loaded and drawn; absent = always. */
  readonly when?: (context: StatusContext) => boolean;
};

/** The items in the order of each area. In the viewer of a share link there are none. */
export const statusRegistry: readonly StatusItem[] = [
  {
    id: "branch",
    areas: ["project", "phone"],
    when: ({ place }) => typeof place.project?.branch === "string",
    load: async () => (await import("./branch-status")).BranchStatus,
  },
  { id: "connection", areas: ["left"], component: ConnectionStatus },
  { id: "model", areas: ["left"], component: ModelStatus },
  { id: "phase", areas: ["left"], component: PhaseStatus },
  { id: "steps", areas: ["left"], component: StepStatus },
  { id: "gpu", areas: ["left"], component: GpuStatus },
  { id: "network", areas: ["right", "phone"], component: NetworkItem },
  { id: "share", areas: ["header", "phone"], component: ShareItem },
  // After the items that change their width, so that the figures do not move.
  { id: "speed", areas: ["right"], component: SpeedStatus },
  {
    id: "context",
    areas: ["right"],
    when: ({ place }) => place.session.view !== null,
    load: async () => (await import("./context-meter")).ContextStatus,
  },
  { id: "editor", areas: ["right"], component: EditorStatusItem },
];
