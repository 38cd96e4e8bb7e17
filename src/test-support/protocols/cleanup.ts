/** What a test has started and must end. */

const closers: (() => unknown)[] = []

export const onCleanup = (close: () => unknown) => closers.push(close)

/** Ends all of it, the latest first. */
export async function cleanUp(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close()
}
