let turn: Promise<void> | undefined

/**
 * Resolves when all that is at hand has come this far. Requests that came in together are read, then worked on, then
 * answered together, which takes half as long as one after another: the code of each part stays in the processor's caches.
 */
export function together(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined
      resolve()
    })
  })
  return turn
}
