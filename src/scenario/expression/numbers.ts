import { Fault } from '../../base/fault.ts'

const MAX_DECIMALS = 12

/** Rounds half away from zero, as people do: 2.345 to two decimals is 2.35. */
export function roundTo(value: number, decimals: number): number {
  const text = fixed(Math.abs(value), decimals)
  return value < 0 ? -Number(text) : Number(text)
}

/** `1234.5` with two decimals is `1,234.50`. */
export function formatNumber(value: number, decimals: number): string {
  const [whole = '', fraction] = fixed(Math.abs(value), decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const isNegative = value < 0 && /[1-9]/.test(whole + (fraction ?? ''))
  return `${isNegative ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}

function fixed(value: number, decimals: number): string {
  if (decimals < 0 || decimals > MAX_DECIMALS)
    throw new Fault('BadRequest', `${decimals} decimals are not possible; expected 0 to ${MAX_DECIMALS}`)
  if (!Number.isFinite(value) || value >= 1e15) throw new Fault('BadRequest', `${value} is too large to be rounded`)
  // The shortest text of the number decides: 1.005 rounds to 1.01, although its binary value lies below.
  const shifted = Number(`${value.toString().includes('e') ? value.toFixed(20) : value}e${decimals}`)
  return (Math.round(shifted) / 10 ** decimals).toFixed(decimals)
}
