import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { lintScenario } from './lint.ts'

// Rules such as [LI12] are stated in paint/lint/README.md.

const folder = mkdtempSync(join(tmpdir(), 'backlot-lint-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function written(text: string): string {
  const path = join(folder, 'own.yaml')
  writeFileSync(path, text)
  return path
}

const OVERLAP = `states:
  first: &first
    windows:
      - uid: app
        title: App
        bounds: {x: 100, y: 100, width: 400, height: 300}
        tree:
          role: Window
          children:
            - {id: save, role: Button, name: Save, bounds: {x: 120, y: 150, width: 80, height: 30}}
            - {id: copy, role: Button, name: Copy, bounds: {x: 170, y: 160, width: 80, height: 30}}
  second: *first
`

describe('lintScenario', () => {
  it('[LI12] reports each finding once, with its place in the file', async () => {
    const file = written(OVERLAP)
    const { findings } = await lintScenario(file)
    expect(findings.map(({ text }) => text.split('\n')[0])).toEqual([
      `${file}:11:15: overlap: states.first.windows[0].tree.children[1]: Button "Copy" covers Button "Save" by 30 × 20 pixels`,
    ])
  })

  it('[LI13] [LI19] accepts findings that a comment explains', async () => {
    const file = written(
      `# lint-ignore inert copy It is a decoy.\n# lint-ignore overlap copy The buttons are stacked to be tricky.\n${OVERLAP}`,
    )
    expect(await lintScenario(file)).toEqual({ findings: [], ignored: 1 })
  })

  it('[LI14] reports comments that accept nothing or give no reason', async () => {
    const file = written(
      `# lint-ignore overlap save It is tricky.\n# lint-ignore overlap copy\n# lint-ignore nothing * Why not.\n${OVERLAP}`,
    )
    const { findings } = await lintScenario(file)
    expect(findings.map(({ text }) => text)).toEqual([
      `${file}:1:1: unused-ignore: nothing here is ignored: overlap has no finding about "save"`,
      `${file}:2:1: unused-ignore: the reason is missing; write # lint-ignore CODE ELEMENT reason`,
      `${file}:3:1: unused-ignore: there is no rule "nothing"; the rules are overlap, clipped, contrast, name, same-name, cut-text, glyphs, inert`,
    ])
  })

  it('[LI7] reports items whose controls cannot be told apart, at the line of the repeat', async () => {
    const file = written(`vars: {lines: [{id: a, title: Tea}, {id: b, title: Mug}, {id: c, title: Tea}]}
states:
  cart:
    windows:
      - uid: cart
        title: Cart
        bounds: {x: 100, y: 100, width: 500, height: 400}
        tree:
          role: Window
          name: Cart
          children:
            - {role: Text, name: Lines}
            - repeat: lines
              as: line
              id: line
              role: Group
              name: '{{ line.title }}'
              children:
                - {id: remove, role: Button, name: Remove}
`)
    const { findings } = await lintScenario(file)
    expect(findings.map(({ text }) => text.split('\n')[0])).toEqual([
      `${file}:19:19: same-name: states.cart.windows[0].tree.children[1].children[0]: Button "Remove" is in line-a and line-c, which have the same name; give each item a name of its own`,
    ])
  })
})
