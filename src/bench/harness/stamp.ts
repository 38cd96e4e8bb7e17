/** Stamps of time that two processes of one machine can compare. */

const MARK = /@(\d+\.\d+)@/g

/** Milliseconds since the epoch, with fractions. */
export const nowMs = (): number => performance.timeOrigin + performance.now()

export const stamp = (): string => `@${nowMs().toFixed(3)}@`

/** A recorded frame that says that it is sent now. */
export const restamped = (frame: string): string => frame.replace(MARK, stamp)

/** How long each of the stamps in a text has travelled, in ms. */
export function travelled(text: string): readonly number[] {
  const arrivedMs = nowMs()
  return [...text.matchAll(MARK)].map(([, sentMs]) => arrivedMs - Number(sentMs))
}
