/** Messages used in several features. */
export const common = {
  cancel: "Cancel",
  close: "Close",
  copy: "Copy",
  copied: "Copied",
  details: "Details",
  remove: "Remove",
  retry: "Try again",
  save: "Save",
  showAll: "Show all",
  showLess: "Show less",
  loading: "Loading",
  language: { en: "English", "zh-CN": "简体中文" },
  /** Marks for invisible characters. */
  hidden: {
    control: (name: string) => `control character ${name}`,
    bidi: (name: string) => `text direction character ${name}`,
    invisible: (name: string) => `invisible character ${name}`,
  },
};
