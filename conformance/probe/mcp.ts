import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { endGroup, killOnExit } from '../servers/processes.ts'
import { fail, withTimeout } from './failure.ts'
import { type FrameRecorder, quoteMessage, shorten } from './frame.ts'

/** A JSON-RPC response as received. */
export interface McpResponse {
  readonly id: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** A raw client of a Model Context Protocol server on stdin and stdout, line by line. */
export interface McpClient {
  /** Lines on stdout that are not JSON-RPC. */
  readonly noise: readonly string[]
  request(method: string, params?: unknown): Promise<McpResponse>
  notify(method: string, params?: unknown): void
  /** Sends a line as it is. */
  sendRaw(line: string): void
  /** The next message without an awaited id, such as the error for a line that does not parse. */
  nextUnsolicited(timeoutMs?: number): Promise<McpResponse>
  /** Lets what follows be recorded elsewhere, when several checks share the session. */
  recordTo(recorder: FrameRecorder): void
  /** The exit code of the process, once it has ended. */
  readonly exited: Promise<number | null>
  /** How the process ended, if it has. */
  readonly ended: string | undefined
  /** Closes stdin; the exit code of the process. */
  end(timeoutMs?: number): Promise<number | null>
  /** Ends the process. */
  close(): Promise<void>
}

const PATIENCE_MS = 20_000

/** Starts `command` through the shell and waits until it is running. */
export async function openMcpClient(command: string, recorder: FrameRecorder): Promise<McpClient> {
  const child = spawn(command, { shell: true, stdio: 'pipe', detached: true })
  killOnExit(child)
  await withTimeout(
    PATIENCE_MS,
    new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    }),
    `"${command}" to start`,
  )
  return converse(child, recorder)
}

function converse(child: ChildProcessWithoutNullStreams, first: FrameRecorder): McpClient {
  let recorder = first
  const noise: string[] = []
  const answers = new Map<number, (answer: McpResponse) => void>()
  const unasked: McpResponse[] = []
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
      text: quoteMessage(line),
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
      return `it exited with ${signalCode ?? exitCode}, with the output: ${shorten(said() || '(none)', 500)}`
    },
    recordTo: (next) => {
      recorder = next
    },
    request: async (method, params) => {
      const id = nextId++
      const answer = new Promise<McpResponse>((resolve) => answers.set(id, resolve))
      write(method, JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) }))
      const gone = exited.then((code): never =>
        fail(
          `it exited with ${code} before it answered ${method}, with the output: ${shorten(said() || '(none)', 500)}`,
        ),
      )
      return withTimeout(PATIENCE_MS, Promise.race([answer, gone]), `the answer to ${method}`)
    },
    notify: (method, params) =>
      write(method, JSON.stringify({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) })),
    sendRaw: (line) => write('raw', line, true),
    nextUnsolicited: (timeoutMs = 3000) => {
      const next = new Promise<McpResponse>((resolve) => {
        wake = () => {
          const message = unasked.shift()
          if (message) resolve(message)
        }
        wake()
      })
      return withTimeout(timeoutMs, next, 'a message that answers no request')
    },
    end: (timeoutMs = 10_000) => {
      child.stdin.end()
      return withTimeout(timeoutMs, exited, 'the process to end after stdin closed')
    },
    close: async () => {
      if (child.pid !== undefined) await endGroup(child.pid)
    },
  }
}

function readLine(line: string): McpResponse | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'jsonrpc' in value
      ? (value as unknown as McpResponse)
      : undefined
  } catch {
    return undefined
  }
}
