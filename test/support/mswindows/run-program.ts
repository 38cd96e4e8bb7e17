import { spawn } from 'node:child_process'

export interface RunOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Ends the program after this many milliseconds. Ten minutes by default. */
  readonly limitMs?: number
}

const DEFAULT_LIMIT_MS = 600_000
/** The end of the output that an error repeats. */
const MAX_REPORTED_LENGTH = 1500

/** Runs a program and returns its standard output. Throws with the end of its output when it fails or takes too long. */
export function runProgram(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { cwd, env = process.env, limitMs = DEFAULT_LIMIT_MS } = options
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let all = ''
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      child.kill('SIGKILL')
    }, limitMs)
    const collect = (piece: string) => {
      all = (all + piece).slice(-MAX_REPORTED_LENGTH)
    }
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      stdout += piece
      collect(piece)
    })
    child.stderr.setEncoding('utf8').on('data', collect)
    const fail = (why: string) => reject(new Error(`${program} ${args.join(' ')}: ${why}\n${all.trim()}`))
    child.on('error', (error) => {
      clearTimeout(timer)
      fail(error.message)
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (isLate) fail(`not finished after ${limitMs} ms`)
      else if (code === 0) resolve(stdout)
      else fail(`exit code ${code ?? signal}`)
    })
  })
}
