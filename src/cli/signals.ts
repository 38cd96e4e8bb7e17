/** The signals that end this program in good order, and what it exits with then. */
const EXIT_CODES = { SIGINT: 0, SIGTERM: 143, SIGHUP: 129 } as const
type TerminationSignal = keyof typeof EXIT_CODES

/** Comes true when somebody wants this program to end, by Ctrl-C, by a kill or by closing its terminal. */
export const waitForSignal = (): Promise<TerminationSignal> =>
  new Promise((done) => {
    for (const name of Object.keys(EXIT_CODES) as TerminationSignal[]) process.once(name, () => done(name))
  })

/** The exit code of a program that was ended so. */
export const exitCodeFor = (name: TerminationSignal | undefined): number => (name === undefined ? 0 : EXIT_CODES[name])
