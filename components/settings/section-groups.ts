/** Group and icon of each section in the navigation of the settings. */
import {
  Activity,
  Bell,
  Blocks,
  BookOpen,
  Bot,
  Braces,
  Cable,
  CalendarClock,
  FileCode,
  Globe,
  Info,
  Keyboard,
  Layers,
  type LucideIcon,
  MessagesSquare,
  MonitorSmartphone,
  NotebookPen,
  Palette,
  Scale,
  ScrollText,
  Shield,
  SquareTerminal,
  Workflow,
  Wrench,
} from "lucide-react";
import type { SettingsSection } from "./settings-section";

/** Ids of the groups in the order of the navigation; their titles are in the catalogue, in `settings.groups`. */
export const sectionGroups = ["models", "agent", "editor", "app"] as const;

interface SectionPlace {
  readonly group: (typeof sectionGroups)[number];
  readonly icon: LucideIcon;
}

export const sectionPlaces: Readonly<Record<SettingsSection["id"], SectionPlace>> = {
  model: { group: "models", icon: Layers },
  connections: { group: "models", icon: Cable },
  evals: { group: "models", icon: Scale },
  agent: { group: "agent", icon: Bot },
  permissions: { group: "agent", icon: Shield },
  tools: { group: "agent", icon: Wrench },
  skills: { group: "agent", icon: BookOpen },
  extensions: { group: "agent", icon: Blocks },
  workflows: { group: "agent", icon: Workflow },
  automations: { group: "agent", icon: CalendarClock },
  channels: { group: "agent", icon: MessagesSquare },
  memory: { group: "agent", icon: NotebookPen },
  web: { group: "agent", icon: Globe },
  prompts: { group: "agent", icon: ScrollText },
  editor: { group: "editor", icon: FileCode },
  terminal: { group: "editor", icon: SquareTerminal },
  appearance: { group: "app", icon: Palette },
  shortcuts: { group: "app", icon: Keyboard },
  notifications: { group: "app", icon: Bell },
  devices: { group: "app", icon: MonitorSmartphone },
  yaml: { group: "app", icon: Braces },
  status: { group: "app", icon: Activity },
  about: { group: "app", icon: Info },
};
