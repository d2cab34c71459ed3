/** Messages of components/files. */
export const files = {
  title: "Files",
  create: "New file or folder",
  newFile: "New file",
  newFolder: "New folder",
  rename: "Rename",
  copyPath: "Copy path",
  menu: (name: string) => `Menu for ${name}`,
  link: "link",
  empty: "This folder is empty",
  failed: "Couldn't read this folder",
  more: (count: string) => `${count} more not shown`,
  problems: {
    empty: "Enter a name.",
    slash: "Names can't contain slashes.",
    dots: "This name is reserved.",
    exists: "Something with this name already exists.",
  },
};
