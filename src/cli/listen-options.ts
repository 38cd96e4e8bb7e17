import { isLoopback } from '../base/host.ts'
import { UserError } from './user-error.ts'

/** The address of a protocol, and whether clients need a secret. */
export interface Listener {
  readonly name: string
  readonly host: string
  /** Whether `--token` sets its secret. */
  readonly supportsToken: boolean
  readonly requiresToken: boolean
}

/**
 * Refuses listeners that other machines can reach without a token, unless the operator passes `--insecure`. Returns the
 * warning to print in that case.
 */
export function checkListeners(listeners: readonly Listener[], insecure: boolean): string | undefined {
  const open = listeners.find(({ host, requiresToken }) => !isLoopback(host) && !requiresToken)
  if (!open) return undefined
  const { name, host, supportsToken } = open
  const remedy = supportsToken ? 'give --token SECRET, or' : 'it does not support tokens; give'
  if (!insecure)
    throw new UserError(`other machines can reach ${name} on ${host}; ${remedy} --insecure to serve it without a token`)
  return `
  ****************************************************************
  *  WARNING: unauthenticated action API exposed to the network  *
  *  Every client that can reach ${host.padEnd(31)} *
  *  can see this desktop and act on it.                         *
  ****************************************************************
`
}
