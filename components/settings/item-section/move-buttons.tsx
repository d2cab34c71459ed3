"use client";
/** Buttons that move a row of a list up or down. The pressed one keeps the focus while its row moves. */
import { ArrowDown, ArrowUp } from "lucide-react";
import { useEffect, useRef } from "react";
import { IconButton } from "../../ui/controls/icon-button";

const moves = [
  { step: -1, icon: ArrowUp, direction: "up" },
  { step: 1, icon: ArrowDown, direction: "down" },
] as const;

interface MoveButtonsProps {
  readonly index: number;
  /** Rows of the list. */
  readonly count: number;
  /** Names of the buttons. */
  readonly names: Readonly<Record<(typeof moves)[number]["direction"], string>>;
  readonly onMove: (step: -1 | 1) => void;
}

export function MoveButtons({ index, count, names, onMove }: MoveButtonsProps) {
  const pressed = useRef<HTMLButtonElement>(null);
  // A row that moves in the DOM loses the focus.
  useEffect(() => {
    pressed.current?.focus();
    pressed.current = null;
  }, [index]);
  return (
    <div className="relative z-1 flex shrink-0">
      {moves.map(({ step, icon, direction }) => {
        const isEnd = index + step < 0 || index + step >= count;
        return (
          <IconButton
            key={step}
            icon={icon}
            name={names[direction]}
            size="small"
            className="aria-disabled:opacity-35 max-tablet:size-11"
            // Not disabled: at the end of the list the button would lose the focus.
            aria-disabled={isEnd}
            onClick={(event) => {
              if (isEnd) return;
              pressed.current = event.currentTarget;
              onMove(step);
            }}
          />
        );
      })}
    </div>
  );
}
