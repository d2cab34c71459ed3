"use client";
/** Link to a tab of the settings. */
import { useMessages } from "../messages/messages";
import { classes } from "../ui/theme/classes";
import { withBasePath } from "../state/base-path";

const settingsPaths = {
  model: "/settings/model",
  connections: "/settings/connections",
  blocked: "/settings/permissions#security.blocked_cmds",
  protected: "/settings/permissions#security.blocked_paths",
  rules: "/settings/permissions#rules",
  extensions: "/settings/extensions",
  tools: "/settings/tools",
} as const;

interface SettingsLinkProps {
  readonly tab: keyof typeof settingsPaths;
  readonly className?: string;
}

export function SettingsLink({ tab, className }: SettingsLinkProps) {
  const { chat } = useMessages();
  const names = { model: chat.modelSettings, connections: chat.connectionSettings, ...chat.toolSettings };
  return (
    <a
      href={withBasePath(settingsPaths[tab])}
      className={classes(
        "font-medium whitespace-nowrap text-accent underline decoration-accent/35 underline-offset-3 hover:decoration-current",
        className,
      )}
    >
      {names[tab]}
    </a>
  );
}
