import { Fault } from '../base/fault.ts'
import type { EnvironmentVariables } from '../base/host.ts'

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
