/** The state of the installation, as `gopi-web status` and the settings page Status show it. JSON. */

/** Of the user's service that starts the server. */
export interface ServiceState {
  /** unsupported = this system has no service manager that is supported. */
  readonly status: "running" | "installed" | "not_installed" | "unsupported";
  /** The file that describes it. */
  readonly file?: string;
}
