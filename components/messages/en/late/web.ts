/** Messages of the settings of the web tools. */
import type { WebFailure } from "@/lib/events/tool-kind";
export const web = {
  title: "Web",
  about: "Lets models search the web and read public pages. Both send what the model asks for out of this machine.",
  switch: "Let models use the web",
  switchNote:
    "New sessions get web_search and web_fetch. Every host asks first, in every mode, until you always allow it in a project.",
  unreadable: (path: string) =>
    `gopi-web can't read what you chose for the web, so it is off and nothing is saved. Correct ${path}, or move it away to begin again. Then open this page again.`,
  failed: "Couldn't load the settings of the web.",
  engines: "Search engines",
  enginesNote: "Asked from top to bottom: the next one is used when one fails.",
  noEngine: "No search engine is ready, so models can read pages but not search.",
  names: {
    searxng: "SearXNG",
    brave: "Brave Search",
    tavily: "Tavily",
    bocha: "Bocha",
    duckduckgo: "DuckDuckGo",
  },
  sends: {
    searxng: "The words go to your own SearXNG, which asks the engines it is set up for.",
    brave: "The words and your key go to Brave in the USA.",
    tavily: "The words and your key go to Tavily in the USA.",
    bocha: "The words and your key go to Bocha in China.",
    duckduckgo: "The words go to DuckDuckGo in the USA. No account; it blocks programs that search often.",
  },
  use: (name: string) => `Use ${name}`,
  moveUp: (name: string) => `Move ${name} up`,
  moveDown: (name: string) => `Move ${name} down`,
  test: "Test",
  testOf: (name: string) => `Test ${name}`,
  tested: (hits: number, duration: string) => `Works: ${hits === 1 ? "1 result" : `${hits} results`} in ${duration}.`,
  testedNone: (duration: string) => `Answers, but found nothing in ${duration}.`,
  needsKey: "Needs an API key",
  needsAddress: "Needs the address of your server",
  key: "API key",
  keyOf: (name: string) => `API key of ${name}`,
  keyStored: "A key is stored in the key file. Models never see it.",
  replaceKey: "Replace",
  removeKey: "Remove key",
  address: "Address",
  addressOf: (name: string) => `Address of ${name}`,
  addressNote: "Its settings.yml needs json under search.formats.",
  badAddress: "Enter an http or https address, without a name or password.",
  failures: {
    blocked: (name: string) => `${name} blocked the search. Wait some minutes, or put another engine first.`,
    no_json: (name: string) =>
      `${name} gives no JSON. Add json under search.formats in its settings.yml and restart it.`,
    key: (name: string) => `${name} refused the key. Check it, or create a new one in your account there.`,
    quota: (name: string) => `The quota of your key for ${name} is used up. Wait, or put another engine first.`,
    moved: (name: string, detail: string) => `${name} redirects to ${detail}. Enter that address.`,
    unreachable: (name: string, detail: string) =>
      `${name} wasn't reached: ${detail}. Check the address and the network.`,
    timeout: (name: string) => `${name} didn't answer within 15 seconds. Try again later.`,
    bad_answer: (name: string, detail: string) =>
      `${name} gave an answer that can't be read: ${detail}. Check the address.`,
  },
  hosts: "Hosts with a rule",
  hostsNote: "Hosts for which a project has a rule. Rules are changed under Permissions.",
  noHosts: "None yet. Choose Always allow on a card to add one.",
  toRules: "Rules in Permissions",
  effects: { allow: "Allowed", ask: "Asks", deny: "Denied" },
  /** Why web_fetch could not read a page. */
  fetchFailures: {
    not_public: (host: string) => `${host} isn't on the public web. Pages of this machine and network aren't read.`,
    timeout: (host: string) => `${host} didn't answer in time.`,
    missing: (host: string) => `There is no host named ${host}.`,
    unreachable: (host: string) => `${host} couldn't be reached.`,
    unreadable: (host: string) => `${host} sent something that can't be read as a page.`,
  } satisfies Record<WebFailure, (host: string) => string>,
};
