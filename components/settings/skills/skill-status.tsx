/** Why a skill is not offered to the model; nothing for one that is. */
import type { SkillView } from "@/lib/tools/skills";
import { useFullMessages } from "../../messages/full-messages";
import { Chip } from "../../ui/indicators/chip";

export function SkillStatusChip({ skill: { status, isManual } }: { readonly skill: SkillView }) {
  const { skills: text } = useFullMessages();
  if (status === "unusable") return <Chip tone="danger">{text.unusable}</Chip>;
  if (status !== "on") return <Chip>{status === "off" ? text.off : text.shadowed}</Chip>;
  return isManual ? <Chip>{text.manual}</Chip> : null;
}

/** Whether the user can switch it. */
export const isSwitchable = ({ status }: SkillView): boolean => status === "on" || status === "off";
