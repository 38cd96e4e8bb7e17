import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { encodePng } from '../paint/png/encode.ts'
import { densityOf, formatDensity } from './density.ts'

// Rules such as [LI18] are stated in paint/lint/README.md.

const folder = mkdtempSync(join(tmpdir(), 'backlot-density-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('[LI18] of a gallery scenario is what the documentation shows', async () => {
  const page = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8')
  const [, shown = ''] = /<!-- lint density -->\n```text\n([\s\S]*?)\n```/.exec(page) ?? []
  expect(formatDensity(await densityOf('inbox', { variant: { style: 'gnome' } }))).toBe(shown)
})

it('[LI18] of a PNG file is measured with a kind, which its name or the user says', async () => {
  const file = join(folder, 'shot.png')
  writeFileSync(file, encodePng(64, 64, new Uint32Array(64 * 64).fill(0xffffffff)))
  await expect(densityOf(file)).rejects.toThrow('choose one with --kind: mail, calendar,')
  const { kind, programs, measures } = await densityOf(file, { kind: 'settings' })
  expect([kind, programs]).toEqual(['settings', ['MATE control centre 1.26']])
  expect(measures.map(({ measure, here, verdict }) => [measure, here, verdict])).toEqual([
    ['flat8', 100, 'alike'],
    ['flat32', 100, 'alike'],
    ['edges', 0, 'low'],
    ['colours', 1, 'low'],
    ['saturated', 0, 'low'],
  ])
  await expect(densityOf(join(folder, 'none.png'), { kind: 'mail' })).rejects.toThrow('cannot read')
})
