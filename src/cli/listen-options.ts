import { isLoopback } from '../base/address.ts'
import { UserError } from './user-error.ts'

/** Where a protocol is served, and whether it lets in only those who know a secret. */
export interface Listener {
  readonly name: string
  readonly host: string
  /** Whether `--token` would make it ask. */
  readonly supportsToken: boolean
  readonly requiresToken: boolean
}

/** Beyond this machine a token is needed, unless the operator says otherwise in so many words: what to warn of then. */
export function checkListeners(doors: readonly Listener[], insecure: boolean): string | undefined {
  const open = doors.find(({ host, requiresToken: asksForToken }) => !isLoopback(host) && !asksForToken)
  if (!open) return undefined
  const { name, host, supportsToken: takesToken } = open
  const remedy = takesToken ? 'give --token SECRET, or' : 'it knows no token; give'
  if (!insecure)
    throw new UserError(
      `${name} on ${host} can be reached from other machines; ${remedy} --insecure to serve it to anyone there`,
    )
  return `
  ****************************************************************
  *  WARNING: unauthenticated action API exposed to the network  *
  *  Whoever reaches ${host.padEnd(42)}  *
  *  can see this desktop and act on it.                         *
  ****************************************************************
`
}
