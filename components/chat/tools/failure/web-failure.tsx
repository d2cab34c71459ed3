"use client";
/** Why a page of the web could not be read. */
import type { WebFailure } from "@/lib/events/tool-kind";
import { useFullMessages } from "../../../messages/full-messages";

interface WebFailureTextProps {
  readonly failure: WebFailure;
  readonly host: string;
}

export function WebFailureText({ failure, host }: WebFailureTextProps) {
  return useFullMessages().web.fetchFailures[failure](host);
}
