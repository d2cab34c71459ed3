"use client";
/** Devices tab: listen addresses, a sign-in link for another device, and the signed-in browsers. */
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
