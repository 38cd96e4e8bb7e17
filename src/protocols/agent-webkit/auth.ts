/** Who may call: everyone, or who knows the token. Without a token nobody is let in. */
export type Auth = { readonly disabled: true } | { readonly disabled: false; readonly token: string | undefined }

/** What the environment says of who may call: `AGENT_WEBKIT_TOKEN`, or `AGENT_WEBKIT_NO_AUTH=1`. */
export function readAuth(environment: Readonly<Record<string, string | undefined>>): Auth {
  const token = environment.AGENT_WEBKIT_TOKEN
  if (environment.AGENT_WEBKIT_NO_AUTH === '1' || !token) return { disabled: true }
  return { disabled: false, token }
}
