import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { testCommand } from '../cli/commands/test.ts'
import { walk } from '../desktop/model/element.ts'
import { centerOf } from '../desktop/model/geometry.ts'
import { parseScenario } from '../scenario/load/load.ts'
import { variantsOf } from '../scenario/seeds.ts'
import { AXES } from '../scenario/variants/axes.ts'
import { openDesktop, type TestDesktop } from '../testing.ts'
import { galleryNames } from './gallery.ts'
import { loadScenario } from './preview.ts'
import { createTestbed } from './testbed.ts'
import { proveVariants, type VariantFailure } from './variants.ts'
import { verifyScenario } from './verify/verify.ts'

const FORM = `
name: form
task: Save the form.
states:
  open:
    windows:
      - uid: app
        title: Form
        bounds: {x: 100, y: 80, width: 480, height: 360}
        tree:
          role: Window
          name: Form
          children:
            - {role: ToolBar, name: Tools, children: [{id: save, role: Button, name: Save}, {id: other, role: Button, name: Something}]}
            - {id: box, role: CheckBox, name: Agree}
            - {id: name, role: Edit, name: Name, value: Ada Lovelace}
            - {id: list, role: List, name: Files, children: [{role: ListItem, name: one}, {role: ListItem, name: two}]}
            - {id: status, role: Text, name: Nothing was saved.}
  second:
    windows: [{uid: app, title: Second}, {uid: more, title: More}]
reactions:
  - {on: {tool: click_element, target_id: save}, when: [{id: box, selected: true}], set: [{id: status, name: Done.}]}
solution:
  - {call: click_element, with: {selector: 'CheckBox "Agree"'}}
  - {call: click_element, with: {selector: 'Button "Save"'}}
oracles:
  success: [{kind: text_visible, regex: Done}]
`
const open = (variant?: Record<string, string | number>, seed?: number): TestDesktop =>
  openDesktop({ scenario: FORM, ...(variant && { variant }), ...(seed !== undefined && { seed }) })

const boundsIn = ({ computer }: TestDesktop, id: string, uid = 'app') =>
  [...walk(computer.tree(uid)!)].find((node) => node.id === id)!.bounds
const pictureOf = async ({ computer }: TestDesktop) => computer.screenshot({ screen: true })
const wordsOf = async (desktop: TestDesktop) => ((await pictureOf(desktop)).text ?? []).map(({ text }) => text)
const wordAt = async (desktop: TestDesktop, word: string) =>
  (await pictureOf(desktop)).text?.find(({ text }) => text === word)?.bounds
const solve = async (desktop: TestDesktop) => {
  await desktop.locator('CheckBox[id="box"]').click()
  await desktop.locator('Button[id="save"]').click()
  const { session } = desktop
  return (await desktop.call('session_info')).reward === 1 && session.steps > 0
}
const inside = (inner: { x: number; y: number; width: number; height: number }, outer: typeof inner) => {
  const { x, y } = centerOf(inner)
  return x >= outer.x && y >= outer.y && x < outer.x + outer.width && y < outer.y + outer.height
}

describe('what an agent sees', () => {
  it('[VAR9] other colours, with the same trees', async () => {
    const [plain, dark, high, both] = await Promise.all(
      [{}, { theme: 'dark' }, { contrast: 'high' }, { theme: 'dark', contrast: 'high' }].map(async (variant) => {
        const desktop = open(variant)
        const { width, pixels } = await pictureOf(desktop)
        return {
          tree: desktop.computer.tree('app'),
          corner: [...pixels().subarray(200 * width * 4, 200 * width * 4 + 4)],
        }
      }),
    )
    expect(new Set([plain, dark, high].map((each) => String(each!.corner))).size).toBe(3)
    expect(both!.corner).toEqual(high!.corner)
    expect(dark!.tree).toEqual(plain!.tree)
  })

  it.each([0.75, 1.25, 1.5, 2])('[VAR11] at a scale of %d, trees, pictures and clicks agree', async (scale) => {
    const [plain, scaled] = [open(), open({ scale })]
    const { width, height } = await pictureOf(scaled)
    expect([width, height]).toEqual([1280 * scale, 800 * scale])
    expect(scaled.computer.monitors()[0]).toMatchObject({ bounds: { width: 1280 * scale }, scaleFactor: scale })
    const [before, after] = [boundsIn(plain, 'other'), boundsIn(scaled, 'other')]
    expect(after.width / before.width).toBeCloseTo(scale, 1)
    expect(inside((await wordAt(scaled, 'Something'))!, after)).toBe(true)
    expect(await solve(scaled)).toBe(true)
    const { x, y } = centerOf(boundsIn(scaled, 'box'))
    await scaled.call('click_at', { x, y })
    expect([...walk(scaled.computer.tree('app')!)].find(({ id }) => id === 'box')?.selected).toBe(false)
  })

  it('[VAR12] larger texts in windows of the same size', async () => {
    const [plain, large] = [open(), open({ text_size: 1.25 })]
    expect(large.computer.windows()[0]!.bounds).toEqual(plain.computer.windows()[0]!.bounds)
    expect((await pictureOf(large)).width).toBe(1280)
    const [before, after] = [(await wordAt(plain, 'Something'))!, (await wordAt(large, 'Something'))!]
    expect(after.width / before.width).toBeCloseTo(1.25, 1)
    expect(inside(after, boundsIn(large, 'other'))).toBe(true)
    expect(boundsIn(large, 'save').height / boundsIn(plain, 'save').height).toBeCloseTo(1.25, 1)
    expect(boundsIn(large, 'list').y).toBeGreaterThan(boundsIn(plain, 'list').y)
    expect(await solve(large)).toBe(true)
  })

  it('[VAR14] [VAR20] another resolution and a further monitor', async () => {
    const desktop = open({ resolution: '1920x1080', monitors: 'left' })
    expect(await pictureOf(desktop)).toMatchObject({ width: 1920, height: 1080 })
    const { monitors } = await desktop.call('get_monitors')
    expect(monitors).toHaveLength(2)
    expect(JSON.stringify(monitors)).toContain('-1280')
  })

  it('[VAR17] a window in another place, in the tree and in the picture', async () => {
    const [plain, moved] = [open(), open({ window_position: 'bottom-right' })]
    expect(moved.computer.windows()[0]!.bounds).toEqual({ x: 800, y: 400, width: 480, height: 360 })
    const [before, after] = [(await wordAt(plain, 'Something'))!, (await wordAt(moved, 'Something'))!]
    expect([after.x - before.x, after.y - before.y]).toEqual([700, 320])
    expect(await solve(moved)).toBe(true)
  })

  it('[VAR27] longer labels in the tree and in the picture', async () => {
    const desktop = open({ locale: 'pseudo' })
    expect(await wordsOf(desktop)).toEqual(expect.arrayContaining(['Agree ‹lorem›', 'one']))
    expect(boundsIn(desktop, 'save').width).toBeGreaterThan(boundsIn(open(), 'save').width)
    expect(await solve(desktop)).toBe(true)
  })

  it('[VAR28] mirrored windows, with the text of fields as before', async () => {
    const [plain, mirrored] = [open(), open({ locale: 'mirrored' })]
    const [before, after] = [boundsIn(plain, 'save'), boundsIn(mirrored, 'save')]
    expect(after).toEqual({ ...before, x: 1280 - before.x - before.width })
    expect(inside((await wordAt(mirrored, 'Save'))!, after)).toBe(true)
    const field = boundsIn(mirrored, 'name')
    const value = (await wordAt(mirrored, 'Ada Lovelace'))!
    expect(value.x - field.x).toBe((await wordAt(plain, 'Ada Lovelace'))!.x - boundsIn(plain, 'name').x)
    // The same place in the text gets the caret.
    const typed = async (desktop: TestDesktop) => {
      const { x, y } = (await wordAt(desktop, 'Ada Lovelace'))!
      await desktop.call('click_at', { x: x + 30, y: y + 5 })
      await desktop.type('!')
      return [...walk(desktop.computer.tree('app')!)].find(({ id }) => id === 'name')?.value
    }
    expect(await typed(mirrored)).toMatch(/^Ada? ?!/)
    expect(await typed(plain)).toBe([...walk(mirrored.computer.tree('app')!)].find(({ id }) => id === 'name')?.value)
    expect(await solve(mirrored)).toBe(true)
  })

  it('[VAR42] icons instead of names in the picture, but not in the tree', async () => {
    const desktop = open({ icons: 'only' })
    const words = await wordsOf(desktop)
    expect(words).not.toContain('Save')
    expect(words).toContain('Something')
    const save = [...walk(desktop.computer.tree('app')!)].find(({ id }) => id === 'save')
    expect(save).toMatchObject({ name: 'Save', description: 'Save' })
    expect(await solve(desktop)).toBe(true)
  })
})

describe('the session of a variant', () => {
  it('[VAR46] [VAR47] names its variant, and takes another one', async () => {
    const desktop = open({ theme: 'dark' })
    expect(await desktop.call('session_info')).toMatchObject({ variant: { theme: 'dark' } })
    const { info } = await desktop.call('session_reset', { seed: 2 })
    expect(info).toMatchObject({ seed: 2, variant: { theme: 'dark' } })
    await desktop.call('session_reset', { variant: { scale: 2, overlap: 'stacked' } })
    expect(await desktop.call('session_info')).toMatchObject({ variant: { scale: '2', overlap: 'stacked' } })
    expect((await pictureOf(desktop)).width).toBe(2560)
    await desktop.call('session_reset', { variant: {} })
    expect(await desktop.call('session_info')).not.toHaveProperty('variant')
    expect((await pictureOf(desktop)).width).toBe(1280)
    await desktop.call('load_scenario', { yaml: FORM, ...{ variant: { locale: 'mirrored' } } })
    expect(await desktop.call('session_info')).toMatchObject({ variant: { locale: 'mirrored' } })
    const refused = await desktop.tryCall('session_reset', { variant: { them: 'dark' } })
    expect(JSON.stringify(refused)).toContain('did you mean \\"theme\\"?')
  })

  it('[VAR46] replays a trace in its variant', async () => {
    const recorded = open({ window_position: 'random', scale: 1.25 }, 3)
    await recorded.call('trace_start', {})
    await solve(recorded)
    const { path } = await recorded.call('trace_stop')
    const trace = String(recorded.artifacts.get(path))
    expect(JSON.parse(trace.split('\n')[0]!)).toMatchObject({
      scenario: 'form',
      seed: 3,
      variant: { window_position: 'random', scale: '1.25' },
    })
    const replayed = openDesktop({ scenario: FORM, files: { 'trace.jsonl': trace } })
    const { replay_id, total } = await replayed.call('replay_start', { path: 'trace.jsonl', mode: 'verify' })
    for (let step = 0; step < total; step++) await replayed.call('replay_step', { replay_id })
    expect((await replayed.call('replay_status', { replay_id })).divergences).toEqual([])
    expect(replayed.computer.tree('app')).toEqual(recorded.computer.tree('app'))
  })
})

describe('the proof', () => {
  const runsOf = async (text: string, variants: number) => {
    const runs: VariantFailure[] = []
    for await (const run of proveVariants(parseScenario(text), { seeds: [1, 2], variants }))
      runs.push(run as VariantFailure)
    return runs
  }

  it('[VAR48] plays each seed without and with variants', async () => {
    const runs = await runsOf(FORM, 3)
    expect(runs.map(({ failure }) => failure)).toEqual(Array(8).fill(undefined))
    expect(runs.filter(({ variant }) => Object.keys(variant).length === 0).map(({ seed }) => seed)).toEqual([1, 2])
  })

  it('[VAR48] reports the smallest variant that fails', async () => {
    // It relies on the first item.
    const fragile = FORM.replace(
      `  - {call: click_element, with: {selector: 'CheckBox "Agree"'}}`,
      `  - {call: click_element, with: {selector: 'CheckBox "Agree"'}}\n  - {call: assert_state, with: {predicate: [{kind: element_exists, selector: 'List/ListItem[index=0][name="one"]'}]}}`,
    ).replace(
      '{kind: text_visible, regex: Done}',
      `{kind: text_visible, regex: Done}, {kind: element_exists, selector: 'List/ListItem[index=0][name="one"]'}`,
    )
    const failed = (await runsOf(fragile, 12)).filter(({ failure }) => failure !== undefined)
    expect(failed.length).toBeGreaterThan(0)
    for (const run of failed) expect(run.smallest).toEqual({ order: 'shuffled' })
  })

  it('[VAR52] scrolls to what larger texts move out of view', async () => {
    const [run] = await (async () => {
      const runs = []
      for await (const each of proveVariants(await loadScenario('mail'), { variant: { text_size: '1.6' } }))
        runs.push(each)
      return runs
    })()
    expect(run?.failure).toBeUndefined()
  })

  it.each(['mirrored', 'pseudo'])('[VAR52] scrolls sideways, also on a screen that is %s', async (locale) => {
    const wide = `
name: wide
states:
  only:
    windows:
      - uid: app
        bounds: {x: 100, y: 100, width: 300, height: 200}
        tree:
          role: Window
          children:
            - role: Pane
              layout: {arrange: row}
              children: [{role: Button, name: One, width: 200}, {role: Button, name: Two, width: 200}, {id: ok, role: Button, name: OK}]
            - {id: done, role: Text, name: no}
reactions: [{on: {tool: click_element, target_id: ok}, set: [{id: done, name: Done}]}]
solution: [{call: click_element, with: {selector: 'Button "OK"'}}]
oracles: {success: [{kind: text_visible, regex: Done}]}
`
    for await (const run of proveVariants(parseScenario(wide), { variant: { locale } }))
      expect(run.failure).toBeUndefined()
  })

  it('[VAR52] raises a window that another one covers in part', async () => {
    const covered = `
name: desk
states:
  only:
    windows:
      - uid: front
        bounds: {x: 100, y: 100, width: 400, height: 300}
        tree: {role: Window, children: [{id: other, role: Button, name: Other}]}
      - uid: back
        bounds: {x: 600, y: 100, width: 600, height: 300}
        tree: {role: Window, children: [{id: ok, role: Button, name: OK}, {id: done, role: Text, name: no}]}
reactions: [{on: {tool: click_element, target_id: ok}, set: [{id: done, name: Done}]}]
solution: [{call: click_element, with: {window_uid: back, selector: 'Button "OK"'}}]
oracles: {success: [{kind: text_visible, regex: Done, window_uid: back}]}
`
    for await (const run of proveVariants(parseScenario(covered), { variant: { overlap: 'stacked' } }))
      expect(run.failure).toBeUndefined()
  })

  it.each(shareOf(galleryNames()))('[VAR48] the solution of %s holds in variants', async (name) => {
    const scenario = await loadScenario(name)
    const failures: string[] = []
    for await (const run of proveVariants(scenario, { variants: 3 })) if (run.failure) failures.push(run.failure)
    expect(failures).toEqual([])
    expect(variantsOf(scenario, 3)).toHaveLength(3)
  })
})

it('[VAR2] the documentation lists every axis with its values', () => {
  const page = readFileSync(new URL('../../docs/variants.md', import.meta.url), 'utf8')
  const [, after = ''] = page.split('<!-- axes -->\n')
  const [table = ''] = after.split('\n\n')
  const rows = AXES.map(({ name, values, about }) => `| \`${name}\` | ${values} | ${about} |`)
  expect(table.split('\n').slice(2)).toEqual(rows)
})

it('[VAR22] the example of the documentation holds in German and with synonyms', async () => {
  const page = readFileSync(new URL('../../docs/variants.md', import.meta.url), 'utf8')
  const [, text = ''] = /```yaml\n(name: greeting-card\n.*?)```/s.exec(page) ?? []
  const german = openDesktop({ scenario: text, variant: { locale: 'de' } })
  expect(await wordsOf(german)).toEqual(expect.arrayContaining(['Senden', 'Preis: 2,50']))
  expect((await german.call('session_info')).variant_warnings).toBeUndefined()
  for (const variant of [{ locale: 'de' }, { synonyms: 'random' }, { locale: 'pseudo-mirrored' }])
    expect((await verifyScenario(parseScenario(text), { variant }))[0]).toMatchObject({
      name: 'solution',
      passed: true,
    })
})

it('[VAR22] [VAR36] [VAR38] the settings of the gallery hold in German and with synonyms', async () => {
  const scenario = await loadScenario('settings')
  for (const variant of [{ locale: 'de' }, { synonyms: 'random' }]) {
    const runs = []
    for await (const run of proveVariants(scenario, { seeds: [1, 2, 3], variant })) runs.push(run)
    expect(runs.map(({ failure, warnings }) => [failure, warnings])).toEqual(Array(3).fill([undefined, []]))
  }
})

describe('the command line and the server', () => {
  const FRAGILE = FORM.replace(
    '{kind: text_visible, regex: Done}',
    `{kind: text_visible, regex: Done}, {kind: element_exists, selector: 'List/ListItem[index=0][name="one"]'}`,
  )

  it('[VAR48] backlot test reports the smallest variant with the command that repeats it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'variants-'))
    const path = join(folder, 'fragile.yaml')
    writeFileSync(path, FRAGILE)
    const printed: string[] = []
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
    const { exitCode } = process
    try {
      await testCommand().parseAsync([path, '--seeds', '1..2', '--variants', '8'], { from: 'user' })
      expect(process.exitCode).toBe(1)
    } finally {
      process.exitCode = exitCode
      write.mockRestore()
      rmSync(folder, { recursive: true })
    }
    const output = printed.join('')
    expect(output).toContain('order=shuffled: success oracle')
    expect(output).toMatch(/backlot test \S+fragile\.yaml --seed \d --variant order=shuffled\n/)
    expect(output).toMatch(/form +✗ \d+ of 18 runs pass/)
  })

  it('[VAR47] a server gives variants to its sessions', async () => {
    await using testbed = await createTestbed({ scenario: FORM, seed: 5, variants: 2, variant: { theme: 'dark' } })
    const { url } = await testbed.serveRest({ port: 0 })
    const open = async (body: object) => {
      const reply = await fetch(`${url}/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return (await reply.json()) as { variant?: Record<string, string>; error?: { message: string } }
    }
    const [first, second, third] = [await open({}), await open({}), await open({})]
    expect(first.variant?.theme).toBe('dark')
    expect(second.variant).not.toEqual(first.variant)
    expect(third.variant).toEqual(first.variant)
    expect((await open({ variant: { scale: 1.5 } })).variant).toEqual({ scale: '1.5' })
    expect((await open({ variant: { scale: 7 } })).error?.message).toContain('scale=7: expected a number')
  })
})
