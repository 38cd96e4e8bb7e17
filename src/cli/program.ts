import { quoted } from '../base/strings.ts'
import { PACKAGE } from '../compose/package.ts'

/** The shell command that runs this program from any folder. */
export function program(): string {
  const [, file = ''] = process.argv
  return file.endsWith('.ts') ? `npm run --silent --prefix ${quoted(PACKAGE)} backlot --` : `node ${quoted(file)}`
}

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

/** A duration in words, rounded up: seconds, minutes, then hours. */
export function timeLeftText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`
}
