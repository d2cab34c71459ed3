"use client";
/** Top bar: project and branch, session title, layout and settings. */
import {
  ChevronDown,
  Download,
  Folder,
  FolderOpen,
  Folders,
  Pencil,
  Pin,
  Settings,
  Share2,
  SquarePen,
  SquareTerminal,
  Trash2,
} from "lucide-react";
import { lazy, Suspense } from "react";
import type { Project } from "@/lib/workspace/project";
import { exportFormats } from "@/lib/protocol/history";
import { useShortcut } from "../../actions/use-shortcut";
import { useClient } from "../../state/client";
import { setPreset } from "../../state/workbench/layout";
import { useStore } from "../../state/store";
import { Icon } from "../../ui/indicators/icon";
import { IconButton } from "../../ui/controls/icon-button";
import { Menu } from "../../ui/controls/menu";
import { Segmented } from "../../ui/controls/segmented";
import { useMessages } from "../../messages/messages";
import { Logo } from "./logo";
import { openNewSession } from "../navigation/open-new-session";
import { pinnedFirst } from "../navigation/pinned-first";
import { StatusItems } from "../status/status-bar";
import { navigate, type Route, lastConversationPath } from "../navigation/router";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";

const ImportedMark = lazy(async () => ({ default: (await import("./imported-mark")).ImportedMark }));

interface HeaderProps {
  readonly place: WorkbenchLocation;
  readonly route: Route;
  readonly onRemove: () => void;
}

const menuButtonClass =
  "flex h-7 min-w-0 items-center gap-1.5 rounded-control px-1.5 transition-colors hover:bg-hover data-[state=open]:bg-hover max-tablet:h-11";

export function Header({ place, route, onRemove }: HeaderProps) {
  const messages = useMessages();
  const { workbench } = useClient();
  const preset = useStore(workbench, (state) => state.layout.preset);
  const isWork = route.page === "home" || route.page === "session";
  return (
    <header className="grid grid-cols-[1fr_auto_1fr] items-center gap-3 border-b border-line bg-surface pr-2 pl-3">
      <div className="flex min-w-0 items-center gap-1">
        <Logo />
        <ProjectMenu place={place} />
        <StatusItems area="project" place={place} />
      </div>
      <TitleMenu place={place} route={route} onRemove={onRemove} />
      <div className="flex items-center justify-end gap-1">
        <StatusItems area="header" place={place} />
        {place.session.view !== null && route.page === "session" && (
          <IconButton
            icon={Share2}
            name={messages.shell.share}
            side="below"
            onClick={() => workbench.showOverlay("share")}
          />
        )}
        <Segmented
          name={messages.shell.layout}
          value={isWork ? preset : null}
          options={[
            { value: "chat", label: messages.shell.chat },
            { value: "code", label: messages.shell.code },
            { value: "review", label: messages.shell.review },
          ]}
          onChange={(value) => {
            workbench.changeLayout((layout) => setPreset(layout, value));
            if (!isWork) navigate(lastConversationPath());
          }}
        />
        <IconButton
          icon={Settings}
          name={messages.shell.settings}
          side="below"
          on={route.page === "settings"}
          onClick={() => navigate(route.page === "settings" ? lastConversationPath() : "/settings/model")}
          shortcut={useShortcut("settings")}
        />
      </div>
    </header>
  );
}

/** Projects in the menu; the dialog shows all. */
const shownProjects = 10;

/** Returns the first projects, and the current one in any case. */
function menuProjects(projects: readonly Project[], current: Project | undefined): readonly Project[] {
  const shown = pinnedFirst(projects).slice(0, shownProjects);
  return current === undefined || shown.includes(current) ? shown : [...shown.slice(0, -1), current];
}

export function ProjectMenu({ place }: { readonly place: WorkbenchLocation }) {
  const messages = useMessages();
  const { workbench } = useClient();
  const current = place.projects.find((project) => project.id === place.projectId);
  return (
    <Menu
      name={messages.shell.projects}
      className={menuButtonClass}
      chosen={current?.id}
      items={[
        ...menuProjects(place.projects, current).map((project) => ({
          id: project.id,
          label: project.name,
          note: project.path,
          icon: typeof project.pinnedAt === "number" ? Pin : Folder,
          onSelect: () => {
            workbench.showProject(project.id);
            openNewSession(workbench);
          },
        })),
        ...(place.projects.length === 0
          ? []
          : [
              {
                id: "all",
                label: messages.shell.allProjects,
                icon: Folders,
                separated: true,
                onSelect: () => workbench.showOverlay("projects"),
              },
            ]),
        {
          id: "open",
          label: messages.shell.openFolder,
          icon: FolderOpen,
          onSelect: () => workbench.showOverlay("open_folder"),
        },
      ]}
    >
      <span className="max-w-52 cut font-medium">
        {current?.name ?? place.project?.project.name ?? (place.isLoaded ? messages.shell.noProject : "")}
      </span>
      <Icon of={ChevronDown} size={14} className="text-ink-muted" />
    </Menu>
  );
}

interface TitleMenuProps extends HeaderProps {
  /** Shows the project's name below the title, for layouts without a project menu beside it. */
  readonly hasProject?: boolean;
}

/** Session title with a menu: new session, rename, restart shell, share, export, delete. */
export function TitleMenu({ place, route, onRemove, hasProject = false }: TitleMenuProps) {
  const messages = useMessages();
  const client = useClient();
  const { workbench } = client;
  const newShortcut = useShortcut("newSession");
  const { sessionId } = place;
  if (route.page === "history" || route.page === "overview")
    return <span className="cut font-medium">{messages.sessions[route.page]}</span>;
  if (route.page === "settings") return <span className="cut font-medium">{messages.shell.settings}</span>;
  const project = hasProject ? place.projects.find(({ id }) => id === place.projectId)?.name : undefined;
  const below = project !== undefined && <span className="block cut text-tiny text-ink-muted">{project}</span>;
  if (sessionId === null)
    return (
      <span className="grid min-w-0 px-1.5">
        <span className="cut text-ink-muted">{messages.shell.newSession}</span>
        {below}
      </span>
    );
  const title = place.session.view?.title ?? "";
  return (
    <Menu
      name={messages.shell.sessionMenu}
      align="center"
      header={
        place.session.view?.imported === true && (
          <Suspense>
            <ImportedMark />
          </Suspense>
        )
      }
      className={menuButtonClass}
      items={[
        {
          id: "new",
          label: messages.shell.newSession,
          icon: SquarePen,
          shortcut: newShortcut,
          onSelect: () => openNewSession(workbench),
        },
        {
          id: "rename",
          label: messages.shell.rename,
          icon: Pencil,
          onSelect: () => workbench.showOverlay("rename_session"),
        },
        {
          id: "restartShell",
          label: messages.actions.names.restartShell,
          icon: SquareTerminal,
          onSelect: () => void client.call("session.restart_shell", { sessionId }),
        },
        {
          id: "share",
          label: messages.actions.names.share,
          icon: Share2,
          onSelect: () => workbench.showOverlay("share"),
        },
        {
          id: "workflow",
          label: messages.actions.names.saveWorkflow,
          icon: Download,
          separated: true,
          onSelect: () => navigate(`/settings/workflows#workflow/new/${sessionId}`),
        },
        ...exportFormats.map((format) => ({
          id: format,
          label: messages.sessions.exportAs[format],
          icon: Download,
          onSelect: () =>
            void import("../../sessions/list/save-session").then(({ saveSession }) =>
              saveSession(client, messages, sessionId, format),
            ),
        })),
        { id: "delete", label: messages.shell.remove, icon: Trash2, danger: true, separated: true, onSelect: onRemove },
      ]}
    >
      <span className="grid max-w-[36vw] min-w-0 text-left max-tablet:max-w-[60vw]">
        <span className="cut font-medium max-tablet:text-[15px] max-tablet:leading-5">
          {title === "" ? messages.sessions.untitled : title}
        </span>
        {below}
      </span>
      <Icon of={ChevronDown} size={14} className="text-ink-faint" />
    </Menu>
  );
}
