"use client";
/** List of the trusted folders with a button that revokes the trust. */
import type { Project } from "@/lib/workspace/project";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { useFullMessages } from "../../messages/full-messages";
import { SettingGroup } from "../fields/setting-row";

export function TrustedFolders({ projects }: { readonly projects: readonly Project[] }) {
  const messages = useFullMessages();
  const text = messages.guard;
  const client = useClient();
  const trusted = projects.filter(({ trustedAt }) => typeof trustedAt === "number");
  const untrust = (project: Project): void =>
    void client.call("project.trust", { projectId: project.id, trusted: false }).then((answer) => {
      if (answer.ok) client.cache.setQueryData(["project", project.id], answer.value);
      else client.toasts.show({ text: messages.errors.sentences[answer.error.code], look: "danger" });
    });
  return (
    <SettingGroup title={text.trustedFolders}>
      <p className="py-3 text-ink-muted">{trusted.length === 0 ? text.noTrusted : text.trustedNote}</p>
      {trusted.map((project) => (
        <div key={project.id} className="flex items-center gap-3 py-2">
          <span className="min-w-0 flex-1">
            <span className="font-medium">{project.name}</span>{" "}
            <code className="text-code break-all text-ink-muted">{project.path}</code>
          </span>
          <Button size="small" aria-label={`${text.untrust}: ${project.name}`} onClick={() => untrust(project)}>
            {text.untrust}
          </Button>
        </div>
      ))}
    </SettingGroup>
  );
}
