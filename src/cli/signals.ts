/** The signals that end this program cleanly, with its exit codes. */
const EXIT_CODES = { SIGINT: 0, SIGTERM: 143, SIGHUP: 129 } as const
type TerminationSignal = keyof typeof EXIT_CODES

/** Resolves on the first signal that ends the program: Ctrl-C, `kill`, or a closed terminal. */
export const waitForSignal = (): Promise<TerminationSignal> =>
  new Promise((resolve) => {
    for (const name of Object.keys(EXIT_CODES) as TerminationSignal[]) process.once(name, () => resolve(name))
  })

/** The exit code after a signal; 0 without one. */
export const exitCodeFor = (name: TerminationSignal | undefined): number => (name === undefined ? 0 : EXIT_CODES[name])
