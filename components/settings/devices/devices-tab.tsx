"use client";
/** Devices tab: listen addresses, a sign-in link for another device, and the signed-in browsers. */
import { DeviceLink } from "./device-link";
import { DeviceList } from "./device-list";
import { NetworkAccess } from "./network-access";

export function DevicesTab() {
  return (
    <>
      <NetworkAccess />
      <DeviceLink />
      <DeviceList />
    </>
  );
}
