import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createSyntheticComputer } from '../adapters/synthetic.ts'
import { virtualClock } from '../base/clock.ts'
import { PACKAGE } from '../compose/package.ts'
import { loadScenario } from '../compose/preview.ts'
import { countNodes } from '../desktop/model/element.ts'
import { runProgram } from '../test-support/windows/run-program.ts'
import { startWindowsMachine, type WindowsMachine } from '../test-support/windows/windows-machine.ts'

// The packed package paints and hashes the same on Windows and Linux, both with the newest version of canvas that both have.

const SCENARIOS = 4
const MAX_COMPARISON_MS = 600_000

let machine: WindowsMachine
let here: string
beforeAll(async () => {
  const installation = inject('windows')
  machine = await startWindowsMachine(installation)
  here = mkdtempSync(join(tmpdir(), 'backlot-pixels-'))
  // The same package, with the binding of canvas for Linux beside the one for Windows.
  await runProgram('cp', ['-a', join(installation.app, 'node_modules'), here])
  const binding = 'canvas-linux-x64-gnu'
  await runProgram('cp', [
    '-a',
    join(installation.canvas.folder, binding),
    join(here, 'node_modules/@napi-rs', binding),
  ])
}, MAX_COMPARISON_MS)
afterAll(async () => {
  await machine?.close()
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

/** Runs a command of the packed package on both systems, with a folder of its own as the value of its last option. */
async function onBoth(name: string, ...args: readonly string[]) {
  const there = join(machine.drive, name)
  mkdirSync(there)
  const program = await machine.startBacklot([...args, machine.windowsPath(there)])
  const backlot = join(here, 'node_modules/backlot/dist/bundle/backlot.js')
  const [code] = await Promise.all([
    program.ended,
    runProgram(process.execPath, [backlot, ...args, join(here, name)], { cwd: here }),
  ])
  expect([code, program.stderr()]).toEqual([0, expect.not.stringContaining('Error')])
  return [there, join(here, name)] as const
}

const filesIn = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .sort()

/** A hash of the decoded pixels of each picture in a folder. */
const pixelsIn = (folder: string) =>
  filesIn(folder, '.png').map((file) => {
    const { width, height, data } = PNG.sync.read(readFileSync(join(folder, file)))
    return `${file} ${width}x${height} ${createHash('sha256').update(data).digest('hex')}`
  })

it('the richest scenarios have equal pixels after each step, and equal trees', {
  timeout: MAX_COMPARISON_MS,
}, async () => {
  const names = await richestScenarios()
  for (const name of names) {
    const [windows, linux] = await onBoth(`film-${name}`, 'render', name, '--film')
    expect(pixelsIn(linux).length).toBeGreaterThan(1)
    expect([name, pixelsIn(windows)]).toEqual([name, pixelsIn(linux)])
  }
  const [windows, linux] = await onBoth('trees', 'eval', ...names, '--agent', 'solution', '--out')
  const traces = filesIn(linux, '.jsonl').filter((path) => path.endsWith('trace.jsonl'))
  expect(traces.length).toBe(names.length)
  for (const trace of traces) {
    const text = readFileSync(join(linux, trace), 'utf8')
    expect(text).toContain('tree_hash_after')
    expect(readFileSync(join(windows, trace), 'utf8')).toBe(text)
  }
})

it.each(['windows', 'macos', 'gnome'])(
  'a scenario in the style %s has equal pixels after each step',
  { timeout: MAX_COMPARISON_MS },
  async (style) => {
    const [windows, linux] = await onBoth(`style-${style}`, 'render', 'showcase', '--style', style, '--film')
    expect(pixelsIn(linux).length).toBeGreaterThan(1)
    expect(pixelsIn(windows)).toEqual(pixelsIn(linux))
  },
)
