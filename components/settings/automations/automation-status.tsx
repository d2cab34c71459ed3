"use client";
/** Chip with the state of an automation; nothing for one that is on and waits for its time. */
import { type AutomationView, isPausedAutomation } from "@/lib/automations/automation";
import { useFullMessages } from "../../messages/full-messages";
import { Chip, type Tone } from "../../ui/indicators/chip";

type Status = keyof ReturnType<typeof useFullMessages>["automations"]["status"];

const tones: Partial<Record<Status, Tone>> = { paused: "danger", running: "accent", notRehearsed: "ask" };

export const isRehearsed = ({ rehearsal }: Pick<AutomationView, "rehearsal">): boolean => rehearsal?.outcome === "done";

function statusOf(automation: AutomationView): Status | null {
  const open = automation.runs.find(({ outcome }) => outcome === undefined);
  if (open !== undefined) return open.startedAt === undefined ? "waiting" : "running";
  if (isPausedAutomation(automation)) return "paused";
  if (!isRehearsed(automation)) return "notRehearsed";
  return automation.isOn ? null : "off";
}

export function AutomationStatus({ automation }: { readonly automation: AutomationView }) {
  const { automations: text } = useFullMessages();
  const status = statusOf(automation);
  return status === null ? null : <Chip tone={tones[status] ?? "plain"}>{text.status[status]}</Chip>;
}
