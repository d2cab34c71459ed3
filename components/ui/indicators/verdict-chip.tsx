/** Chip with the doctor's verdict on a model. */
import type { DoctorVerdict } from "@/lib/models/models";
import { Chip, type Tone } from "./chip";
import { useMessages } from "../../messages/messages";

const tones: Record<DoctorVerdict, Tone> = { agent: "accent", helper: "plain", chat: "ask", unusable: "danger" };

export function VerdictChip({ verdict }: { readonly verdict: DoctorVerdict }) {
  const { models } = useMessages();
  return (
    <Chip tone={tones[verdict]} data-verdict={verdict}>
      {models.verdicts[verdict]}
    </Chip>
  );
}
