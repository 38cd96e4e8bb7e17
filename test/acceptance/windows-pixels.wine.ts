import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createSyntheticComputer } from '../../src/adapters/synthetic/synthetic.ts'
import { virtualClock } from '../../src/base/clock.ts'
import { memorySession } from '../../src/compose/memory-session.ts'
import { PACKAGE } from '../../src/compose/package.ts'
import { playSolution } from '../../src/compose/play-solution.ts'
import { loadScenario } from '../../src/compose/preview.ts'
import { countNodes } from '../../src/desktop/model/element.ts'
import { type DesktopStyle, SHELL_STYLES } from '../../src/desktop/style/style.ts'
import { runProgram } from '../support/mswindows/run-program.ts'
import { sharedWindowsMachine } from '../support/mswindows/shared-windows.ts'
import type { WindowsMachine } from '../support/mswindows/windows-machine.ts'

// The packed package paints and hashes the same on Windows and Linux, both with the newest version of canvas that both have.

const SCENARIOS = 4
const MAX_COMPARISON_MS = 600_000

/** The calls that a solution makes, in one style. */
interface Plan {
  readonly name: string
  readonly scenario: string
  readonly style?: DesktopStyle
  readonly calls: readonly { readonly tool: string; readonly args: object }[]
}

let machine: WindowsMachine
let here: string
let plans: readonly Plan[]
beforeAll(async () => {
  const installation = inject('windows')
  here = mkdtempSync(join(tmpdir(), 'backlot-pixels-'))
  // The same package, with the binding of canvas for Linux beside the one for Windows.
  await runProgram('cp', ['-a', join(installation.app, 'node_modules'), here])
  const binding = 'canvas-linux-x64-gnu'
  const to = join(here, 'node_modules/@napi-rs', binding)
  await runProgram('cp', ['-a', join(installation.canvas.folder, binding), to])
  const [started, names] = await Promise.all([sharedWindowsMachine(), richestScenarios()])
  machine = started
  plans = await Promise.all([
    ...names.map((name) => planOf(name)),
    ...SHELL_STYLES.map((style) => planOf('showcase', style)),
  ])
}, MAX_COMPARISON_MS)
afterAll(() => {
  if (here) rmSync(here, { recursive: true, force: true })
})

/** The gallery scenarios whose windows have the most elements. */
async function richestScenarios(): Promise<readonly string[]> {
  const gallery = join(PACKAGE, 'scenarios')
  const counts: (readonly [name: string, elements: number])[] = []
  for (const file of readdirSync(gallery).filter((name) => name.endsWith('.yaml'))) {
    const computer = createSyntheticComputer({
      scenario: await loadScenario(join(gallery, file)),
      clock: virtualClock(),
    })
    const trees = computer.windows().map(({ uid }) => computer.tree(uid))
    counts.push([file.replace('.yaml', ''), trees.reduce((sum, tree) => sum + (tree ? countNodes(tree) : 0), 0)])
  }
  return counts
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SCENARIOS)
    .map(([name]) => name)
}

/** Plays the solution of a gallery scenario, and keeps its calls. */
async function planOf(scenario: string, style?: DesktopStyle): Promise<Plan> {
  const loaded = await loadScenario(scenario, style ? { variant: { style } } : {})
  const calls: Plan['calls'][number][] = []
  const desktop = memorySession(loaded, {
    onCall: ({ tool, knownArguments }) => calls.push({ tool, args: knownArguments() }),
  })
  for await (const { failure } of playSolution(desktop, loaded.solutions[0])) expect(failure).toBeUndefined()
  return { name: style ? `${scenario}-${style}` : scenario, scenario, calls, ...(style && { style }) }
}

/** Makes the calls of all plans on both systems, each in one process. Returns the folders of their results. */
async function playOnBoth(): Promise<readonly [windows: string, linux: string]> {
  const script = join(PACKAGE, 'fixtures/windows/play-plans.cjs')
  const folders = [join(machine.drive, 'app'), here].map((folder) => {
    const results = join(folder, 'played')
    mkdirSync(results, { recursive: true })
    copyFileSync(script, join(folder, 'play-plans.cjs'))
    writeFileSync(join(folder, 'plans.json'), JSON.stringify(plans))
    return { folder, results }
  })
  const [windows, linux] = folders as [(typeof folders)[0], (typeof folders)[0]]
  const program = await machine.startNode(
    [join(windows.folder, 'play-plans.cjs'), join(windows.folder, 'plans.json'), windows.results].map(
      machine.windowsPath,
    ),
  )
  const [code] = await Promise.all([
    program.ended,
    runProgram(process.execPath, [join(here, 'play-plans.cjs'), join(here, 'plans.json'), linux.results], {
      cwd: here,
    }),
  ])
  expect([code, program.stderr()]).toEqual([0, ''])
  return [windows.results, linux.results]
}

/** The decoded pixels of a picture as a hash. */
function pixelsOf(path: string): string {
  const { width, height, data } = PNG.sync.read(readFileSync(path))
  return `${width}x${height} ${createHash('sha256').update(data).digest('hex')}`
}

it('the richest scenarios, and one in each style, have equal pixels and trees after each step', {
  timeout: MAX_COMPARISON_MS,
}, async () => {
  expect(plans.map(({ name }) => name)).toHaveLength(SCENARIOS + SHELL_STYLES.length)
  const [windows, linux] = await playOnBoth()
  const log = readFileSync(join(linux, 'log.txt'), 'utf8').split('\n')
  expect(readFileSync(join(windows, 'log.txt'), 'utf8').split('\n')).toEqual(log)
  // A line for the start, and one for each call, which succeeds here as it did when it was planned.
  expect(log.length).toBe(plans.reduce((sum, { calls }) => sum + 1 + calls.length, 0))
  for (const { name, calls } of plans) {
    expect(calls.length).toBeGreaterThan(0)
    const last = log.findLast((line) => line.startsWith(`${name} `))!
    const shown = pixelsOf(join(linux, `${name}.png`))
    expect(last).toContain(shown)
    expect([name, pixelsOf(join(windows, `${name}.png`))]).toEqual([name, shown])
  }
})
