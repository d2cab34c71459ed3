"use client";
/** Shows the settings of notices as one table: a setting per row, a place per column. */
import { noticeKinds, noticePlaces, noticeSettings, type NoticePlaceName } from "@/lib/notices/notice-kinds";
import { formatConfigKey } from "@/lib/settings/config-keys";
import type { Settings } from "@/lib/settings/settings";
import { useFullMessages } from "../../messages/full-messages";
import { useServerState } from "../../state/use-server-state";
import { settingText } from "../fields/setting-list";
import { useChange, useListChange } from "../../state/use-change";
import { useAnchor } from "../fields/use-anchor";

type NoticeSetting = (typeof noticeSettings)[keyof typeof noticeSettings];

export function NoticeTable() {
  const { settings: messages } = useFullMessages();
  const text = messages.notifications;
  const settings = useServerState("settings");
  if (settings === undefined) return null;
  return (
    <div className="py-4">
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="text-small text-ink-muted">
            <th className="pb-1 font-medium">{text.kind}</th>
            {noticePlaces.map((place) => (
              <th key={place} className="w-20 pb-1 text-center font-medium max-tablet:w-[4.25rem]">
                {text.places[place]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {noticeKinds.map((kind) => (
            <KindRow key={kind} name={noticeSettings[kind]} settings={settings} />
          ))}
        </tbody>
      </table>
      <p className="mt-2 max-w-[64ch] text-ink-muted">{text.placesNote}</p>
    </div>
  );
}

function KindRow({ name, settings }: { readonly name: NoticeSetting; readonly settings: Settings }) {
  const messages = useFullMessages();
  const { perform } = useChange("toast");
  const key = formatConfigKey(name);
  const row = useAnchor<HTMLTableRowElement>(key);
  const { label } = settingText(messages, name);
  const places = settings[name];
  const { change } = useListChange(places, (next) => perform("settings.write", { patch: { [name]: next } }));
  const set = (place: NoticePlaceName, on: boolean): void =>
    void change((list) => noticePlaces.filter((one) => (one === place ? on : list.includes(one))));
  return (
    <tr ref={row} id={key} tabIndex={-1} className="border-t border-line">
      <th scope="row" className="py-1 pr-2 font-normal">
        {label}
      </th>
      {noticePlaces.map((place) => (
        <td key={place} className="text-center">
          <label className="inline-grid size-9 cursor-pointer place-items-center max-tablet:size-11">
            <input
              type="checkbox"
              checked={places.includes(place)}
              aria-label={messages.settings.notifications.placeOf(label, messages.settings.notifications.places[place])}
              onChange={(event) => set(place, event.target.checked)}
              className="size-4 accent-(--accent)"
            />
          </label>
        </td>
      ))}
    </tr>
  );
}
