/** Path on one line: with too little space the folder part is truncated first ("s…/price.ts"). */
import { classes } from "../theme/classes";
import { type HiddenNames, VisibleText } from "./visible-text";

interface PathTextProps {
  readonly path: string;
  readonly names: HiddenNames;
  readonly className?: string;
}

/**
 * Minimum visible width of a longer folder part: its first letter and the ellipsis. A folder part of up to three
 * letters is not truncated: in a proportional font it can be narrower than that.
 */
const folderMinWidth = "2.5ch";
const wholeFolderMaxChars = 3;

export function PathText({ path, names, className }: PathTextProps) {
  const at = path.lastIndexOf("/");
  const folder = path.slice(0, Math.max(0, at));
  return (
    <span title={path} className={classes("flex min-w-0", className)}>
      {at >= 0 && (
        <>
          <span
            className={folder.length > wholeFolderMaxChars ? "shrink-[1000] cut" : "shrink-0"}
            style={folder.length > wholeFolderMaxChars ? { minWidth: folderMinWidth } : undefined}
          >
            <VisibleText text={folder} names={names} />
          </span>
          <span className="shrink-0">/</span>
        </>
      )}
      <span className="min-w-0 cut">
        <VisibleText text={path.slice(at + 1)} names={names} />
      </span>
    </span>
  );
}
