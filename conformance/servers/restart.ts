import { type ServerProcess, startCommand, waitUntilAnswering } from './processes.ts'

/** Restarts the server under test after a loss. */
export interface Restarter {
  restart(): Promise<void>
  /** Stops the server if this restarter started it. */
  close(): Promise<void>
}

const START_MS = 30_000

/** Restarts by a command, with `{port}` replaced by the port of the address. Without a command, restart rejects. */
export function createRestarter(command: string | undefined, url: string | undefined): Restarter {
  let server: ServerProcess | undefined
  return {
    restart: async () => {
      if (command === undefined || url === undefined) throw new Error('the profile has no start command')
      await server?.stop()
      const { port, protocol } = new URL(url)
      server = startCommand(command.replaceAll('{port}', port || (protocol === 'https:' ? '443' : '80')))
      if (!(await waitUntilAnswering(url, server, START_MS)))
        throw new Error(`the server does not answer: ${server.stderr}`)
    },
    close: async () => void (await server?.stop()),
  }
}
