"use client";
/** Notifications tab: this browser's permission, what is notified, sound, quiet hours. */
import { useState } from "react";
import { normalizeQuietHours, quietHoursPattern } from "@/lib/settings/quiet-hours";
import {
  notificationAccess,
  requestNotificationAccess,
  showSystemNotification,
} from "../state/notices/system-notification";
import { playNoticeSound } from "../state/notices/play-notice-sound";
import { Button } from "../ui/controls/button";
import { useFullMessages } from "../messages/full-messages";
import { useClient } from "../state/client";
import { Setting } from "./fields/setting";
import { SettingField } from "./fields/setting-field";
import { NoticeTable } from "./notices/notice-table";
import { PushDevices } from "./notices/push-devices";
import { SettingGroup, SettingRow } from "./fields/setting-row";
import { TextSetting } from "./fields/text-setting";

export function NotificationsTab() {
  const text = useFullMessages().settings.notifications;
  return (
    <>
      <SettingGroup title={text.title}>
        <SettingRow label={text.permission} note={text.permissionNote}>
          <BrowserPermission />
        </SettingRow>
        <NoticeTable />
        <Setting name="noticeSound" onSwitch={(on) => on && void playNoticeSound()} />
        <SettingField name="quietHours">
          {({ settings, save, labelId }) => (
            <TextSetting
              value={settings.quietHours}
              labelId={labelId}
              placeholder="22:00-07:00"
              normalize={normalizeQuietHours}
              problemOf={(typed) =>
                typed === "" || quietHoursPattern.test(normalizeQuietHours(typed)) ? null : text.quietHoursBad(typed)
              }
              onSave={(quietHours) => save({ quietHours })}
            />
          )}
        </SettingField>
      </SettingGroup>
      <PushDevices />
    </>
  );
}

function BrowserPermission() {
  const { toasts } = useClient();
  const text = useFullMessages().settings.notifications;
  const [access, setAccess] = useState(notificationAccess);
  const sendTest = (): void => {
    const notification = { title: text.testTitle, body: text.testBody, tag: "gopi-web test", onClick: () => {} };
    if (!showSystemNotification(notification)) toasts.show({ text: text.testFailed, look: "danger" });
  };
  if (access === "default")
    return <Button onClick={() => void requestNotificationAccess().then(setAccess)}>{text.access.default}</Button>;
  if (access !== "granted") return <p className="text-ink-muted">{text.access[access]}</p>;
  return (
    <div className="flex items-center gap-3">
      <span className="text-ink-muted">{text.access.granted}</span>
      <Button onClick={sendTest}>{text.test}</Button>
    </div>
  );
}
