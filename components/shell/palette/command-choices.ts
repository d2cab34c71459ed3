/** Choices of the palette that need no search: commands, settings sections and sessions. */
import type { Project } from "@/lib/workspace/project";
import type { SessionRow } from "@/lib/protocol/session-row";
import type { ActionContext } from "../../actions/action";
import { actions } from "../../actions/actions";
import { type ActionId, keymapOf } from "../../actions/keymap";
import { isMacPlatform, formatShortcut } from "../../actions/keys";
import { duplicateTitleMarks } from "../../sessions/list/duplicate-title-marks";
import type { FullMessages } from "../../messages/full-messages";
import { listSections, listSettings, settingPath, type SettingDocument } from "../../settings/fields/setting-list";
import { settingsSections } from "../../settings/settings-sections";
import type { PaletteChoice } from "./palette-match";

export const commandChoices = (context: ActionContext, messages: FullMessages): readonly PaletteChoice[] =>
  actions
    .filter((action) => action.id !== "palette" && action.id !== "showCommands" && (action.when?.(context) ?? true))
    .map((action) => ({
      id: action.id,
      kind: "command" as const,
      label: messages.actions.names[action.id],
      group: messages.palette.groups[action.group],
      ...keysOf(context, action.id),
      perform: () => action.perform(context),
    }));

function keysOf({ client }: ActionContext, id: ActionId): Pick<PaletteChoice, "keys"> {
  const keys = keymapOf(client.serverState.get().settings).get(id);
  return keys === undefined ? {} : { keys: formatShortcut(keys, isMacPlatform()) };
}

export const sectionChoices = (context: ActionContext, messages: FullMessages): readonly PaletteChoice[] =>
  listSections(messages, settingsSections).map((section) =>
    settingChoice(context, section, messages.palette.groups.settings),
  );

export const settingChoices = (context: ActionContext, messages: FullMessages): readonly PaletteChoice[] =>
  listSettings(messages).map((setting) =>
    settingChoice(context, setting, `${setting.sectionTitle} \u00b7 ${messages.palette.groups.settings}`),
  );

const settingChoice = ({ navigate }: ActionContext, document: SettingDocument, group: string): PaletteChoice => ({
  id: `settings:${document.key ?? document.section}`,
  kind: "setting",
  label: document.label,
  searchWords: [document.words, document.key ?? []].flat().join(" "),
  group,
  perform: () => navigate(settingPath(document)),
});

export function sessionChoices(
  { navigate }: ActionContext,
  messages: FullMessages,
  rows: readonly SessionRow[],
  projects: readonly Project[],
): readonly PaletteChoice[] {
  const nameOf = ({ projectId }: Pick<SessionRow, "projectId">): string =>
    projects.find(({ id }) => id === projectId)?.name ?? messages.sessions.otherProject;
  const marks = duplicateTitleMarks(rows, { figures: messages.figures, projectName: nameOf });
  return rows.map((row) => ({
    id: `session:${row.id}`,
    kind: "session" as const,
    label: row.title === "" ? messages.sessions.untitled : row.title,
    group: [marks.get(row.id) ?? [], messages.palette.groups.sessions].flat().join(" \u00b7 "),
    heading: messages.palette.groups.sessions,
    perform: () => navigate(`/s/${row.id}`),
  }));
}
