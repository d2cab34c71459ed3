/** Short notifications, each for a limited time. */
import { createStore, type ReadableStore } from "./store";

interface ToastInput {
  readonly id: string;
  readonly text: string;
  readonly look?: "plain" | "danger";
  readonly action?: {
    readonly label: string;
    readonly onSelect: () => void;
  };
}

export interface Toasts extends ReadableStore<readonly ToastInput[]> {
  /** `onExpired` runs when the toast closes without its action: by timeout or by the user. */
  readonly show: (news: Omit<ToastInput, "id">, onExpired?: () => void) => void;
  /** As `show`; returns a function that closes the toast. */
  readonly open: (news: Omit<ToastInput, "id">, onExpired?: () => void) => () => void;
  readonly close: (id: string) => void;
}

const toastMs = 5_000;
/** Time to reach the undo button. */
const actionMs = 8_000;
const toastsMax = 3;

export function createToasts(): Toasts {
  const store = createStore<readonly ToastInput[]>([]);
  const leaving = new Map<string, { readonly timer: ReturnType<typeof setTimeout>; readonly onExpired?: () => void }>();
  let last = 0;

  const take = (id: string): void => {
    clearTimeout(leaving.get(id)?.timer);
    leaving.delete(id);
    store.set(store.get().filter((news) => news.id !== id));
  };
  const close = (id: string): void => {
    const onExpired = leaving.get(id)?.onExpired;
    take(id);
    onExpired?.();
  };
  const open: Toasts["open"] = (news, onExpired) => {
    last += 1;
    const id = String(last);
    const { action } = news;
    const wrapped = action && {
      ...action,
      onSelect: () => {
        take(id);
        action.onSelect();
      },
    };
    const timer = setTimeout(() => close(id), action === undefined ? toastMs : actionMs);
    leaving.set(id, { timer, onExpired });
    for (const old of store.get().slice(0, Math.max(0, store.get().length + 1 - toastsMax))) close(old.id);
    store.set([...store.get(), { ...news, id, action: wrapped }]);
    return () => close(id);
  };
  return {
    get: store.get,
    subscribe: store.subscribe,
    close,
    open,
    show: (news, onExpired) => void open(news, onExpired),
  };
}
