import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fromPng } from '../paint/picture.ts'
import { galleryNames } from './gallery.ts'
import { render, renderFilm, validateScenario } from './preview.ts'

// Rules such as [SC71] are stated in scenario/SPEC.md.

const folder = mkdtempSync(join(tmpdir(), 'backlot-studio-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('validateScenario', () => {
  it.each(galleryNames())('[SC71] reports no warning for %s', async (name) => {
    expect(await validateScenario(name)).toMatchObject({ ok: true, warnings: [] })
  })

  it('[SC61] accepts a file with warnings and reports the line of each', async () => {
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

describe('rendering a solution', () => {
  it('renders the screen after a number of steps', async () => {
    expect((await render('login', { after: 0 })).prose()).toBe((await render('login')).prose())
    const last = await render('login', { after: 4 })
    expect(last.prose()).not.toBe((await render('login', { after: 3 })).prose())
    await expect(render('login', { after: 99 })).rejects.toThrow(/^the solution has \d+ steps; there is no step 99$/)
  })

  it('films the start and each step', async () => {
    const frames: { name: string; width: number }[] = []
    for await (const { number, tool, png } of renderFilm('login'))
      frames.push({ name: `${number} ${tool}`, width: fromPng(png).width })
    expect(frames[0]).toEqual({ name: '0 start', width: 1280 })
    expect(frames[1]?.name).toMatch(/^1 (click_element|type_text|set_value)$/)
    const { png } = await (await render('login', { after: frames.length - 1 })).png()
    expect(fromPng(png).width).toBe(1280)
  })
})
