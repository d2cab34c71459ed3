"use client";
/** Row of the setup card: the tour, which needs no model. */
import { TourHint } from "../../chat/start/tour-hint";

export function TourRow() {
  return (
    <div className="px-4 pb-3">
      <TourHint />
    </div>
  );
}
