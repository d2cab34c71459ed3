/** Words of components/files. */
export const files = {
  title: "Files",
  create: "New file or folder",
  newFile: "New file",
  newFolder: "New folder",
  rename: "Rename",
  copyPath: "Copy path",
  menu: (name: string) => `Menu of ${name}`,
  link: "link",
  empty: "This folder is empty",
  failed: "This folder could not be read",
  more: (count: string) => `${count} more, too many to list`,
  problems: {
    empty: "A name is needed.",
    slash: "A name has no slashes.",
    dots: "This name means a folder.",
    exists: "There is already something with this name.",
  },
};
