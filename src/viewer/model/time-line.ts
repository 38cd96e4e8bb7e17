import type { Moment } from './recording.ts'

/** What the horizontal axis of the time line shows: virtual time, or steps at equal distances. */
export type TimeAxis = 'time' | 'steps'

/** Places of moments on the time line, from 0 at its start to 1 at its end. */
export interface TimeScale {
  readonly axis: TimeAxis
  readonly durationMs: number
  placeOf(moment: number): number
  /** The moment nearest to a place; of several at the same time the last. */
  nearest(place: number): number
  /** The last moment that is not after a place: what the screen showed then. */
  shownAt(place: number): number
}

/**
 * Lays moments out on the time line. Without virtual time that passes, steps are the only axis.
 * @param moments At least one.
 */
export function timeScale(moments: readonly Moment[], axis: TimeAxis): TimeScale {
  const last = moments.length - 1
  // A damaged recording may go back in time; its moments stay in their order.
  let latest = 0
  const times = moments.map(({ atMs }) => (latest = Math.max(latest, atMs)))
  const durationMs = latest
  const used: TimeAxis = durationMs > 0 ? axis : 'steps'
  const whole = used === 'time' ? durationMs : Math.max(1, last)
  const amountAt = (moment: number) => (used === 'time' ? times[moment]! : moment)
  const shownAt = (place: number): number => {
    const amount = place * whole
    let [low, high] = [0, last]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (amountAt(middle) <= amount) low = middle
      else high = middle - 1
    }
    return low
  }
  return {
    axis: used,
    durationMs,
    placeOf: (moment) => amountAt(moment) / whole,
    shownAt,
    nearest(place) {
      const left = shownAt(place)
      if (left === last) return left
      const isRightNearer = amountAt(left + 1) - place * whole < place * whole - amountAt(left)
      return isRightNearer ? shownAt(amountAt(left + 1) / whole) : left
    },
  }
}

/** The moments of the pictures of a film strip, one in the middle of each slot. */
export const stripMoments = ({ shownAt }: TimeScale, slots: number): readonly number[] =>
  Array.from({ length: slots }, (_, slot) => shownAt((slot + 0.5) / slots))

/** Round numbers from 0 to an amount, at most `most` of them besides 0: steps of 1, 2 or 5 times a power of ten. */
export function roundTicks(amount: number, most: number): readonly number[] {
  if (!(amount > 0) || most < 1) return [0]
  const least = amount / most
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= least * (1 - 1e-9)) ?? 10 * power
  return Array.from({ length: Math.floor(amount / step + 1e-9) + 1 }, (_, index) => index * step)
}

/** A duration in words: `850 ms`, `1.25 s`, `2:05`, `1:02:05`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(2))} s`
  const seconds = Math.floor(ms / 1000)
  const two = (amount: number) => String(amount).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** An ISO 8601 time with a space, without fractions of a second: `2026-01-05 09:30:12 UTC`. Other texts stay as they are. */
export function dateText(iso: string): string {
  const [, date, time, zone] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(iso) ?? []
  if (date === undefined) return iso
  return [date, time, zone === 'Z' || zone === '+00:00' ? 'UTC' : zone].filter(Boolean).join(' ')
}

/** The time of day of an ISO 8601 time, as it is written there: `09:30:12.250`. Other texts stay as they are. */
export const timeOfDay = (iso: string): string => /T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(iso)?.[1] ?? iso
