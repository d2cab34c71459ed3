"use client";
/** The choice among the whole versions of a path in conflict. */
import type { ConflictSide } from "@/lib/workspace/source-control";
import type { SourceConflict } from "@/lib/workspace/source-conflict";
import { useFullMessages } from "../../../messages/full-messages";
import { Button } from "../../../ui/controls/button";
import type { ConflictActions } from "./use-conflict-actions";

interface ConflictChoiceProps {
  readonly conflict: SourceConflict;
  readonly actions: ConflictActions;
}

const sidesOf = { file: ["ours", "theirs", "base"], submodule: ["ours", "theirs"] } as const;

export function ConflictChoice({ conflict: { sides, now }, actions }: ConflictChoiceProps) {
  const { conflictView: text, gitRefs } = useFullMessages();
  if (sides.ours?.kind === "submodule" || sides.theirs?.kind === "submodule")
    return (
      <Row>
        {sidesOf.submodule.map((side) => (
          <Button
            key={side}
            size="small"
            disabled={actions.isBusy || (sides[side] !== null && sides[side].kind !== "submodule")}
            onClick={() => void actions.mark(false, side)}
          >
            {sides[side] === null ? text.remove : text.useSubmodule[side](sides[side].object)}
          </Button>
        ))}
      </Row>
    );
  const isDeletion = sides.ours === null || sides.theirs === null;
  const label = (side: ConflictSide): string => (sides[side] === null ? text.remove : text.keep);
  return (
    <Row>
      {!isDeletion && <span className="text-small text-ink-muted">{text.whole}</span>}
      {(isDeletion ? deletionSides(sides) : sidesOf.file.filter((side) => sides[side] !== null)).map((side) => (
        <Button
          key={side}
          size="small"
          look={isDeletion ? "plain" : "quiet"}
          aria-pressed={now === side}
          disabled={actions.isBusy || now === side}
          onClick={() => void actions.takeSide(side)}
        >
          {isDeletion ? label(side) : gitRefs.sides[side]}
        </Button>
      ))}
    </Row>
  );
}

/** The side that has the file, and one that has not. */
function deletionSides({ ours, theirs }: SourceConflict["sides"]): readonly ConflictSide[] {
  if (ours === null && theirs === null) return ["base", "ours"];
  return ours === null ? ["theirs", "ours"] : ["ours", "theirs"];
}

const Row = ({ children }: { readonly children: React.ReactNode }) => (
  <div className="flex flex-wrap items-center gap-1">{children}</div>
);
