import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { BUNDLED_PROGRAM } from './bundled-program.ts'

/** The folder in which programs start. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

const started: ChildProcess[] = []

/** Ends what is still running of the programs that a test started. */
export function endStarted(): void {
  for (const child of started.splice(0)) child.kill('SIGKILL')
}

/** What a program printed, and its exit code: null after a signal. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts the packaged command line. */
export const startProgram = (
  args: readonly string[],
  stdin: 'ignore' | 'pipe' = 'ignore',
  env: NodeJS.ProcessEnv = {},
) => startProgramIn(ROOT, args, stdin, env)

/** Starts the packaged command line in a folder. */
export function startProgramIn(
  cwd: string,
  args: readonly string[],
  stdin: 'ignore' | 'pipe' = 'ignore',
  env: NodeJS.ProcessEnv = {},
) {
  const stdio: StdioOptions = [stdin, 'pipe', 'pipe']
  const child = spawn(process.execPath, [BUNDLED_PROGRAM, ...args], { cwd, stdio, env: { ...process.env, ...env } })
  started.push(child)
  const output = { stdout: '', stderr: '' }
  child.stdout!.on('data', (chunk) => (output.stdout += String(chunk)))
  child.stderr!.on('data', (chunk) => (output.stderr += String(chunk)))
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...output })))
  /** Waits for words on standard error. */
  const waitForOutput = (words: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => output.stderr.includes(words) && resolve()
      child.stderr!.on('data', look)
      child.once('close', () => reject(new Error(`it ended with ${output.stderr}`)))
      look()
    })
  return { child, ended, waitForOutput, output }
}

/** Runs the packaged command line to its end. */
export const runProgram = (...args: string[]): Promise<Ended> => startProgram(args).ended
