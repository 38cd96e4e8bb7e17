import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openDesktop } from '../testing.ts'
import { includeBelow } from './files-below.ts'
import { validateScenario } from './preview.ts'

const outside = mkdtempSync(join(tmpdir(), 'backlot-include-'))
const folder = join(outside, 'scenarios')
mkdirSync(join(folder, 'parts'), { recursive: true })
writeFileSync(join(outside, 'secret.yaml'), 'components: {}')
writeFileSync(
  join(folder, 'parts', 'label.yaml'),
  'components: {label: {params: {text: text}, element: {role: Text, name: "{{ text }}"}}}',
)
writeFileSync(join(folder, 'parts', 'all.yaml'), 'include: label.yaml')
writeFileSync(
  join(folder, 'main.yaml'),
  'include: parts/all.yaml\nstates: {s: {windows: [{uid: w, tree: {role: Window, children: [{use: label, with: {text: Hello}}]}}]}}',
)
symlinkSync(join(outside, 'secret.yaml'), join(folder, 'link.yaml'))
afterAll(() => rmSync(outside, { recursive: true }))

describe('a scenario file with includes', () => {
  it('[C8c] reads files in its folder and below it', async () => {
    const desktop = openDesktop({ scenario: join(folder, 'main.yaml') })
    await expect(desktop.call('find_element', { selector: 'Text "Hello"' })).resolves.toMatchObject({ ok: true })
    expect((await validateScenario(join(folder, 'main.yaml'))).text).toContain('ok (')
  })

  it.each(['../secret.yaml', 'link.yaml', 'parts/../../secret.yaml'])('[C8c] does not read %s', (path) => {
    expect(includeBelow(join(folder, 'main.yaml'))(path, 'main.yaml')).toEqual({
      message: `${JSON.stringify(path)} is outside the folder of the scenario`,
    })
  })

  it('[C8c] reports a file that is not there', () => {
    expect(includeBelow(join(folder, 'main.yaml'))('none.yaml', 'main.yaml')).toEqual({
      message: '"none.yaml" cannot be read: ENOENT',
    })
  })
})
