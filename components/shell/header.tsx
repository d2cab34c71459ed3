"use client";
/** Top bar: project and branch, session title, layout and settings. */
import {
  ChevronDown,
  Download,
  FileInput,
  Folder,
  FolderOpen,
  GitBranch,
  Pencil,
  Settings,
  Share2,
  SquarePen,
  SquareTerminal,
  Trash2,
} from "lucide-react";
import { exportFormats } from "@/lib/history";
import { keysOf } from "../actions/actions";
import { isMacPlatform, keysText } from "../actions/keys";
import { useClient } from "../state/client";
import { withPreset } from "../state/layout";
import { useStore } from "../state/store";
import { Icon } from "../ui/icon";
import { IconButton } from "../ui/icon-button";
import { Menu } from "../ui/menu";
import { Segmented } from "../ui/segmented";
import { useWords } from "../words/words";
import { Mark } from "./mark";
import { openNewSession } from "./new-page";
import { ShareBadge } from "./reach-badges";
import { navigate, type Route, workPath } from "./router";
import type { Place } from "./use-place";

export interface HeaderProps {
  readonly place: Place;
  readonly route: Route;
  readonly onRemove: () => void;
}

const menuButton =
  "flex h-7 min-w-0 items-center gap-1.5 rounded-control px-1.5 transition-colors hover:bg-hover data-[state=open]:bg-hover max-tablet:h-11";

export function Header({ place, route, onRemove }: HeaderProps) {
  const words = useWords();
  const { workbench } = useClient();
  const preset = useStore(workbench, (state) => state.layout.preset);
  const branch = place.project?.branch ?? null;
  const settingsKeys = keysOf("settings");
  const isWork = route.page === "home" || route.page === "session";
  return (
    <header className="grid grid-cols-[1fr_auto_1fr] items-center gap-3 border-b border-line bg-surface pr-2 pl-3">
      <div className="flex min-w-0 items-center gap-1">
        <Mark />
        <ProjectMenu place={place} />
        {branch !== null && (
          <span title={words.shell.branch(branch)} className="flex min-w-0 items-center gap-1 px-1 text-ink-muted">
            <Icon of={GitBranch} size={14} />
            <span className="max-w-40 cut">{branch}</span>
          </span>
        )}
      </div>
      <TitleMenu place={place} route={route} onRemove={onRemove} />
      <div className="flex items-center justify-end gap-1">
        <ShareBadge />
        {place.session.view !== null && route.page === "session" && (
          <IconButton
            icon={Share2}
            name={words.shell.share}
            side="below"
            onClick={() => workbench.showOverlay("share")}
          />
        )}
        <Segmented
          name={words.shell.layout}
          value={isWork ? preset : null}
          options={[
            { value: "chat", label: words.shell.chat },
            { value: "code", label: words.shell.code },
            { value: "review", label: words.shell.review },
          ]}
          onChange={(value) => {
            workbench.changeLayout((layout) => withPreset(layout, value));
            if (!isWork) navigate(workPath());
          }}
        />
        <IconButton
          icon={Settings}
          name={words.shell.settings}
          side="below"
          on={route.page === "settings"}
          onClick={() => navigate(route.page === "settings" ? workPath() : "/settings/model")}
          {...(settingsKeys === undefined ? {} : { shortcut: keysText(settingsKeys, isMacPlatform()) })}
        />
      </div>
    </header>
  );
}

export function ProjectMenu({ place }: { readonly place: Place }) {
  const words = useWords();
  const { workbench } = useClient();
  const current = place.projects.find((project) => project.id === place.projectId);
  return (
    <Menu
      name={words.shell.projects}
      className={menuButton}
      {...(current === undefined ? {} : { chosen: current.id })}
      items={[
        ...place.projects.map((project) => ({
          id: project.id,
          label: project.name,
          note: project.path,
          icon: Folder,
          onSelect: () => {
            workbench.showProject(project.id);
            openNewSession(workbench);
          },
        })),
        {
          id: "open",
          label: words.shell.openFolder,
          icon: FolderOpen,
          separated: place.projects.length > 0,
          onSelect: () => workbench.showOverlay("open_folder"),
        },
      ]}
    >
      <span className="max-w-52 cut font-medium">
        {current?.name ?? (place.isWelcome ? words.shell.noProject : "")}
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
  const words = useWords();
  const client = useClient();
  const { workbench } = client;
  const { sessionId } = place;
  if (route.page === "history") return <span className="cut font-medium">{words.shell.allSessions}</span>;
  if (route.page === "settings") return <span className="cut font-medium">{words.shell.settings}</span>;
  const project = hasProject ? place.projects.find(({ id }) => id === place.projectId)?.name : undefined;
  const below = project !== undefined && <span className="block cut text-tiny text-ink-muted">{project}</span>;
  if (sessionId === null)
    return (
      <span className="grid min-w-0 px-1.5">
        <span className="cut text-ink-muted">{words.shell.newSession}</span>
        {below}
      </span>
    );
  const title = place.session.view?.title ?? "";
  return (
    <Menu
      name={words.shell.sessionMenu}
      align="center"
      {...(place.session.view?.imported === true ? { header: <ImportedMark /> } : {})}
      className={menuButton}
      items={[
        {
          id: "new",
          label: words.shell.newSession,
          icon: SquarePen,
          shortcut: keysText("alt+n", isMacPlatform()),
          onSelect: () => openNewSession(workbench),
        },
        {
          id: "rename",
          label: words.shell.rename,
          icon: Pencil,
          onSelect: () => workbench.showOverlay("rename_session"),
        },
        {
          id: "restartShell",
          label: words.actions.names.restartShell,
          icon: SquareTerminal,
          onSelect: () => void client.call("session.restart_shell", { sessionId }),
        },
        { id: "share", label: words.actions.names.share, icon: Share2, onSelect: () => workbench.showOverlay("share") },
        ...exportFormats.map((format, index) => ({
          id: format,
          label: words.sessions.exportAs[format],
          icon: Download,
          separated: index === 0,
          onSelect: () =>
            void import("../sessions/save-session").then(({ saveSession }) =>
              saveSession(client, words, sessionId, format),
            ),
        })),
        { id: "delete", label: words.shell.remove, icon: Trash2, danger: true, separated: true, onSelect: onRemove },
      ]}
    >
      <span className="grid max-w-[36vw] min-w-0 text-left max-tablet:max-w-[60vw]">
        <span className="cut font-medium max-tablet:text-[15px] max-tablet:leading-5">
          {title === "" ? words.sessions.untitled : title}
        </span>
        {below}
      </span>
      <Icon of={ChevronDown} size={14} className="text-ink-faint" />
    </Menu>
  );
}

/** Menu header of an imported session. */
function ImportedMark() {
  const { sessions } = useWords();
  return (
    <p data-imported className="flex items-center gap-1.5 px-2 py-1 text-small text-ink-muted">
      <Icon of={FileInput} size={12} />
      {sessions.imported}
    </p>
  );
}
