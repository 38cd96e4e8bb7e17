import { readFileSync } from 'node:fs'
import { InvalidArgumentError, Option } from 'commander'
import {
  type CertifiedClientProtocol,
  type CertifiedProtocol,
  CLIENT_PROTOCOLS,
  PROTOCOLS,
} from '../../conformance/protocols.ts'

/** Parsers of option values. Each throws `InvalidArgumentError` with the valid values. */

export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('use a whole number, 0 or more')
  return Number(text)
}

/** A seed. Files of results are named after it, so that it has no sign. */
export function seedNumber(text: string): number {
  const seed = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(seed))
    throw new InvalidArgumentError(`use a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`)
  return seed
}

export function positive(text: string): number {
  const number = wholeNumber(text)
  if (number === 0) throw new InvalidArgumentError('use a whole number, 1 or more')
  return number
}

export function portNumber(text: string): number {
  const port = wholeNumber(text)
  if (port > 65_535) throw new InvalidArgumentError('use a port from 0 to 65535')
  return port
}

/** US dollars. */
export function price(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!(value >= 0) || !Number.isFinite(value))
    throw new InvalidArgumentError('use US dollars per million tokens, such as 1.25')
  return value
}

const MAX_SEEDS = 10_000

/** `1..20`, or one seed. */
export function seedRange(text: string): readonly number[] {
  const [first, last = first, ...more] = text.split('..')
  if (first === undefined || last === undefined || more.length > 0)
    throw new InvalidArgumentError('use a range such as 1..20')
  const [from, to] = [seedNumber(first), seedNumber(last)]
  if (to < from) throw new InvalidArgumentError('use a range that ends where it starts, or later')
  if (to - from >= MAX_SEEDS) throw new InvalidArgumentError(`use at most ${MAX_SEEDS} seeds`)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** A protocol that can be certified. */
export function protocolName(text: string): CertifiedProtocol {
  const name = PROTOCOLS.find((known) => known === text)
  if (!name) throw new InvalidArgumentError(`use ${PROTOCOLS.join(', ')}`)
  return name
}

/** A protocol whose clients can be certified. */
export function clientProtocolName(text: string): CertifiedClientProtocol {
  const name = CLIENT_PROTOCOLS.find((known) => known === text)
  if (!name) throw new InvalidArgumentError(`use ${CLIENT_PROTOCOLS.join(', ')}`)
  return name
}

/** An error that the user can fix. The command line prints its message without a stack. */
export class UserError extends Error {}

/** The option with the values that a trace hides. */
export const bindingsOption = (): Option =>
  new Option(
    '--bindings <json>',
    'values that the trace hides, as JSON such as {"4.text": "secret"}, or a file with it; they stay hidden in what is shown',
  ).argParser(readBindings)

function readBindings(given: string): Readonly<Record<string, unknown>> {
  try {
    const text = given.trimStart().startsWith('{') ? given : readFileSync(given, 'utf8')
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw new InvalidArgumentError('use a JSON object such as {"4.text": "secret"}, or a file that holds one')
}

/** An option for a secret, which belongs into its variable: every process of the machine can read a command line. */
export const secretOption = (syntax: string, description: string, variable: string): Option =>
  new Option(syntax, description).argParser(nonEmptySecret).env(variable)

/** Rejects an empty secret, as from an unset variable, because it would let every client in. */
function nonEmptySecret(text: string): string {
  if (text.trim() === '')
    throw new InvalidArgumentError('the secret is empty; give a secret, or omit the option and unset the variable')
  return text
}
