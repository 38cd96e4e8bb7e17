/** Authentication of callers: none, or by a token. An undefined token rejects every caller. */
export type Auth = { readonly disabled: true } | { readonly disabled: false; readonly token: string | undefined }

/** Reads the authentication settings from `AGENT_WEBKIT_TOKEN` and `AGENT_WEBKIT_NO_AUTH`. */
export function readAuth(environment: Readonly<Record<string, string | undefined>>): Auth {
  const token = environment.AGENT_WEBKIT_TOKEN
  if (environment.AGENT_WEBKIT_NO_AUTH === '1' || !token) return { disabled: true }
  return { disabled: false, token }
}
