"use client";
/** List of the trusted folders with a button that revokes the trust, and the open folder if it is not trusted. */
import type { Project } from "@/lib/workspace/project";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { Button } from "../../ui/controls/button";
import { useFullMessages } from "../../messages/full-messages";
import { SettingGroup } from "../fields/setting-row";
import { useChange } from "../../state/use-change";

export function TrustedFolders({ projects }: { readonly projects: readonly Project[] }) {
  const messages = useFullMessages();
  const text = messages.guard;
  const client = useClient();
  const { perform } = useChange("toast");
  const openProject = useStore(client.workbench, ({ projectId }) => projectId);
  const isTrusted = ({ trustedAt }: Project): boolean => typeof trustedAt === "number";
  const trusted = projects.filter(isTrusted);
  const untrusted = projects.filter((project) => project.id === openProject && !isTrusted(project));
  const untrust = (project: Project): void => void perform("project.trust", { projectId: project.id, trusted: false });
  return (
    <SettingGroup title={text.trustedFolders}>
      <p className="py-3 text-ink-muted">{trusted.length === 0 ? text.noTrusted : text.trustedNote}</p>
      {trusted.map((project) => (
        <FolderRow key={project.id} project={project} action={text.untrust} onAction={() => untrust(project)} />
      ))}
      {untrusted.map((project) => (
        <FolderRow
          key={project.id}
          project={project}
          action={messages.shell.lookAndTrust}
          onAction={() => client.workbench.showOverlay("trust")}
        />
      ))}
    </SettingGroup>
  );
}

interface FolderRowProps {
  readonly project: Project;
  readonly action: string;
  readonly onAction: () => void;
}

function FolderRow({ project: { name, path }, action, onAction }: FolderRowProps) {
  return (
    <div className="flex items-center gap-3 py-2">
      <span className="min-w-0 flex-1">
        <span className="font-medium">{name}</span> <code className="text-code break-all text-ink-muted">{path}</code>
      </span>
      <Button size="small" aria-label={`${action}: ${name}`} onClick={onAction}>
        {action}
      </Button>
    </div>
  );
}
