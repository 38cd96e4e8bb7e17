const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Comes true when somebody wants this program to end. */
export const endSignal = (): Promise<NodeJS.Signals> =>
  new Promise((done) => {
    for (const name of SIGNALS) process.once(name, () => done(name))
  })

/** What a program that was ended so exits with. */
export const exitCodeFor = (name: NodeJS.Signals | undefined): number => (name === 'SIGTERM' ? 143 : 0)
