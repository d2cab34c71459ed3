/** Declares a section of the settings page, and its properties. */
import type { LucideIcon } from "lucide-react";
import type { Project } from "@/lib/workspace/project";
import type { LateMessages } from "../../messages/full-messages";
import type { LoadComponent } from "../../ui/lazy-components";

/** Keys of a command of the editor, in the format of `components/actions/keys.ts`. */
export interface EditorKey {
  readonly keys: string;
  readonly command: keyof LateMessages["shortcutSettings"]["editorCommands"];
}

export interface SettingsSectionContext {
  readonly projects: readonly Project[];
}

export interface SettingsSectionProps extends SettingsSectionContext {
  /** Loads the keys that the editor handles while it has the focus, on a Mac or elsewhere. */
  readonly loadEditorKeys: (isMac: boolean) => Promise<readonly EditorKey[]>;
}

/** Ids of the groups in the order of the navigation; their titles are in the catalogue, in `settings.groups`. */
export const sectionGroups = ["models", "agent", "editor", "app"] as const;

/** Key of the section in the catalogue, in `agentSections` or `appSections`. */
export type SettingsSectionId = keyof (LateMessages["agentSections"] & LateMessages["appSections"]);

export interface SettingsSection {
  /** Name of the section in the URL `/settings/<id>`. */
  readonly id: SettingsSectionId;
  readonly group: (typeof sectionGroups)[number];
  readonly icon: LucideIcon;
  /** Loads its component; called when the settings page is opened. */
  readonly load: LoadComponent<SettingsSectionProps>;
}
