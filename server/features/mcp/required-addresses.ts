/** Calls that a server refuses until the user has opened an address: the user is asked, then the call is sent once more. */
import type { Result } from "@/lib/events/error";
import type { AddressOutcome } from "@/lib/events/error-reasons";
import { isReasoned } from "@/lib/events/error-sentences";
import type { ForeignResult } from "@/server/tools/toolbox/foreign-result";
import type { Clock } from "./clock";
import { type Elicit, elicitWithin } from "./elicitation";
import { failMcp, failureReason } from "./failure";

interface RefusableCall {
  /** Sends the call. */
  run(): Promise<Result<ForeignResult>>;
  /** False = no user can answer. */
  isAttended(): boolean;
  readonly ask: Elicit;
}

/** Fails with `address_required`, and what came of it, if the user has not finished at all addresses. */
export async function callWithAddresses(
  { run, isAttended, ask }: RefusableCall,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result<ForeignResult>> {
  const first = await run();
  if (first.ok) return first;
  const { detail, facts } = first.error;
  if (!isReasoned<"address_required">({ address_required: true }, facts)) return first;
  const { addresses } = facts;
  const failWith = (outcome: AddressOutcome) => failMcp({ reason: "address_required", addresses, outcome }, detail);
  if (addresses.length === 0) return first;
  if (!isAttended()) return failWith("unattended");
  for (const address of addresses) {
    const { action } = await elicitWithin(ask, address, clock, signal);
    if (action !== "accept") return failWith(action === "unanswered" ? "unanswered" : "declined");
  }
  const second = await run();
  return !second.ok && failureReason(second.error) === "address_required" ? failWith("repeated") : second;
}
