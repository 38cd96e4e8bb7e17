/** Timestamps that two processes of one machine can compare. */

const MARK = /@(\d+\.\d+)@/g

/** Milliseconds since the epoch, with fractions. */
export const nowMs = (): number => performance.timeOrigin + performance.now()

export const stamp = (): string => `@${nowMs().toFixed(3)}@`

/** A recorded frame with the current time as its send time. */
export const restamped = (frame: string): string => frame.replace(MARK, stamp)

/** The delays of all stamps in a text, in milliseconds. */
export function travelled(text: string): readonly number[] {
  const arrivedMs = nowMs()
  return [...text.matchAll(MARK)].map(([, sentMs]) => arrivedMs - Number(sentMs))
}
