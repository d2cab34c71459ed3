/** The page of a browser that is not signed in. */
export const signIn = {
  title: "Sign in to gopi-web",
  atDoor: (host: string) =>
    `This browser went to ${host} to sign in, and came back without a sign-in. Try again; if it happens again, ask the person who runs the server.`,
  note: "This browser isn't signed in. Press Enter in the terminal where gopi-web is running, or run the start command again in another one (npm start or gopi-web). Then open the sign-in link it prints.",
  paste: "Or paste the link or token",
  submit: "Sign in",
  refused: "This link has expired or was already used. Get a new one as described above; gopi-web keeps running.",
  wrongOrigin: (address: string) =>
    `gopi-web doesn't accept pages at ${address}. If a proxy publishes it there, start it with --public-url ${address}`,
  throttled: "Too many attempts. Open a new sign-in link, or wait an hour.",
  unreachable: "gopi-web isn't responding. Is it still running?",
  noToken: "No token found in this text.",
};
