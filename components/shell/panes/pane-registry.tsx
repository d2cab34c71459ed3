"use client";
/** Registry of the panes: side panels, main panes and bottom panels. */
import {
  FileCode,
  FileDiff,
  Files,
  GitBranch,
  List,
  type LucideIcon,
  MessageSquare,
  Search,
  SquareTerminal,
} from "lucide-react";
import type { ReactNode } from "react";
import type { SessionRow } from "@/lib/protocol/session-row";
import type { Messages } from "../../messages/messages";
import type { PaneIds } from "../../state/workbench/layout";
import type { RegisteredComponent } from "../../ui/lazy-components";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";
import { ConversationPane } from "../session/conversation-pane";
import { SessionsPane } from "./sessions-pane";

/** Data and functions available to a pane. */
export interface PaneContext {
  readonly place: WorkbenchLocation;
  /** Called after a session was deleted. */
  readonly onRemoved: (row: SessionRow) => void;
  /** Called after the user chose an item, if the pane covers other panes then; absent = it does not. */
  readonly onChosen?: () => void;
  /** Closes the panel that shows the pane; absent = the pane is always shown. */
  readonly onClosed?: () => void;
  /** Buttons of the layout that the pane shows in its own bar. */
  readonly controls?: ReactNode;
}

interface PaneFacts {
  /** Unique id; a project's layout stores it. */
  readonly id: string;
  /** `side` = beside the rail, `main` = a column of the workbench, `bottom` = below the editor or on its right. */
  readonly place: "side" | "main" | "bottom";
  /** Reads the pane's name from the catalogue. */
  readonly title: (messages: Messages) => string;
  readonly icon: LucideIcon;
  /** Whether the pane has a tab on a phone. */
  readonly onPhone: boolean;
  /** A bottom pane with a bar of its own, which shows `controls`; absent = the panel draws a bar with the title. */
  readonly hasOwnBar?: boolean;
  /** Whether the pane is loaded and drawn; absent = always. */
  readonly when?: (context: PaneContext) => boolean;
}

export type Pane = PaneFacts & RegisteredComponent<PaneContext>;

const hasProject = ({ place }: PaneContext): boolean => place.projectId !== null;

/** The panes in the order of the phone's tabs; rail and panels show those of their place in the same order. */
export const paneRegistry: readonly Pane[] = [
  {
    id: "conversation",
    place: "main",
    title: ({ shell }) => shell.chat,
    icon: MessageSquare,
    onPhone: true,
    component: ({ place }) => (
      <ConversationPane isLoaded={place.isLoaded} projectId={place.projectId} sessionId={place.sessionId} />
    ),
  },
  {
    id: "files",
    place: "side",
    title: ({ shell }) => shell.files,
    icon: Files,
    onPhone: true,
    when: hasProject,
    load: async () => {
      const { ProjectFiles } = await import("./project-files");
      return ({ place: { projectId }, onChosen }) =>
        projectId !== null && <ProjectFiles key={projectId} projectId={projectId} onOpened={onChosen} />;
    },
  },
  {
    id: "search",
    place: "side",
    title: ({ shell }) => shell.search,
    icon: Search,
    onPhone: true,
    when: hasProject,
    load: async () => {
      const { SearchPane } = await import("../../search/search-pane");
      return ({ place: { projectId }, onChosen }) =>
        projectId !== null && <SearchPane key={projectId} projectId={projectId} onOpened={onChosen} />;
    },
  },
  {
    id: "source",
    place: "side",
    title: ({ shell }) => shell.source,
    icon: GitBranch,
    onPhone: false,
    when: hasProject,
    load: async () => {
      const { ProjectSource } = await import("./project-source");
      return ({ place: { projectId }, onChosen }) =>
        projectId !== null && <ProjectSource key={projectId} projectId={projectId} onChosen={onChosen} />;
    },
  },
  {
    id: "editor",
    place: "main",
    title: ({ shell }) => shell.editor,
    icon: FileCode,
    onPhone: false,
    when: hasProject,
    load: async () => {
      const { ProjectEditor } = await import("./project-editor");
      return ({ place: { projectId, sessionId }, controls }) =>
        projectId !== null && (
          <ProjectEditor key={projectId} {...{ projectId, sessionId }}>
            {controls}
          </ProjectEditor>
        );
    },
  },
  {
    id: "review",
    place: "main",
    title: ({ shell }) => shell.changes,
    icon: FileDiff,
    onPhone: true,
    when: hasProject,
    load: async () => {
      const { ReviewPane } = await import("../frame/review-pane");
      return ({ place }) => place.projectId !== null && <ReviewPane place={place} projectId={place.projectId} />;
    },
  },
  {
    id: "terminal",
    place: "bottom",
    title: ({ shell }) => shell.terminal,
    icon: SquareTerminal,
    onPhone: true,
    hasOwnBar: true,
    when: hasProject,
    load: async () => {
      const { ProjectTerminals } = await import("./project-terminals");
      return ({ place: { projectId }, controls, onClosed }) =>
        projectId !== null && (
          <ProjectTerminals key={projectId} projectId={projectId} onEmpty={onClosed}>
            {controls}
          </ProjectTerminals>
        );
    },
  },
  {
    id: "sessions",
    place: "side",
    title: ({ shell }) => shell.sessions,
    icon: List,
    onPhone: true,
    component: SessionsPane,
  },
];

export const findPane = (panes: readonly Pane[], id: string | null): Pane | undefined =>
  panes.find((pane) => pane.id === id);

export const panesAt = (panes: readonly Pane[], place: Pane["place"]): readonly Pane[] =>
  panes.filter((pane) => pane.place === place);

/** Returns the ids that a stored layout may name. */
export const layoutPaneIds = (panes: readonly Pane[]): PaneIds => ({
  side: panesAt(panes, "side").map(({ id }) => id),
  bottom: panesAt(panes, "bottom").map(({ id }) => id),
});
