import type { HttpCase } from './cases.ts'

/** The beginning of a response to a request, or why none arrived. */
export type FuzzReply = { readonly status: number; readonly text: string } | { readonly failure: string }

const INTERNAL_ERROR = /a bug on our side|internal error/i
/** Operations that may stay open without a response: streams, runs that wait for a client, and films, whose pictures are encoded. */
const MAY_STAY_OPEN = /\/stream$|\/messages?$|\/end_recording$/

/** Describes the failure that a response shows, if it shows one. */
export function findingIn(request: HttpCase, reply: FuzzReply): string | undefined {
  const { operation, method, url, headers, body = '' } = request
  const about = `${operation.protocol} ${method} ${url.slice(0, 120)} ${body.slice(0, 200)}`
  if ('failure' in reply) {
    const mayHang = MAY_STAY_OPEN.test(operation.path) || headers.expect !== undefined || headers.host !== undefined
    return mayHang ? undefined : `no response (${reply.failure}): ${about}`
  }
  const { status, text } = reply
  if (status < 500 || (operation.statuses.includes(status) && !INTERNAL_ERROR.test(text))) return undefined
  return `${status} ${text.slice(0, 300)}: ${about}`
}

/** Short runs end before every cache is full. */
const MIN_REQUESTS = 5000
/** Everything that is kept has a limit, so memory levels off. A leak grows as much in the last third as in the one before. */
const MAX_GROWTH_BYTES = 40e6

/** Whether memory keeps growing, given the bytes in use after each third of a run. */
export function isLeak([first = 0, second = 0, third = 0]: readonly number[], requests: number): boolean {
  const growth = third - second
  return requests >= MIN_REQUESTS && growth > MAX_GROWTH_BYTES && growth >= second - first
}
