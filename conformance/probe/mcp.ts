import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { endWithProgram, stopGroup } from '../servers/processes.ts'
import { fail, within } from './failure.ts'
import { type Recorder, shorten } from './frame.ts'

/** A JSON-RPC answer as it came. */
export interface McpAnswer {
  readonly id: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** A Model Context Protocol server on stdin and stdout, spoken to line by line so that nothing is smoothed over. */
export interface Mcp {
  /** Lines on stdout that are not JSON-RPC. */
  readonly noise: readonly string[]
  request(method: string, params?: unknown): Promise<McpAnswer>
  notify(method: string, params?: unknown): void
  /** Sends a line as it is. */
  sendRaw(line: string): void
  /** The next message without an awaited id, such as the error for a line that does not parse. */
  unasked(timeoutMs?: number): Promise<McpAnswer>
  /** Lets what follows be recorded elsewhere, when several checks share the session. */
  recordTo(recorder: Recorder): void
  /** The exit code of the process, once it has ended. */
  readonly exited: Promise<number | null>
  /** How the process ended, if it has. */
  readonly ended: string | undefined
  /** Closes stdin; the exit code of the process. */
  end(timeoutMs?: number): Promise<number | null>
  close(): void
}

const PATIENCE_MS = 20_000

/** Starts `command` through the shell and waits until it is running. */
export async function openMcp(command: string, recorder: Recorder): Promise<Mcp> {
  const child = spawn(command, { shell: true, stdio: 'pipe', detached: true })
  endWithProgram(child)
  await within(
    PATIENCE_MS,
    new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    }),
    `"${command}" to start`,
  )
  return converse(child, recorder)
}

function converse(child: ChildProcessWithoutNullStreams, first: Recorder): Mcp {
  let recorder = first
  const noise: string[] = []
  const answers = new Map<number, (answer: McpAnswer) => void>()
  const unasked: McpAnswer[] = []
  const complaints: string[] = []
  let wake = () => {}
  let buffered = ''
  let nextId = 1

  const receive = (line: string) => {
    const message = readLine(line)
    recorder.add({
      direction: 'received',
      channel: 'mcp',
      title: message ? `answer ${String(message.id)}` : 'noise',
      text: shorten(line),
    })
    if (!message) return void noise.push(line)
    const waiting = typeof message.id === 'number' ? answers.get(message.id) : undefined
    if (waiting) return waiting(message)
    unasked.push(message)
    wake()
  }
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    const lines = (buffered + text).split('\n')
    buffered = lines.pop()!
    for (const line of lines) if (line.trim() !== '') receive(line)
  })
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => complaints.push(text))
  child.stdin.on('error', () => undefined)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))

  const said = () => [...complaints, ...noise].join('').trim()
  const write = (title: string, line: string, deliberate = false) => {
    recorder.add({ direction: 'sent', channel: 'mcp', title, text: shorten(line), ...(deliberate && { deliberate }) })
    child.stdin.write(`${line}\n`)
  }

  return {
    noise,
    exited,
    get ended() {
      const { exitCode, signalCode } = child
      if (exitCode === null && signalCode === null) return undefined
      return `it ended with ${signalCode ?? exitCode}, and said: ${shorten(said() || 'nothing', 500)}`
    },
    recordTo: (next) => {
      recorder = next
    },
    request: async (method, params) => {
      const id = nextId++
      const answer = new Promise<McpAnswer>((resolve) => answers.set(id, resolve))
      write(method, JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) }))
      const gone = exited.then((code): never =>
        fail(`it ended with ${code} before it answered ${method}, and said: ${shorten(said() || 'nothing', 500)}`),
      )
      return within(PATIENCE_MS, Promise.race([answer, gone]), `the answer to ${method}`)
    },
    notify: (method, params) =>
      write(method, JSON.stringify({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) })),
    sendRaw: (line) => write('raw', line, true),
    unasked: (timeoutMs = 3000) => {
      const next = new Promise<McpAnswer>((resolve) => {
        wake = () => {
          const message = unasked.shift()
          if (message) resolve(message)
        }
        wake()
      })
      return within(timeoutMs, next, 'a message that answers no request')
    },
    end: (timeoutMs = 10_000) => {
      child.stdin.end()
      return within(timeoutMs, exited, 'the process to end after stdin closed')
    },
    close: () => {
      if (child.exitCode === null && child.pid !== undefined) stopGroup(child.pid)
    },
  }
}

function readLine(line: string): McpAnswer | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'jsonrpc' in value
      ? (value as unknown as McpAnswer)
      : undefined
  } catch {
    return undefined
  }
}
