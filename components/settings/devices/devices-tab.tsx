"use client";
/** Who may come in besides this browser: where the server listens, a link for another device, and the browsers that are signed in. */
import { DeviceLink } from "./device-link";
import { DeviceList } from "./device-list";
import { Reach } from "./reach";

export function DevicesTab() {
  return (
    <>
      <Reach />
      <DeviceLink />
      <DeviceList />
    </>
  );
}
