import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDesktop } from '../testing.ts'
import { verifyTrace } from './verify-trace.ts'

// Rules such as [RC25] are stated in README.md beside this file.

it('[RC25] keeps the run of a test that failed', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'backlot-retain-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const folder = join(parent, 'sign-in')
  let fail = async () => {}
  const desktop = openDesktop({
    scenario: 'login',
    seed: 5,
    variant: { theme: 'dark' },
    retainOnFailure: {
      folder,
      onTestFailed: (keep) => {
        fail = keep
      },
    },
  })
  await desktop.locator('Edit "Username"').fill('alice')
  expect(existsSync(folder)).toBe(false)
  await fail()
  expect(await verifyTrace(folder)).toMatchObject({ divergences: [] })
  const page = readFileSync(join(folder, 'recording.html'), 'utf8')
  expect(page).toContain('"warnings":[]')
  expect(page).toContain('"theme":"dark"')
  expect(page).toContain('"value":"alice"')
  await fail()
})
