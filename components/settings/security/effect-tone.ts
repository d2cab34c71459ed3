/** Colour of a rule's effect. */
import type { RuleEffect } from "@/lib/permissions/policy";
import type { Tone } from "../../ui/indicators/chip";

export const effectTone: Record<RuleEffect, Tone> = { allow: "accent", ask: "ask", deny: "danger" };
