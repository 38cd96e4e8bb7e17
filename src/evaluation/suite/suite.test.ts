import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadSuite } from './load-suite.ts'
import { changeSince, manifestOf } from './manifest.ts'
import { episodesOf } from './suite-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-suite-'))
afterAll(() => rmSync(folder, { recursive: true }))

const suiteFile = (text: string, name = 'suite.yaml'): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
const load = (text: string, ...rest: [overrides?: Parameters<typeof loadSuite>[1]]) =>
  loadSuite([suiteFile(text)], ...rest)

const scenario = (name: string) => `
name: ${name}
task: Press OK.
tags: [own]
states:
  start:
    windows:
      - title: Desk
        tree: {role: Window, name: Desk, children: [{id: ok, role: CheckBox, name: OK, selected: false}]}
oracles: {success: [{kind: element_exists, selector: 'CheckBox[name="OK"][selected=true]'}]}
`

describe('[EV10] suites', () => {
  it('list scenarios with seeds, runs, variants and budgets, which options replace', async () => {
    const text = `
suite: basics
version: "3"
seeds: 1..2
budget: {max_steps: 40}
tasks:
  - {scenario: login, tags: [smoke]}
  - {scenario: form, id: form-dark, runs: 2, seeds: [7], variant: {theme: dark}, budget: {time_s: 5}}
`
    const suite = await load(text)
    expect(suite).toMatchObject({ name: 'basics', version: '3' })
    expect(episodesOf(suite.tasks).map(({ id }) => id)).toEqual([
      'login/seed-1/run-1',
      'login/seed-2/run-1',
      'form-dark/seed-7/theme=dark/run-1',
      'form-dark/seed-7/theme=dark/run-2',
    ])
    const [login, form] = suite.tasks
    expect(login).toMatchObject({ tags: ['form', 'smoke'], difficulty: 'easy', budget: { max_steps: 40, time_s: 600 } })
    expect(form!.budget).toEqual({ max_steps: 40, time_s: 5 })
    const styled = await load(text, { variant: { style: 'gnome', theme: 'light' } })
    expect(episodesOf(styled.tasks).map(({ variant }) => variant)).toEqual(
      Array(4).fill({ style: 'gnome', theme: 'light' }),
    )
    expect(styled.tasks.map(({ hash }) => hash)).not.toEqual(suite.tasks.map(({ hash }) => hash))
    const chosen = await load(text, { seeds: [9], runs: 1, variants: 2, budget: { max_steps: 3 } })
    expect(episodesOf(chosen.tasks).map(({ seed, run }) => [seed, run])).toEqual(Array(6).fill([9, 1]))
    expect(chosen.tasks[1]!.budget).toEqual({ max_steps: 3, time_s: 5 })
  })

  it('read patterns, folders, files and gallery names', async () => {
    for (const name of ['one', 'two', 'two-b']) suiteFile(scenario(name), `${name}.yaml`)
    const pattern = await load(
      'suite: s\nversion: "1"\ntasks:\n  - {scenario: "t*.yaml", exclude: [two-b]}\n  - {scenario: one.yaml}\n',
    )
    expect(pattern.tasks.map(({ id }) => id)).toEqual(['two', 'one'])
    expect((await loadSuite(['login', join(folder, 'one.yaml')])).tasks.map(({ id }) => id)).toEqual(['login', 'one'])
  })

  it('say what is wrong', async () => {
    const suite = (tasks: string) => `suite: s\nversion: "1"\ntasks: ${tasks}\n`
    const wrong: readonly (readonly [text: string, problem: RegExp])[] = [
      [suite('[]'), /is not a valid suite[\s\S]*tasks/],
      [suite('[{scenario: login, sseeds: 1}]'), /sseeds/],
      [suite('[{scenario: login, seeds: 5..1}]'), /5\.\.1 is empty/],
      [suite('[{scenario: login, seeds: 0..99999}]'), /more than 10000 seeds/],
      [suite('[{scenario: login, seeds: [-1]}]'), /whole number from 0 to 9007199254740991/],
      [suite('[{scenario: "nothing*.yaml"}]'), /matches no file/],
      [suite('[{scenario: "*/a.yaml"}]'), /file name only/],
      [suite('[{scenario: loginn}]'), /did you mean "login"/],
      [suite('[{scenario: login, variant: {teme: dark}}]'), /did you mean "theme"/],
      [suite('[{scenario: login, faults: [lost-clik]}]'), /did you mean "lost-click"/],
    ]
    for (const [text, problem] of wrong) await expect(load(text)).rejects.toThrow(problem)
  })
})

describe('[EV11] tasks', () => {
  it('have hashes that follow their texts and settings, and not line ends', async () => {
    const hashOf = async (text: string, overrides = {}) => {
      const [task] = (await loadSuite([suiteFile(text, 'hashed.yaml')], overrides)).tasks
      return task!.hash
    }
    const hash = await hashOf(scenario('hashed'))
    expect(await hashOf(scenario('hashed').replaceAll('\n', '\r\n'))).toBe(hash)
    expect(await hashOf(scenario('hashed').replace('Press OK', 'Tick OK'))).not.toBe(hash)
    expect(await hashOf(scenario('hashed'), { budget: { max_steps: 5 } })).not.toBe(hash)
  })

  it('are refused with equal names', async () => {
    await expect(loadSuite(['login', 'login'])).rejects.toThrow('two tasks are named login')
  })
})

describe('[EV13] a scenario without oracles', () => {
  it('is left out of a folder, and refused by its name', async () => {
    const place = mkdtempSync(join(folder, 'plain-'))
    writeFileSync(join(place, 'plain.yaml'), scenario('plain').replace(/oracles: .*/, ''))
    await expect(loadSuite([place])).rejects.toThrow('has no scenario with oracles')
    writeFileSync(join(place, 'scored.yaml'), scenario('scored'))
    expect((await loadSuite([place])).tasks.map(({ id }) => id)).toEqual(['scored'])
    await expect(loadSuite(['login', join(place, 'plain.yaml')])).rejects.toThrow('has no success oracle')
    const suite = 'suite: s\nversion: "1"\ntasks: [{scenario: plain.yaml}, {scenario: login}]\n'
    writeFileSync(join(place, 'suite.yaml'), suite)
    await expect(loadSuite([join(place, 'suite.yaml')])).rejects.toThrow('has no success oracle')
  })
})

describe('[EV14] an evaluation', () => {
  it('has a bounded number of episodes', async () => {
    await expect(loadSuite(['login'], { runs: 1_000_000_000_000_000 })).rejects.toThrow('at most 200000 are played')
    const text =
      'suite: s\nversion: "1"\nseeds: 0..9999\nruns: 10\ntasks: [{scenario: login}, {scenario: form, variants: 1}]\n'
    await expect(load(text)).rejects.toThrow('has 300000 episodes up to the task form')
  })
})

describe('[EV12] episodes', () => {
  it('have names of their own', async () => {
    const suite = await loadSuite(['login', 'shop'], { seeds: [1, 2], runs: 3, variants: 4 })
    const ids = episodesOf(suite.tasks).map(({ id }) => id)
    expect(ids).toHaveLength(2 * 2 * 3 * 5)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('are played once when a variant is drawn twice', async () => {
    const [task] = (await loadSuite(['login'], { variant: { theme: 'dark' } })).tasks
    const drawn = { ...task!, variantsOf: () => [{}, { theme: 'light' }, { text_size: '2' }, { text_size: '2' }] }
    expect(episodesOf([drawn]).map(({ id }) => id)).toEqual([
      'login/seed-1/theme=dark/run-1',
      'login/seed-1/text_size=2,theme=dark/run-1',
    ])
  })
})

describe('[EV42] the manifest', () => {
  it('tells results that can be continued from others', async () => {
    const of = async (given: readonly string[], agent = 'noop', runs = 1) => {
      const suite = await loadSuite(given, { runs })
      return manifestOf(suite, episodesOf(suite.tasks), { agent, label: null, agent_hash: null, backlot: '0' })
    }
    const before = await of(['login', 'shop'])
    const other = (reason: string) => ({ reason, isContent: false })
    expect(changeSince(before, await of(['login', 'shop']))).toBeUndefined()
    expect(changeSince(before, await of(['login', 'shop'], 'random'))).toEqual(other('they are of the agent noop'))
    expect(changeSince(before, await of(['login', 'form']))).toEqual(other('they do not have the task form'))
    expect(changeSince(before, await of(['login']))).toEqual(other('they have the task shop'))
    const runs = other('the task login has other seeds or runs')
    expect(changeSince(before, await of(['login', 'shop'], 'noop', 2))).toEqual(runs)
    const moved = { ...before, tasks: before.tasks.map((task) => ({ ...task, seeds: [2] })) }
    expect(changeSince(before, moved)).toEqual(runs)
    expect(changeSince(before, { ...before, episodes: 4 })).toEqual(other('they have 2 episodes, and not 4'))
    expect(changeSince(before, { ...before, backlot: '1' })).toEqual(other('they are of Backlot 0, and this is 1'))
    expect(changeSince(before, { ...before, version: '2' })).toEqual(other('they are of version "" of the suite'))
    expect(changeSince(before, { ...before, label: 'b' })).toEqual(other('their agent has no label'))
  })

  it('[EV43] tells a change of what the agent or a scenario contains from others', async () => {
    const suite = await loadSuite(['login'])
    const about = { agent: 'noop', label: null, agent_hash: 'x', backlot: '0' }
    const before = manifestOf(suite, episodesOf(suite.tasks), about)
    const changed = { ...before, tasks: before.tasks.map((task) => ({ ...task, hash: 'other' })) }
    expect(changeSince(changed, before)).toEqual({
      reason: 'the scenario or the settings of the task login have changed',
      isContent: true,
    })
    expect(changeSince({ ...before, agent_hash: 'y' }, before)).toEqual({
      reason: 'the files of the agent noop have changed',
      isContent: true,
    })
  })
})
