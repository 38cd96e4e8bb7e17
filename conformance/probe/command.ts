import { spawn } from 'node:child_process'
import { fail } from './failure.ts'
import { type Recorder, shorten } from './frame.ts'

/** What one call of a command line left behind. */
export interface CommandRun {
  readonly words: readonly string[]
  stdout: string
  exit: number | null
}

/** Calls a command line with words, as a shell does, and waits for its end. */
export type RunCommand = (command: string, words: readonly string[], recorder: Recorder) => Promise<CommandRun>

const PATIENCE_MS = 20_000
const MAX_OUTPUT = 10_000_000

const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

export const runCommand: RunCommand = async (command, words, recorder) => {
  const line = [command, ...words.map(quote)].join(' ')
  recorder.add({ direction: 'sent', channel: 'process', title: words[0] ?? '(no words)', text: shorten(line) })
  const startedAt = performance.now()
  const child = spawn(line, { shell: true, stdio: ['ignore', 'pipe', 'pipe'], timeout: PATIENCE_MS })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout = (stdout + text).slice(0, MAX_OUTPUT)
  })
  // Logs are for people. A pipe that nobody reads would stop the program.
  child.stderr.resume()
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const tookMs = performance.now() - startedAt
  recorder.add({ direction: 'received', channel: 'process', title: `exit code ${exit}`, text: shorten(stdout), tookMs })
  if (exit === null) fail(`${line} did not end within ${PATIENCE_MS / 1000} s`)
  return { words, stdout, exit }
}
