/** The kinds of channels, each with the code that connects to its messenger. */
import type { ChannelKind } from "@/lib/channels/channels";
import type { Channel } from "./channel";

interface ChannelOptions {
  /** A secret. */
  readonly token: string;
  /** "" = the messenger's own. */
  readonly apiAddress: string;
  /** The owner allows to end the connection of another program to the same account. */
  readonly takeOver: boolean;
  log(line: string): void;
  /** ms epoch */
  now(): number;
}

export type MakeChannel = (options: ChannelOptions) => Channel;

export interface ChannelEntry {
  /** Variable of the environment with a token. */
  readonly tokenVariable: string;
  load(): Promise<MakeChannel>;
}

export const channelList: Readonly<Record<ChannelKind, ChannelEntry>> = {
  telegram: {
    tokenVariable: "TELEGRAM_BOT_TOKEN",
    async load() {
      const { makeTelegramChannel, telegramApiAddress } = await import("./telegram/telegram-channel");
      return ({ apiAddress, ...options }) =>
        makeTelegramChannel({ ...options, apiAddress: apiAddress === "" ? telegramApiAddress : apiAddress });
    },
  },
};
