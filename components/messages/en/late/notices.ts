/** Messages of notices that the server opens, and of the devices that get them. */
export const notices = {
  paused: (name: string) => `The automation "${name}" failed several times in a row and is paused.`,
  /** Texts of notifications; the title is the session's. */
  sessions: {
    waiting: "Waiting for your approval",
    done: "Run finished",
    limit: "Run paused: it reached a limit",
    failed: "Run failed",
    interrupted: "Run was interrupted",
  },
  open: "Open",
  /** The devices that get Web Push, in the settings. */
  push: {
    title: "Push",
    about: "A notification on this device also while no tab is open. Off until you add a device.",
    insecure:
      "Browsers offer no push over plain http. Open gopi-web at http://localhost, or start it with --tls-cert and --tls-key.",
    unsupported:
      "This browser has no push here. On an iPhone or iPad, add gopi-web to the Home Screen first and open it from there.",
    add: "Add this device",
    agree: "Add",
    terms: [
      "A push service of your browser's maker (such as Google, Mozilla or Apple) passes the messages on. It learns that and when this server sends one.",
      'A message is encrypted and says only "A session needs you". Titles, texts and files stay on this machine.',
      "Nothing can be approved from it. A click opens the session.",
    ],
    denied: "Notifications are blocked for this address. Allow them in your browser's site settings, then try again.",
    failed: "The browser couldn't subscribe. Its push service may be switched off or unreachable. Try again later.",
    current: "this browser",
    unknown: "Unknown browser",
    since: (time: string) => `added ${time}`,
    via: (host: string) => `via ${host}`,
    remove: "Remove",
    removeNamed: (name: string) => `Remove ${name}`,
  },
};
