import type { ModelDialect } from '../agent/models/dialect.ts'
import { DIALECT_NAMES, type EndpointModelOptions, findDialect } from '../agent/models/model-client.ts'
import { Fault } from '../base/fault.ts'
import type { EnvironmentVariables } from '../base/host.ts'

/** The settings of a model that take precedence over the environment. */
export interface ModelFlags {
  readonly model?: string | undefined
  readonly dialect?: string | undefined
  readonly url?: string | undefined
}

/** The settings of a model behind an endpoint. */
export interface ModelSettings extends EndpointModelOptions {
  readonly dialect: ModelDialect
  readonly baseUrl: string
}

/** Node's `fetch` aborts after this many seconds without a response, regardless of its caller. */
const MAX_SILENCE_S = 300

/**
 * Reads the model that `BACKLOT_MODEL` names, in the dialect of `BACKLOT_MODEL_DIALECT`. Its key and base URL are in the
 * variables of the dialect, such as `OPENAI_API_KEY` and `OPENAI_BASE_URL`. Returns undefined without a model. Throws
 * `BadRequest` for an unknown dialect, for an invalid URL, and for the vendor's own URL without a key.
 */
export function modelSettings(environment: EnvironmentVariables, flags: ModelFlags = {}): ModelSettings | undefined {
  const model = (flags.model ?? environment.BACKLOT_MODEL)?.trim()
  if (!model) return undefined
  const dialect = dialectOf(environment, flags)
  const { keyVariable, urlVariable, defaultUrl } = dialect
  const key = environment[keyVariable]?.trim()
  const baseUrl = (flags.url ?? environment[urlVariable])?.trim() || defaultUrl
  checkBaseUrl(baseUrl, dialect, flags.url === undefined ? urlVariable : '--url')
  if (!key && new URL(baseUrl).hostname === new URL(defaultUrl).hostname)
    throw new Fault(
      'BadRequest',
      `the model needs ${keyVariable}, or ${urlVariable} with the address of an endpoint that asks for no key`,
    )
  if (key && !/^[\x21-\x7e]+$/.test(key))
    throw new Fault('BadRequest', `${keyVariable} has characters that a key cannot have`)
  const timeouts = timeoutsOf(environment)
  return { model, dialect, baseUrl, ...(key && { key }), ...(timeouts && { timeouts }) }
}

function dialectOf(environment: EnvironmentVariables, flags: ModelFlags): ModelDialect {
  const name = (flags.dialect ?? environment.BACKLOT_MODEL_DIALECT)?.trim() || 'openai'
  const dialect = findDialect(name)
  if (dialect) return dialect
  const setting = flags.dialect === undefined ? 'BACKLOT_MODEL_DIALECT' : '--dialect'
  const names = DIALECT_NAMES.join(', ')
  throw new Fault('BadRequest', `${setting} must be one of ${names}, not ${JSON.stringify(name.slice(0, 40))}`)
}

function timeoutsOf(environment: EnvironmentVariables): EndpointModelOptions['timeouts'] {
  const seconds = environment.BACKLOT_MODEL_TIMEOUT_S?.trim()
  if (!seconds) return undefined
  if (!(Number(seconds) >= 1 && Number(seconds) <= MAX_SILENCE_S))
    throw new Fault(
      'BadRequest',
      `BACKLOT_MODEL_TIMEOUT_S must be a number of seconds from 1 to ${MAX_SILENCE_S}, not ${seconds}`,
    )
  const ms = Number(seconds) * 1000
  return { connectMs: ms, firstMs: ms, betweenMs: ms }
}

/** Throws `BadRequest` for an address that cannot take a path and a key. The message does not repeat the address, which may be a key. */
function checkBaseUrl(baseUrl: string, { exampleUrl, keyVariable, pastedPaths }: ModelDialect, setting: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  const complain = (problem: string) =>
    new Fault('BadRequest', `${setting} must be an address such as ${exampleUrl}, ${problem}`)
  if (url?.username || url?.password) throw complain(`without a user and a password; the key goes into ${keyVariable}`)
  if (url?.search || url?.hash) throw complain('without anything after ? or #')
  const pasted = pastedPaths.find((end) => url?.pathname.replace(/\/+$/, '').endsWith(end))
  if (pasted !== undefined) throw complain(`without ${pasted} at its end`)
  if (!url || !/^https?:$/.test(url.protocol)) throw complain('with http or https')
}

/** What a model costs, in US dollars per million tokens. */
export interface ModelPrice {
  readonly inUsd: number
  readonly outUsd: number
}

/** A price that takes precedence over the environment, in US dollars per million tokens. */
export interface PriceFlags {
  readonly priceIn?: number | undefined
  readonly priceOut?: number | undefined
}

/**
 * Reads the price of the model from flags, or from `BACKLOT_MODEL_PRICE_IN` and `BACKLOT_MODEL_PRICE_OUT`. Undefined when the
 * operator gives none. Throws `BadRequest` for one price without the other, and for what is not a price.
 */
export function modelPrice(environment: EnvironmentVariables, flags: PriceFlags = {}): ModelPrice | undefined {
  const inUsd = flags.priceIn ?? priceIn(environment, 'BACKLOT_MODEL_PRICE_IN')
  const outUsd = flags.priceOut ?? priceIn(environment, 'BACKLOT_MODEL_PRICE_OUT')
  if (inUsd === undefined && outUsd === undefined) return undefined
  if (inUsd === undefined || outUsd === undefined) {
    const missing =
      inUsd === undefined ? '--price-in, or BACKLOT_MODEL_PRICE_IN' : '--price-out, or BACKLOT_MODEL_PRICE_OUT'
    throw new Fault('BadRequest', `a cost needs both prices; give ${missing}`)
  }
  return { inUsd, outUsd }
}

function priceIn(environment: EnvironmentVariables, variable: string): number | undefined {
  const text = environment[variable]?.trim()
  if (!text) return undefined
  const price = Number(text)
  if (!(price >= 0) || !Number.isFinite(price))
    throw new Fault('BadRequest', `${variable} must be US dollars per million tokens, such as 1.25, not ${text}`)
  return price
}

const MILLION = 1_000_000

/** The cost of tokens in US dollars. Undefined without a price. */
export const costOf = (
  price: ModelPrice | undefined,
  { inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number },
): number | undefined => price && (inputTokens * price.inUsd + outputTokens * price.outUsd) / MILLION
