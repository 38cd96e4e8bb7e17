import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, describe, expect, it } from 'vitest'
import { realClock } from '../../base/clock.ts'
import { findScenario } from '../../compose/gallery.ts'
import { solutionAgent } from '../agents/builtin.ts'
import { EpisodeScenarios } from '../episode/scenarios.ts'
import { playOrReport } from '../pool/work-in-process.ts'
import {
  bundleScenario,
  decodeAnswer,
  type EpisodeJob,
  encodeAnswer,
  type ScenarioBundle,
  unpackScenario,
} from './job.ts'
import { createJobPlayer } from './play-job.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-jobs-'))
afterAll(() => rmSync(folder, { recursive: true }))

const clock = realClock()
const never = new AbortController().signal
const jobFor = (scenario: ScenarioBundle, change: Partial<EpisodeJob> = {}): EpisodeJob => ({
  id: 'a.1',
  evaluation: 'a',
  backlot: '1',
  agent: 'solution',
  isTraced: true,
  scenario: scenario.hash,
  episode: { id: 'login/seed-1/run-1', task: 'login', seed: 1, variant: {}, faults: [], run: 1, budget: {} },
  ...change,
})

function playerWith(agents: readonly string[] = []) {
  const opened: string[] = []
  const stage = { agent: solutionAgent, scenarios: new EpisodeScenarios(), clock, signal: never, isTraced: true }
  const player = createJobPlayer({
    agents,
    backlot: '1',
    clock,
    folder: mkdtempSync(join(folder, 'player-')),
    openWorker: async (agent) => {
      opened.push(agent)
      return { play: (episode) => playOrReport(episode, stage), close: async () => {} }
    },
  })
  return { player, opened }
}

describe('[EV64] a job', () => {
  it('is played from the texts of its scenario, on a process that is kept', async () => {
    const scenario = await bundleScenario(findScenario('login'))
    const { player, opened } = playerWith()
    const first = await player.play(jobFor(scenario), scenario.text, never)
    const second = await player.play(jobFor(scenario), scenario.text, never)
    expect(first).toMatchObject({ kind: 'played', job: 'a.1', result: { success: true, steps: 5 } })
    expect(second).toMatchObject({ kind: 'played' })
    expect(opened).toEqual(['solution'])
    await player.close()
    expect(decodeAnswer(encodeAnswer(first!))).toMatchObject({ kind: 'played', result: { success: true } })
  })

  it('has no answer when it is stopped', async () => {
    const scenario = await bundleScenario(findScenario('login'))
    expect(await playerWith().player.play(jobFor(scenario), scenario.text, AbortSignal.abort())).toBeUndefined()
  })
})

describe('[EV65] the texts of a scenario', () => {
  it('have the files that it includes, at their places', async () => {
    const file = findScenario('expense-reports')
    const target = mkdtempSync(join(folder, 'target-'))
    const unpacked = unpackScenario(await bundleScenario(file), target)
    const files = readdirSync(target, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(target, join(parentPath, name)))
    expect(files.length).toBeGreaterThan(3)
    for (const each of files)
      expect(readFileSync(join(target, each), 'utf8')).toBe(readFileSync(join(dirname(file), each), 'utf8'))
    expect(unpacked).toBe(join(target, 'expense-reports.yaml'))
  })

  it('have the pictures that it shows, with their bytes', async () => {
    const source = mkdtempSync(join(folder, 'pictures-'))
    const png = PNG.sync.write(new PNG({ width: 2, height: 2 }))
    writeFileSync(join(source, 'map.png'), png)
    const image = '{role: Image, name: Map, src: map.png}'
    writeFileSync(join(source, 'a.yaml'), `states: {s: {windows: [{tree: {role: Window, children: [${image}]}}]}}`)
    const target = mkdtempSync(join(folder, 'target-'))
    unpackScenario(await bundleScenario(join(source, 'a.yaml')), target)
    expect(readFileSync(join(target, 'map.png')).equals(png)).toBe(true)
  })

  it('are refused with another hash, and with a path outside of their folder', async () => {
    const { text, hash } = await bundleScenario(findScenario('login'))
    expect(() => unpackScenario({ hash, text: `${text} ` }, folder)).toThrow('not the one that its job names')
    for (const path of ['../out.yaml', '/out.yaml', 'a/../../out.yaml', 'c:\\out.yaml', '']) {
      const wrong = JSON.stringify({ main: path, files: [{ path, text: '' }] })
      const named = { text: wrong, hash: createHash('sha256').update(wrong).digest('hex') }
      expect(() => unpackScenario(named, mkdtempSync(join(folder, 'target-')))).toThrow('a path below the folder')
    }
  })
})

describe('[EV66] a worker', () => {
  it('refuses agents that its operator has not named, and other versions', async () => {
    const scenario = await bundleScenario(findScenario('login'))
    const { player, opened } = playerWith(['python agent.py'])
    for (const agent of ['rm -rf /', 'python agent.py; rm -rf /', 'replay /etc/passwd', './agent.js'])
      expect(await player.play(jobFor(scenario, { agent }), scenario.text, never)).toMatchObject({
        kind: 'refused',
        message: expect.stringContaining(`does not allow the agent ${JSON.stringify(agent)}`),
      })
    expect(opened).toEqual([])
    expect(player.refuse(jobFor(scenario, { backlot: '2' }))).toContain('runs Backlot 1 and the evaluation 2')
    expect(player.refuse(jobFor(scenario, { agent: 'python agent.py' }))).toBeUndefined()
  })
})
