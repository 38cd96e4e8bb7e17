let turn: Promise<void> | undefined

/**
 * Resolves when all requests at hand have been read. Those that came in together are then worked on together, which takes
 * a quarter of the time: between the system calls of reading and answering, what the processor knows of the code is lost.
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
