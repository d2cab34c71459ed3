/**
 * Looks for due times and writes their rows before anything starts, so that no time runs twice: not after a kill, a sleep or
 * a change of the clock.
 */
import { beginTimeSlice } from "@/server/base/steps";
import type { AutomationStore, DueRow, StoredAutomation } from "@/server/store/automations";
import { decideDue, searchStart } from "./decide-due";
import type { DueTimes, Schedules } from "./schedule-times";

/** The timer looks at least this often, ms: clocks are set, machines sleep. */
const lookMaxMs = 60_000;

/** Automations whose due times are stored and started without a turn of the event loop between them. */
const storedTogether = 100;

interface FiringOptions {
  readonly store: Pick<AutomationStore, "addDue">;
  readonly schedules: Schedules;
  /** The automations of now; a change takes effect at the next look. */
  automations(): readonly StoredAutomation[];
  isBusy(id: string): boolean;
  /** The rows of the automation are stored up to this time. */
  checked(id: string, until: number): void;
  /** Starts what is due; the rows are stored. */
  start(rows: readonly DueRow[]): void;
  now(): number;
}

interface Firing {
  /** Starts what is due. Resolves with the time until the next look, ms; null = nothing will be due. */
  look(): Promise<number | null>;
}

interface Due {
  readonly rows: DueRow[];
  readonly checked: Map<string, number>;
}

export function makeFiring(options: FiringOptions): Firing {
  const { now, isBusy } = options;
  /** The next due time of each automation, with what it was computed from. */
  const upcoming = new Map<
    string,
    { readonly times: DueTimes; readonly after: number; readonly next: number | null }
  >();

  const nextOf = (id: string, times: DueTimes, after: number): number | null => {
    const cached = upcoming.get(id);
    if (cached?.times === times && cached.after <= after && (cached.next === null || cached.next > after))
      return cached.next;
    const next = times.next(after);
    upcoming.set(id, { times, after, next });
    return next;
  };
  const store = ({ rows, checked }: Due): void => {
    const ids = new Set(options.automations().map(({ id }) => id));
    for (const id of checked.keys()) if (!ids.has(id)) checked.delete(id);
    if (checked.size === 0) return;
    const added = options.store.addDue(
      rows.filter(({ automationId }) => ids.has(automationId)),
      checked,
    );
    for (const [id, until] of checked) options.checked(id, until);
    const started = added.filter(({ outcome }) => outcome === undefined);
    if (started.length > 0) options.start(started);
    rows.length = 0;
    checked.clear();
  };

  return {
    async look() {
      const slice = beginTimeSlice();
      const due: Due = { rows: [], checked: new Map() };
      let first = Infinity;
      for (const { id, isOn, trigger, checkedUntil } of options.automations()) {
        const read = isOn && trigger.kind === "time" ? options.schedules.read(trigger) : null;
        if (read?.ok !== true || trigger.kind !== "time") continue;
        const at = now();
        const from = searchStart(checkedUntil, at);
        const times: number[] = [];
        let next = nextOf(id, read.value, from);
        while (next !== null && next <= at) {
          times.push(next);
          next = nextOf(id, read.value, next);
          if (slice.isOver()) await slice.next();
        }
        first = Math.min(first, next ?? Infinity);
        if (times.length > 0 || checkedUntil > at) {
          const { missed } = trigger;
          for (const decision of decideDue(times, { now: at, missed, isBusy: isBusy(id) }))
            due.rows.push({ automationId: id, cause: "time", ...decision });
          due.checked.set(id, at);
        }
        if (slice.isOver() || due.checked.size >= storedTogether) {
          store(due);
          await slice.next();
        }
      }
      store(due);
      return first === Infinity ? null : Math.min(lookMaxMs, Math.max(0, first - now()));
    },
  };
}
