import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import type { Computer } from '../adapters/computer.ts'
import { missingPrograms } from '../adapters/linux/stage.ts'
import { fixture, type Opened, PYTHON, startTrial } from '../adapters/linux/trial.ts'
import { syntheticComputer } from '../adapters/synthetic.ts'
import { virtualClock } from '../base/clock.ts'
import type { Action } from '../desktop/input/action.ts'
import { countNodes, type Element, walk } from '../desktop/model/element.ts'
import { centerOf } from '../desktop/model/geometry.ts'
import { select } from '../desktop/tree/select.ts'
import { loadScenario } from '../scenario/load.ts'
import { atMost, type Line, median, ms, print } from './measure.ts'

/** The same form as the GTK one, so that the same steps can be taken on both. */
const FORM = `
states:
  only:
    windows:
      - uid: form
        title: Form
        tree:
          role: Window
          name: Form
          children:
            - {id: agree, role: CheckBox, name: Agree, selected: false}
            - {id: name, role: Edit, name: First name}
`
const RUNS = 60
const WARM_UPS = 10
const LINE = 'Zażółć gęślą jaźń 你好 مرحبا 🎬'

/** Wall time of one run: the median of many, once everything is warm. */
async function timed(run: (turn: number) => unknown, runs = RUNS): Promise<number> {
  const samples: number[] = []
  for (let turn = -WARM_UPS; turn < runs; turn++) {
    const started = performance.now()
    await run(turn)
    if (turn >= 0) samples.push(performance.now() - started)
  }
  return median(samples)
}

/** Clicks the check box of a form and reads the tree until it says so. */
async function clickToObserved(computer: Computer, uid: string): Promise<number> {
  const box = async (): Promise<Element> => select((await computer.tree(uid))!, 'CheckBox "Agree"')[0]!.element
  return timed(async () => {
    const { id, bounds, selected } = await box()
    const target = { window: uid, element: id }
    const click: Action = { type: 'click', target, at: centerOf(bounds), button: 'left', count: 1 }
    await computer.perform(click)
    while ((await box()).selected === selected) await new Promise((resolve) => setImmediate(resolve))
  }, 20)
}

async function typeLine(computer: Computer, uid: string): Promise<number> {
  const { id, bounds } = select((await computer.tree(uid))!, 'Edit "First name"')[0]!.element
  const target = { window: uid, element: id }
  const at = centerOf(bounds)
  return timed(async () => {
    await computer.perform({ type: 'clear_text', target, at })
    await computer.perform({ type: 'focus', target, at })
    await computer.perform({ type: 'type', text: LINE })
  }, 10)
}

/** The tree of a window as it is read anew: something in it has just changed. */
const freshTree = (computer: Computer, { uid }: Opened): Promise<number> =>
  timed(async () => {
    // Nothing is pressed by a pointer that moves over the corner, but everything remembered counts as old afterwards.
    await computer.perform({ type: 'hover', at: { x: 1279, y: 799 }, forMs: 0 })
    const started = performance.now()
    await computer.tree(uid)
    readings.push(performance.now() - started)
  })
const readings: number[] = []

async function treeLine(computer: Computer, name: string, opened: Opened, target: number): Promise<Line> {
  readings.length = 0
  await freshTree(computer, opened)
  const count = countNodes(await opened.tree())
  return atMost(`tree of ${name}, ${count} elements`, median(readings.slice(WARM_UPS)), target)
}

async function realLines(): Promise<{ readonly lines: readonly Line[]; readonly tools: readonly Line[] }> {
  const trial = await startTrial()
  const { computer, desktop } = trial
  try {
    const calculator = await trial.open(/Calculator/, 'gnome-calculator')
    const lines = [await treeLine(computer, 'the calculator (GTK 4)', calculator, 40)]
    calculator.process.kill()
    const gallery = await trial.open(/gtk3-widget-factory/, 'gtk3-widget-factory')
    lines.push(await treeLine(computer, 'the widget gallery (GTK 3)', gallery, 60))
    lines.push(atMost('screenshot 1280×800 as PNG', await timed(shot(computer)), 40))
    gallery.process.kill()
    const form = await trial.open(/^Form$/, PYTHON, fixture('gtk-form.py'))
    await computer.perform({ type: 'activate', window: form.uid })
    lines.push(atMost('click to observed', await clickToObserved(computer, form.uid), 150))
    lines.push({
      what: `typing ${[...LINE].length} characters of five scripts`,
      measured: ms(await typeLine(computer, form.uid)),
    })
    lines.push({ what: 'list of windows', measured: ms(await timed(() => computer.windows())) })
    return { lines, tools: await toolLines(desktop.env, form) }
  } finally {
    await trial.close()
  }
}

const shot = (computer: Computer) => async () => (await computer.screenshot({ screen: true })).png()

/** What scripts start instead, a process for each step. */
async function toolLines(env: Readonly<Record<string, string>>, form: Opened): Promise<readonly Line[]> {
  if (missingPrograms(['xdotool', 'import']).length > 0)
    return [{ what: 'xdotool and import are not installed', measured: '–' }]
  const run = (program: string, ...args: readonly string[]) => spawnSync(program, args, { env, maxBuffer: 1 << 28 })
  const { x, y } = centerOf((await form.element('CheckBox "Agree"')).bounds)
  return [
    {
      what: 'import -window root png:-',
      measured: ms(await timed(() => run('import', '-window', 'root', 'png:-'), 10)),
    },
    {
      what: 'xdotool mousemove click (without observing anything)',
      measured: ms(await timed(() => run('xdotool', 'mousemove', String(x), String(y), 'click', '1'), 10)),
    },
    { what: 'xdotool type', measured: ms(await timed(() => run('xdotool', 'type', LINE), 5)) },
  ]
}

async function syntheticLines(): Promise<readonly Line[]> {
  const computer = syntheticComputer({ scenario: loadScenario(FORM, { file: 'form.yaml' }), clock: virtualClock() })
  const count = [...walk(computer.tree('form')!)].length
  return [
    { what: `tree, ${count} elements`, measured: ms(await timed(() => computer.tree('form'))) },
    { what: 'screenshot 1280×800 as PNG', measured: ms(await timed(shot(computer))) },
    { what: 'click to observed', measured: ms(await clickToObserved(computer, 'form')) },
    { what: 'typing the same line', measured: ms(await typeLine(computer, 'form')) },
  ]
}

process.stdout.write(`node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n`)
const { lines, tools } = await realLines()
print('a real desktop, wall time, median', lines)
print('the same steps on a synthetic desktop', await syntheticLines())
print('the same steps with xdotool and import', tools)
process.exit(lines.every(({ met }) => met !== false) ? 0 : 1)
