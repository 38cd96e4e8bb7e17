import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readProfile } from '../../conformance/profile.ts'
import { certify } from '../../conformance/run.ts'
import { markOf } from '../../conformance/suite/results.ts'
import { type DeskStage, startDeskStage } from '../support/mswindows/desk-stage.ts'
import { sharedWindowsDesktop } from '../support/mswindows/shared-windows.ts'
import type { WindowsDesktop } from '../support/mswindows/windows-desktop.ts'

// The conformance suite against a Windows desktop under Wine, as a user runs it on this system.

const PROFILE = 'conformance/profiles/windows-desktop.yaml'
const BASELINE = 'conformance/profiles/windows-desktop-baseline.yaml'
const REPORTS = 'reports/certify-windows'
/** Wine answers slowly, and more so on a busy machine. */
const MAX_RUN_MS = 5_400_000

let desktop: WindowsDesktop
let stage: DeskStage | undefined
beforeAll(async () => {
  desktop = await sharedWindowsDesktop()
  stage = await startDeskStage(desktop)
}, 180_000)
afterAll(() => stage?.close())

it('a Windows desktop conforms, except for features of synthetic desktops', { timeout: MAX_RUN_MS }, async () => {
  const { url } = desktop
  const written = readFileSync(PROFILE, 'utf8')
    .replace('http://127.0.0.1:5999/', stage!.url)
    .replaceAll('http://127.0.0.1:5001', url)
  const profile = readProfile(written, 'observer', PROFILE)
  const program = 'node --import tsx src/cli/main.ts'
  const command = `${program} serve --mode mcp --adapter remote --url ${url}`
  const given = { url, command, program, profile, baseline: BASELINE, report: REPORTS, timeLimitMs: MAX_RUN_MS }
  const outcome = await certify({ protocol: 'observer', ...given, progress: process.stderr })
  const wrong = outcome.results.filter((verdict) => ['failed', 'harness'].includes(markOf(verdict)))
  expect(wrong.map(({ id, why }) => `${id}: ${why}`)).toEqual([])
  expect(outcome.conclusion).toMatchObject({ passed: true, stale: [] })
})
