"use client";
/** Settings page with one URL per tab. Loaded when it is opened. */
import type { Project } from "@/lib/workspace/project";
import { classes } from "../ui/theme/classes";
import { ScrollRow } from "../ui/layout/scroll-row";
import { useFullMessages } from "../messages/full-messages";
import { AboutTab } from "./about-tab";
import { AgentTab } from "./agent-tab";
import { AppearanceTab } from "./appearance-tab";
import { ConnectionsTab } from "./connections/connections-tab";
import { DevicesTab } from "./devices/devices-tab";
import { ModelsTab } from "./models/models-tab";
import { openItem } from "./open-item";
import { PermissionsTab } from "./permissions-tab";
import { type SettingsTab, settingsTabs } from "./settings-tabs";

export interface SettingsPageProps {
  readonly tab: SettingsTab;
  readonly projects: readonly Project[];
}

export function SettingsPage({ tab, projects }: SettingsPageProps) {
  const messages = useFullMessages();
  return (
    <main className="min-h-0 flex-1 overflow-y-auto bg-canvas [scrollbar-gutter:stable]">
      <h1 className="sr-only">{messages.settings.title}</h1>
      <div className="mx-auto flex max-w-[940px] gap-10 px-6 pt-8 pb-16 max-tablet:flex-col max-tablet:gap-4 max-tablet:px-4 max-tablet:pt-3">
        <nav
          aria-label={messages.settings.title}
          className="sticky top-0 w-40 shrink-0 self-start max-tablet:static max-tablet:w-full"
        >
          <ScrollRow
            current={tab}
            className="flex flex-col gap-0.5 max-tablet:-mx-4 max-tablet:flex-row max-tablet:overflow-x-auto max-tablet:px-4"
          >
            {settingsTabs.map((name) => (
              <a
                key={name}
                href={`/settings/${name}`}
                aria-current={name === tab ? "page" : undefined}
                onClick={() => name === tab && openItem(null)}
                className={classes(
                  "rounded-control px-2.5 py-1.5 whitespace-nowrap max-tablet:py-3",
                  name === tab ? "bg-pressed text-ink" : "text-ink-muted hover:bg-hover hover:text-ink",
                )}
              >
                {messages.settings.tabs[name]}
              </a>
            ))}
          </ScrollRow>
        </nav>
        <div className="min-w-0 flex-1">
          {tab === "model" && <ModelsTab />}
          {tab === "connections" && <ConnectionsTab />}
          {tab === "agent" && <AgentTab />}
          {tab === "permissions" && <PermissionsTab projects={projects} />}
          {tab === "devices" && <DevicesTab />}
          {tab === "appearance" && <AppearanceTab />}
          {tab === "about" && <AboutTab />}
        </div>
      </div>
    </main>
  );
}
