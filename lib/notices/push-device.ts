/** A device that receives Web Push. JSON. */
export interface PushDevice {
  /** Id of the signed-in browser. */
  readonly device: string;
  /** Browser and system; empty = unknown. */
  readonly label: string;
  /** Host of the push service that passes the messages on. */
  readonly service: string;
  /** ms epoch */
  readonly createdAt: number;
  /** It sent the command. */
  readonly isCurrent: boolean;
}
