/** Context usage as a bar with a tick at 60 %, or as a ring; and a progress bar. Shares from 0 to 1; null = unknown. */
import { classes } from "../theme/classes";

interface MeterProps {
  readonly share: number | null;
  /** Accessible name. */
  readonly label: string;
  readonly className?: string;
}

const fullMinShare = 0.85;
const clamp = (share: number | null): number => Math.max(0, Math.min(1, share ?? 0));
const meterState = (share: number | null): "unknown" | "fits" | "full" =>
  share === null ? "unknown" : share >= fullMinShare ? "full" : "fits";

const toPercent = (share: number): number => Math.round(clamp(share) * 100);

/** An unknown value has the role img instead of meter. */
const meterAttributes = (share: number | null) =>
  share === null
    ? { role: "img" }
    : { role: "meter", "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": toPercent(share) };

export function Meter({ share, label, className }: MeterProps) {
  return (
    <span
      {...meterAttributes(share)}
      aria-label={label}
      data-state={meterState(share)}
      className={classes("relative inline-block h-1.5 w-21 rounded-full bg-ink/12", className)}
    >
      <span
        className={classes(
          "absolute inset-y-0 left-0 rounded-full",
          meterState(share) === "full" ? "bg-ask" : "bg-accent",
        )}
        style={{ width: `${clamp(share) * 100}%` }}
      />
      <span className="absolute -inset-y-0.5 left-[60%] w-px bg-ink-muted" />
    </span>
  );
}

const radius = 6;
const circumference = 2 * Math.PI * radius;

export function Ring({ share, label, className }: MeterProps) {
  return (
    <svg
      {...meterAttributes(share)}
      aria-label={label}
      data-state={meterState(share)}
      viewBox="0 0 16 16"
      className={classes("size-4 -rotate-90", meterState(share) === "full" ? "text-ask" : "text-accent", className)}
      fill="none"
      strokeWidth={3}
    >
      <circle cx={8} cy={8} r={radius} className="stroke-ink/14" />
      {share !== null && (
        <circle
          cx={8}
          cy={8}
          r={radius}
          stroke="currentColor"
          strokeDasharray={`${clamp(share) * circumference} ${circumference}`}
        />
      )}
    </svg>
  );
}

/** Progress of a download or another operation. */
export function Progress({ share, label, className }: MeterProps) {
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share === null ? undefined : toPercent(share)}
      className={classes("relative block h-1.5 overflow-hidden rounded-full bg-ink/12", className)}
    >
      <span
        className={classes(
          "absolute inset-y-0 left-0 w-full origin-left rounded-full bg-accent transition-transform",
          share === null && "animate-breathe",
        )}
        style={{ transform: `scaleX(${share === null ? 1 : clamp(share)})` }}
      />
    </span>
  );
}
