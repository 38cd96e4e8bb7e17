import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { validateScenario } from './preview.ts'

// Rules such as [W6] are stated in scenario/SPEC.md.

const folder = mkdtempSync(join(tmpdir(), 'backlot-studio-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('validateScenario', () => {
  it.each([...readdirSync('scenarios')])('[W6] reports no warning for %s', async (file) => {
    expect(await validateScenario(join('scenarios', file))).toMatchObject({ ok: true, warnings: [] })
  })

  it('[W1] accepts a file with warnings and reports the line of each', async () => {
    const file = join(folder, 'odd.yaml')
    writeFileSync(file, 'states:\n  only:\n    windows:\n      - tree: {role: Windw, name: App}\n')
    const { ok, text, warnings } = await validateScenario(file)
    expect({ ok, text }).toEqual({ ok: true, text: `${file}: ok (scenario, 1 state, 1 warning)` })
    expect(warnings).toEqual([
      `${file}:4:22: warning: states.only.windows[0].tree.role: the role "Windw" has neither a look nor behaviour; did you mean "Window"?
4 |       - tree: {role: Windw, name: App}
  |                      ^^^^^`,
    ])
  })
})
