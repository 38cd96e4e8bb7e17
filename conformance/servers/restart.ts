import { type ServerProcess, startCommand, waitUntilAnswering } from './processes.ts'

/** Starts the server under test again after it was lost. */
export interface Restarter {
  restart(): Promise<void>
  /** Ends the server if it was started here. */
  close(): Promise<void>
}

const START_MS = 30_000

/** Restarts by a command, in which `{port}` stands for the port of the address; without one a restart is refused. */
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
