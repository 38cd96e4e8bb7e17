import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Config } from '../../src/compose/config.ts'
import { createTestbed, type Testbed } from '../../src/compose/testbed.ts'
import { observerSuite } from './observer.suite.ts'

const FORM = fileURLToPath(new URL('../../fixtures/form.yaml', import.meta.url))

observerSuite('a synthetic desktop', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-e2e-'))
  let served: Testbed | undefined
  return {
    folder,
    open: async (settings) => {
      served = await createTestbed({ scenario: FORM, config: Config.parse(settings), dataFolder: folder })
      return served
    },
    renew: async () => served?.session.computer.simulation?.reset(),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  }
})
