import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { openRemoteComputer } from '../../src/adapters/remote/remote.ts'
import { Config } from '../../src/compose/config.ts'
import { createTestbed } from '../../src/compose/testbed.ts'
import { computerSuite } from '../support/adapters/computer.suite.ts'
import { waitUntil } from '../support/linux/test-desktop.ts'
import { endSharedServer, sharedWindowsDesktop } from '../support/mswindows/shared-windows.ts'
import type { ProgramWindow } from '../support/mswindows/windows-desktop.ts'
import { observerSuite } from './observer.suite.ts'

// What every computer passes, on a desktop under Wine. Settings and artifacts are on this side, with the adapter `remote`.

describe('[MS9] a Windows desktop as a computer', () => {
  computerSuite('a Windows desktop', async () => {
    const desktop = await sharedWindowsDesktop()
    await desktop.launchForm()
    const computer = await openRemoteComputer({ url: desktop.url })
    return {
      computer,
      async until(read, good) {
        let last = await read()
        await waitUntil('it is so', async () => {
          last = await read()
          return good(last)
        })
        return last
      },
      async close() {
        await computer.close()
        await desktop.endPrograms()
      },
    }
  })
})

describe('[MS9] a Windows desktop over HTTP', () => {
  observerSuite('a Windows desktop', async () => {
    const desktop = await sharedWindowsDesktop()
    const folder = mkdtempSync(join(tmpdir(), 'backlot-windows-'))
    let form: ProgramWindow | undefined
    return {
      folder,
      open: (settings) =>
        createTestbed({
          config: Config.parse(settings),
          adapter: 'remote',
          remote: { url: desktop.url },
          dataFolder: folder,
          env: {},
        }),
      async renew() {
        await form?.end()
        form = await desktop.launchForm()
      },
      async close() {
        await desktop.endPrograms()
        await endSharedServer()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  })
})
