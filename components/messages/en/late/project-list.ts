/** The dialog with all projects. */
export const projectList = {
  none: "No projects yet.",
  pin: (name: string) => `Pin ${name}`,
  unpin: (name: string) => `Unpin ${name}`,
  rename: (name: string) => `Rename ${name}`,
  name: "Project name",
  remove: (name: string) => `Remove ${name} from the list`,
  removed: (name: string) => `${name} was removed from the list. Its files and sessions stay.`,
};
