import { spawn } from 'node:child_process'
import { quoteWord } from '../probe/command.ts'
import { endGroup, killOnExit, waitForExit } from '../servers/processes.ts'

/** The arguments of a client for one conversation. */
export interface ClientArguments {
  /** The address of the server; for an MCP client, the command line that starts the server. */
  readonly url: string
  readonly token: string
  /** The message for the agent, or the agent's goal. */
  readonly text: string
  /** The name of the flow, for clients that behave differently in one, for example by interrupting. */
  readonly flow: string
}

/** How a client ended. */
export interface ClientExit {
  /** 0 on success; undefined when unknown. */
  readonly code: number | undefined
  /** The end of its output. */
  readonly output: string
}

/** A client that was started. */
export interface RunningClient {
  readonly exit: Promise<ClientExit>
  /** Stops it and its child processes. */
  stop(): Promise<void>
}

/** Starts the client under test for one conversation. */
export type Driver = (given: ClientArguments) => RunningClient

const MAX_OUTPUT_LENGTH = 2000

/**
 * Starts a shell command once per conversation. `{url}`, `{token}`, `{text}` and `{flow}` are replaced by its
 * arguments, which are also in the environment as `BACKLOT_URL` and so on.
 */
export function commandDriver(command: string): Driver {
  return (given) => {
    const child = spawn(fillPlaceholders(command, given), {
      shell: true,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment(given) },
    })
    let output = ''
    const keep = (text: string) => {
      output = (output + text).slice(-MAX_OUTPUT_LENGTH)
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    killOnExit(child)
    const exit = waitForExit(child).then((code): ClientExit => ({ code: code ?? 1, output: output.trim() }))
    return {
      exit,
      stop: async () => {
        if (child.pid !== undefined) await endGroup(child.pid, 0)
        await exit
      },
    }
  }
}

/** A client that is a function of this process; it rejects where a program would exit with an error. */
export type ClientFunction = (given: ClientArguments, signal: AbortSignal) => Promise<void>

/** Runs a function once per conversation. The signal aborts when the conversation is over. */
export function functionDriver(client: ClientFunction): Driver {
  return (given) => {
    const stopping = new AbortController()
    const exit = client(given, stopping.signal).then(
      (): ClientExit => ({ code: 0, output: '' }),
      (error: unknown): ClientExit => ({ code: 1, output: error instanceof Error ? error.message : String(error) }),
    )
    const stopped = new Promise<void>((resolve) => {
      stopping.signal.addEventListener('abort', () => setTimeout(resolve, STOP_MS).unref())
    })
    return {
      exit,
      stop: async () => {
        stopping.abort()
        await Promise.race([exit, stopped])
      },
    }
  }
}

/** Milliseconds to wait for a function that ignores its abort signal. */
const STOP_MS = 1000

const NAMES = ['url', 'token', 'text', 'flow'] as const

const environment = (given: ClientArguments): Readonly<Record<string, string>> =>
  Object.fromEntries(NAMES.map((name) => [`BACKLOT_${name.toUpperCase()}`, given[name]]))

/** Replaces the placeholders of a command, quoted for the shell, with or without quotes around them. */
export const fillPlaceholders = (command: string, given: ClientArguments): string =>
  command.replace(/(["']?)\{(url|token|text|flow)\}\1/g, (_, _quote, name: (typeof NAMES)[number]) =>
    quoteWord(given[name]),
  )
