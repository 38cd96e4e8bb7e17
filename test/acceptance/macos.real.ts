import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMacComputer } from '../../src/adapters/macos/macos.ts'
import { Config } from '../../src/compose/config.ts'
import { createTestbed } from '../../src/compose/testbed.ts'
import { buildMacStandIn } from '../support/macos/stand-in.ts'
import { observerSuite } from './observer.suite.ts'

// The observer over HTTP on the stand-in for the libraries of macOS.

observerSuite('a stand-in for a Mac', async () => {
  const standIn = buildMacStandIn()
  const folder = mkdtempSync(join(tmpdir(), 'backlot-mac-'))
  return {
    folder,
    open: (settings) =>
      createTestbed({
        config: Config.parse(settings),
        adapter: 'macos',
        openComputer: async () => openMacComputer(standIn.libraries, async () => standIn.screenshots),
        dataFolder: folder,
      }),
    renew: async () => standIn.reset(),
    close: async () => {
      standIn.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
})
