/** Data of a drag from the file tree: paths of the project, for other parts of the page. */

const draggedFilesType = "application/x-gopi-web-files";

export function writeDraggedFiles(data: DataTransfer, paths: readonly string[]): void {
  data.setData(draggedFilesType, JSON.stringify(paths));
}

export const hasDraggedFiles = ({ types }: Pick<DataTransfer, "types">): boolean => types.includes(draggedFilesType);

export function readDraggedFiles(data: Pick<DataTransfer, "getData" | "types">): readonly string[] {
  if (!hasDraggedFiles(data)) return [];
  const paths: unknown = JSON.parse(data.getData(draggedFilesType) || "[]");
  return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
}
