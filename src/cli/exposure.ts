import { isLoopback } from '../base/address.ts'
import { Trouble } from './trouble.ts'

/** Where a protocol is served, and whether it lets in only those who know a secret. */
export interface Door {
  readonly name: string
  readonly host: string
  /** Whether `--token` would make it ask. */
  readonly takesToken: boolean
  readonly asksForToken: boolean
}

/** Beyond this machine a token is needed, unless the operator says otherwise in so many words: what to warn of then. */
export function checkExposure(doors: readonly Door[], insecure: boolean): string | undefined {
  const open = doors.find(({ host, asksForToken }) => !isLoopback(host) && !asksForToken)
  if (!open) return undefined
  const { name, host, takesToken } = open
  const remedy = takesToken ? 'give --token SECRET, or' : 'it knows no token; give'
  if (!insecure)
    throw new Trouble(
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
