/** Cleanup of resources that tests have started. */

const closers: (() => unknown)[] = []

/** Registers a cleanup function. */
export const onCleanup = (close: () => unknown) => closers.push(close)

/** Runs all cleanup functions, latest first. */
export async function cleanUp(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close()
}
