"use client";
/** Dialog that lists all keyboard shortcuts in the notation of this platform. */
import { type ActionGroup, actions } from "../actions/actions";
import { isMacPlatform, keysText } from "../actions/keys";
import { Dialog } from "../ui/dialog";
import { KeyHint } from "../ui/key-hint";
import { useWords } from "../words/words";

const groups: readonly ActionGroup[] = ["sessions", "view", "files", "settings"];
const places = [
  ["send", "enter"],
  ["newline", "shift+enter"],
  ["followUp", "alt+enter"],
  ["pullQueued", "alt+up"],
  ["tree", "Esc Esc"],
  ["mode", "shift+tab"],
  ["answer", "1 … 4"],
] as const;
const filePlaces = [
  ["rename", "F2"],
  ["findInFile", "mod+f"],
] as const;
const placesOf = { sessions: places, view: [], files: filePlaces, settings: [] } as const satisfies Record<
  ActionGroup,
  unknown
>;

export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const isMac = isMacPlatform();
  return (
    <Dialog wide title={words.actions.help} closeName={words.common.close} onClose={onClose}>
      <div className="columns-2 gap-8 max-tablet:columns-1">
        {groups.map((group) => {
          const bound = actions.filter((action) => action.group === group && action.keys !== undefined);
          return (
            <section key={group} className="mb-4 break-inside-avoid">
              <h3 className="mb-1 text-small font-medium text-ink-muted">{words.actions.groups[group]}</h3>
              <dl>
                {bound.map((action) => (
                  <Row
                    key={action.id}
                    name={words.actions.names[action.id]}
                    keys={keysText(action.keys ?? "", isMac)}
                  />
                ))}
                {placesOf[group].map(([id, keys]) => (
                  <Row key={id} name={words.actions.places[id]} keys={keysText(keys, isMac)} />
                ))}
              </dl>
            </section>
          );
        })}
      </div>
    </Dialog>
  );
}

function Row({ name, keys }: { readonly name: string; readonly keys: string }) {
  return (
    <div className="flex items-center justify-between gap-3 py-1">
      <dt>{name}</dt>
      <dd className="shrink-0">
        <KeyHint keys={keys} />
      </dd>
    </div>
  );
}
