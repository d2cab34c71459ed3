/** The dialogs with all projects, and for a folder. */
export const projectList = {
  none: "No projects yet.",
  workspaceNote: "In your personal workspace, a folder of its own",
  pin: (name: string) => `Pin ${name}`,
  unpin: (name: string) => `Unpin ${name}`,
  rename: (name: string) => `Rename ${name}`,
  name: "Project name",
  remove: (name: string) => `Remove ${name} from the list`,
  removed: (name: string) => `${name} was removed from the list. Its files and sessions stay.`,
  openFolderNote: "Path to a folder on the machine running gopi-web.",
  folders: {
    label: "Folders",
    up: "Parent folder",
    none: "No matching folders.",
    more: "Only the first 200 are shown. Type more of the name.",
  },
  relinkTitle: (name: string) => `Where is ${name} now?`,
  relinkNote: "Enter the folder's new path on the machine running gopi-web. Sessions, rules, and trash move with it.",
  relinkSubmit: "Use this folder",
  relinkTaken: "Another project already uses this folder. Open that one instead.",
  relinked: (path: string) => `Project moved to ${path}`,
};
