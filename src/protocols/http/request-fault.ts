import type { FastifyRequest } from 'fastify'
import { Fault } from '../../base/fault.ts'

/** Converts anything thrown while a server handles a request. Fastify's own errors about a request are the caller's mistakes. */
export function requestFault(thrown: unknown, { routeOptions }: FastifyRequest): Fault {
  const status = (thrown as { readonly statusCode?: unknown } | null)?.statusCode
  if (thrown instanceof Fault || typeof status !== 'number' || status < 400 || status > 499) return Fault.from(thrown)
  if (status !== 413) return new Fault('BadRequest', (thrown as Error).message)
  return new Fault('TooLarge', `the body is larger than ${routeOptions.bodyLimit} bytes`)
}
