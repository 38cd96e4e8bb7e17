import { spawn } from 'node:child_process'
import { endGroup, killOnExit, waitForExit } from '../servers/processes.ts'
import { fail } from './failure.ts'
import { type FrameRecorder, shorten } from './frame.ts'

/** What one call of a command line left behind. */
export interface CommandRun {
  readonly words: readonly string[]
  stdout: string
  exit: number | null
}

/** Calls a command line with words, as a shell does, and waits for its end. */
export type RunCommand = (command: string, words: readonly string[], recorder: FrameRecorder) => Promise<CommandRun>

const PATIENCE_MS = 20_000
const MAX_OUTPUT = 10_000_000

/** A word as a shell reads it back. */
export const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** Fails for a command that has not ended at the deadline, and ends it with its child processes. */
export async function runCommand(
  command: string,
  words: readonly string[],
  recorder: FrameRecorder,
  deadline: AbortSignal = AbortSignal.timeout(PATIENCE_MS),
): Promise<CommandRun> {
  const line = [command, ...words.map(quoteWord)].join(' ')
  recorder.add({ direction: 'sent', channel: 'process', title: words[0] ?? '(no words)', text: shorten(line) })
  const startedAt = performance.now()
  const child = spawn(line, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  killOnExit(child)
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout = (stdout + text).slice(0, MAX_OUTPUT)
  })
  // Logs are for people. A pipe that nobody reads would stop the program.
  child.stderr.resume()
  let ending: Promise<void> | undefined
  const end = () => {
    if (child.pid !== undefined) ending = endGroup(child.pid)
  }
  deadline.addEventListener('abort', end, { once: true })
  const exit = await waitForExit(child)
  deadline.removeEventListener('abort', end)
  const tookMs = performance.now() - startedAt
  recorder.add({ direction: 'received', channel: 'process', title: `exit code ${exit}`, text: shorten(stdout), tookMs })
  await ending
  if (ending) fail(`${line} did not end within ${PATIENCE_MS / 1000} s`)
  if (exit === null) fail(`${line} was ended by a signal`)
  return { words, stdout, exit }
}
