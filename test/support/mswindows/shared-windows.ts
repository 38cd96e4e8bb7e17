import { inject } from 'vitest'
import { serveWindowsDesktop, type WindowsDesktop } from './windows-desktop.ts'
import { startWindowsMachine, type WindowsMachine } from './windows-machine.ts'

// Vitest runs several test files in each of its processes. They share a Windows machine, whose start takes seconds.

let machine: Promise<WindowsMachine> | undefined
let desktop: Promise<WindowsDesktop> | undefined

/** The Windows machine of this process. It ends with the process. After a failure the next call starts another one. */
export function sharedWindowsMachine(): Promise<WindowsMachine> {
  machine ??= startWindowsMachine(inject('windows')).then(
    (started) => {
      // Vitest ends its processes by this signal, and half a second later by another one that cannot be handled.
      process.once('SIGTERM', () => {
        started.kill()
        process.kill(process.pid, 'SIGKILL')
      })
      return started
    },
    (error) => {
      machine = undefined
      throw error
    },
  )
  return machine
}

/** The server of the desktop of that machine, a new one when it has ended. Ends the programs that earlier tests have left there. */
export async function sharedWindowsDesktop(): Promise<WindowsDesktop> {
  desktop ??= sharedWindowsMachine()
    .then(serveWindowsDesktop)
    .then(
      (started) => {
        void started.ended.then(() => {
          desktop = undefined
        })
        return started
      },
      (error) => {
        desktop = undefined
        throw error
      },
    )
  const shared = await desktop
  await shared.endPrograms()
  return shared
}

/** Ends the server after a test that stopped all input of it. The next test file has a new one on the same machine. */
export async function endSharedServer(): Promise<void> {
  const used = desktop
  desktop = undefined
  await (await used)?.endServer()
}
