/** Step of `gopi-web init`: Telegram, with a link that pairs the user's phone. */
import { type ChannelView, pairingMinutes } from "@/lib/channels/channels";
import { printable } from "../arguments/options";
import { cliErrorText, RunFailure } from "../cli-error-text";
import type { Setup } from "./setup";

const kind = "telegram";

export async function chooseChannel(setup: Setup): Promise<void> {
  const { call, terminal } = setup;
  const { channels } = await call("channels.list", {});
  const channel = channels.find((one) => one.kind === kind);
  if (channel === undefined) return;
  if (channel.isOn && channel.people.length > 0)
    return terminal.say(`Telegram is on; people: ${channel.people.length}. Change it in Settings > Channels.`);
  terminal.say(
    "With a bot of yours you can write to your sessions from Telegram. What you write passes Telegram's servers.",
  );
  if (!(await chooseToken(setup, channel))) return;
  await call("channels.set", { kind, isOn: true });
  terminal.progress("Connecting to Telegram …");
  const online = await untilConnected(setup);
  if (online.kind !== "online") throw new RunFailure(cliErrorText(online.error));
  terminal.say(`The bot is online as ${printable(online.name)}.`);
  const { link } = await call("channels.pair", { kind });
  terminal.say(`Open this link on your phone within ${pairingMinutes} minutes, and press Start there:\n${link}`);
}

/** Whether the channel has a token now, and the user wants it on. */
async function chooseToken({ call, terminal }: Setup, { token }: ChannelView): Promise<boolean> {
  if (token !== "none") return terminal.confirm("A token is set. Connect Telegram with it now?");
  const typed = await terminal.ask("Token from @BotFather, or Enter to skip: ");
  if (typed === "") return false;
  await call("channels.set_token", { kind, token: typed });
  return true;
}

/** Resolves with the connection once it is online or has an error. */
async function untilConnected({ call, pushes, signal }: Setup) {
  for (;;) {
    const changed = pushes.until(({ type }) => (type === "channels" ? true : null), signal);
    // It is awaited only while the channel connects.
    changed.catch(() => {});
    const { channels } = await call("channels.list", {});
    const connection = channels.find((one) => one.kind === kind)?.connection;
    if (connection !== undefined && connection.kind !== "off" && connection.kind !== "connecting") return connection;
    await changed;
  }
}
