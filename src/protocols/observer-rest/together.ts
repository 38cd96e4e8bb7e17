let turn: Promise<void> | undefined

/**
 * Resolves when what came in together has all been read. Requests that wait for it are then worked on side by side,
 * which takes less than one after another would: what they have in common stays in the processor's caches.
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
