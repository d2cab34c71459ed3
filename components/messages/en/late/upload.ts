/** Messages of components/files/upload. */
export const upload = {
  running: (name: string, number: number, files: number) =>
    files === 1 ? `Uploading ${name}` : `Uploading ${name} (${number} of ${files})`,
  progress: "Upload progress",
  bytes: (sent: string, all: string) => `${sent} of ${all}`,
  cancel: "Cancel upload",
  /** `subject` = a name or a count. */
  done: (subject: string, folder: string) => `Uploaded ${subject} to ${folder}`,
  cancelled: "Upload cancelled",
  cancelledAfter: (subject: string) => `Upload cancelled after ${subject}`,
  cut: "The connection ended before the file was complete. Check that the server is running and the file still exists, then upload it again.",
  badName: "The name has characters that aren't allowed. Rename the file and upload it again.",
  tooLarge: (max: string) => `Files over ${max} can't be uploaded. Copy it into the project folder instead.`,
  existsTitle: "Replace the existing file?",
  fileExists: (name: string, folder: string) =>
    `${name} already exists in ${folder}. If you replace it, the existing file moves to the trash.`,
  folderExists: (name: string, folder: string) =>
    `A folder named ${name} already exists in ${folder}. A file can't replace it.`,
  forAll: (count: number) =>
    count === 1 ? "Also for the other existing file" : `Also for the other ${count} existing files`,
  replace: "Replace",
  keepBoth: "Keep both",
  skip: "Skip",
};
