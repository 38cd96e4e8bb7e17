import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isIncludedFile, validateScenario } from './preview.ts'

const WHOLE = (path: string) => `include: ${path}
states: {start: {windows: [{uid: app, title: App, tree: {role: Window, children: [{use: row, with: {label: Save}}]}}]}}
`
const PART = (element: string) => `components:\n  row: {params: {label: text}, element: ${element}}\n`

/** Files in a new folder, by their paths. */
function folderWith(files: Readonly<Record<string, string>>): (path: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-parts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'parts'))
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  return (path) => relative('.', join(folder, path))
}

describe('[ED17] a file that scenarios include', () => {
  it('is recognised by the schema that it names, or by having such sections only and no states', () => {
    const line = (name: string) => `# yaml-language-server: $schema=../${name}\n`
    expect(isIncludedFile(`${line('scenario-include.schema.json')}states: {}\n`)).toBe(true)
    expect(isIncludedFile(`${line('scenario.schema.json')}components: {}\n`)).toBe(false)
    expect(isIncludedFile(PART('{role: Row}'))).toBe(true)
    expect(isIncludedFile(`name: x\n${PART('{role: Row}')}`)).toBe(false)
    expect(isIncludedFile(WHOLE('a.yaml'))).toBe(false)
    expect(isIncludedFile('')).toBe(false)
  })

  it('is checked with each scenario that includes it, also by way of another file', async () => {
    const path = folderWith({
      'main.yaml': WHOLE('parts/all.yaml'),
      'other.yaml': 'states: {start: null}\n',
      'parts/all.yaml': 'include: rows.yaml\n',
      'parts/rows.yaml': PART('{role: Button, name: "{{ label }}"}'),
    })
    const { ok, text } = await validateScenario(path('parts/rows.yaml'))
    expect({ ok, text }).toEqual({
      ok: true,
      text: `${path('parts/rows.yaml')}: included by 1 scenario\n${path('main.yaml')}: ok (scenario, 1 state)`,
    })
  })

  it('has its problems reported with its own lines', async () => {
    const path = folderWith({
      'main.yaml': WHOLE('parts/rows.yaml'),
      'parts/rows.yaml': PART('{role: Button, nmae: Save}'),
    })
    const { ok, text } = await validateScenario(path('parts/rows.yaml'))
    expect([ok, text]).toEqual([
      false,
      expect.stringMatching(/parts\/rows\.yaml:2:\d+: .*unknown key "nmae"; did you mean "name"\?/),
    ])
  })

  it('is an error when no scenario includes it', async () => {
    const path = folderWith({ 'main.yaml': 'states: {start: null}\n', 'parts/rows.yaml': PART('{role: Button}') })
    const { ok, text } = await validateScenario(path('parts/rows.yaml'))
    expect([ok, text]).toEqual([
      false,
      expect.stringContaining('no scenario in its folder or the two above includes it'),
    ])
  })
})
