import { spawn } from 'node:child_process'
import { stopGroup } from '../servers/processes.ts'
import type { Sabotage } from './sabotage.ts'

export interface StdioOptions {
  /** Starts the correct server. */
  readonly command: string
  readonly sabotage: Sabotage
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** A process that proxies another and changes its output. */
export interface StdioProxy {
  /** The exit code, once the server has exited. */
  readonly ended: Promise<number>
  stop(): void
}

/** Starts a line proxy on standard input and output. */
export function openStdioProxy({ command, sabotage, input, output }: StdioOptions): StdioProxy {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  const writeLine = (line: string) => void output.write(`${line}\n`)
  const { fromClient, fromServer = inMessages(sabotage.changeMessage) } = sabotage.interceptLines?.(writeLine) ?? {}
  const received = linesOf((line) => fromClient?.(line))
  input.on('data', (bytes: Buffer) => {
    child.stdin.write(bytes)
    received(bytes.toString())
  })
  input.on('end', () => child.stdin.end())
  child.stdin.on('error', () => undefined)
  const outgoing = linesOf((line) => fromServer(line).forEach(writeLine))
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', outgoing)
  return {
    ended: new Promise((resolve) => {
      child.once('error', () => resolve(1))
      child.once('close', (code) => resolve(sabotage.exitCode ?? code ?? 1))
    }),
    stop: () => {
      if (child.exitCode === null && child.pid !== undefined) stopGroup(child.pid)
    },
  }
}

/** Changes the JSON messages of lines; other lines pass unchanged. */
function inMessages(change: Sabotage['changeMessage']): (line: string) => readonly string[] {
  return (line) => {
    if (!change || !line.startsWith('{')) return [line]
    const message = JSON.parse(line)
    change(message)
    return [JSON.stringify(message)]
  }
}

/** Splits chunks of text into lines. */
function linesOf(take: (line: string) => void): (text: string) => void {
  let buffered = ''
  return (text) => {
    const lines = (buffered + text).split('\n')
    buffered = lines.pop()!
    for (const line of lines) if (line.trim() !== '') take(line)
  }
}
