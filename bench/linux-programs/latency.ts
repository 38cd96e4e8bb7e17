import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { createTestbed } from '../../src/compose/testbed.ts'
import { centerOf } from '../../src/desktop/model/geometry.ts'
import { call } from '../../src/observer/call.ts'
import type { ToolName } from '../../src/scenario/tools.ts'
import { fixturePath, PYTHON, startTestDesktop } from '../../test/support/linux/test-desktop.ts'
import { median } from '../harness/measure.ts'
import { timed } from '../harness/wall-time.ts'
import { rowOf } from './table.ts'
import type { TrialSession } from './trial.ts'

const RUNS_OF_TOOL = 15
const DIGITS = '0123456789'

/** One step: milliseconds of Backlot, and of the program that scripts use for it. */
interface LatencyRow {
  readonly what: string
  readonly oursMs: number
  readonly other: string
  readonly otherMs: number
}

/** Measures typical steps on the form of GTK 3. The other programs observe nothing. */
async function latencyOf(session: TrialSession): Promise<readonly LatencyRow[]> {
  const testDesktop = await startTestDesktop({ session })
  const { env } = testDesktop.desktop
  const testbed = await createTestbed({ adapter: 'linux', env })
  const run = (program: string, ...args: readonly string[]) => {
    const { status, error, stdout } = spawnSync(program, args, { env, maxBuffer: 1 << 28, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? `it ended with ${status}`}`)
    return stdout
  }
  const ask = async (tool: ToolName, args: object) => {
    const { fault } = await call(testbed.session, tool, args)
    if (fault) throw fault
  }
  const ours = (tool: ToolName, args: object) => timed(() => ask(tool, args), RUNS_OF_TOOL)
  const theirs = (program: string, ...args: readonly string[]) => timed(() => run(program, ...args), RUNS_OF_TOOL)
  try {
    const form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
    const window_uid = form.uid
    const { x, y } = centerOf((await form.element('Button "Greet"')).bounds)
    const observations: number[] = []
    for (let turn = 0; turn < RUNS_OF_TOOL; turn++) {
      // An action makes the tree that was read before out of date.
      await ask('move_pointer', { x: x + (turn % 2) * 3, y })
      const started = performance.now()
      await ask('get_window_structure', { window_uid })
      observations.push(performance.now() - started)
    }
    const pyatspi = Number(run(PYTHON, fixturePath('pyatspi-tree.py'), 'Form').split(' ')[1])
    const file = join(env.HOME!, 'shot.png')
    const shot = session === 'x11' ? theirs('scrot', '--overwrite', file) : theirs('grim', '-l', '1', file)
    const shotMs = await shot
    const ourShotMs = await ours('get_screenshot', {})
    const hasty = { settle_ms: 0 }
    // Clicks of one place would be double clicks, which are kept apart.
    const places = ['CheckBox "Agree"', 'Button "Greet"']
    const points = await Promise.all(places.map(async (each) => centerOf((await form.element(each)).bounds)))
    const clickMs = await timed(
      (turn) => ask('mouse_click', { ...points[Math.abs(turn) % 2]!, ...hasty }),
      RUNS_OF_TOOL,
    )
    const seat = (...args: readonly string[]) => ['seat', '-', 'cursor', ...args] as const
    const click = (turn: number) => {
      const at = points[Math.abs(turn) % 2]!
      if (session === 'x11') return run('xdotool', 'mousemove', `${at.x}`, `${at.y}`, 'click', '1')
      const steps = [seat('set', `${at.x}`, `${at.y}`), seat('press', 'button1'), seat('release', 'button1')]
      return run('swaymsg', steps.map((step) => step.join(' ')).join('; '))
    }
    const otherClickMs = await timed(click, RUNS_OF_TOOL)
    await ask('focus_element', { window_uid, selector: 'Edit "First name"' })
    const typed = { ...hasty, text: DIGITS }
    const typeMs = await ours('type_text', typed)
    const otherType = session === 'x11' ? theirs('xdotool', 'type', DIGITS) : theirs('wtype', DIGITS)
    return [
      { what: 'observe a window', oursMs: median(observations), other: 'pyatspi', otherMs: pyatspi },
      {
        what: 'screenshot 1280×800 as PNG',
        oursMs: ourShotMs,
        other: session === 'x11' ? 'scrot' : 'grim, level 1',
        otherMs: shotMs,
      },
      {
        what: 'click a point, with receipt',
        oursMs: clickMs,
        other: session === 'x11' ? 'xdotool' : 'swaymsg',
        otherMs: otherClickMs,
      },
      {
        what: 'type 10 digits, with receipt',
        oursMs: typeMs,
        other: session === 'x11' ? 'xdotool' : 'wtype',
        otherMs: await otherType,
      },
    ]
  } finally {
    await testbed.close()
    await testDesktop.close()
  }
}

const inMs = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`

/** Measures both sessions, and returns their table. */
export async function latencyTable(date: string): Promise<string> {
  const [x11, sway] = [await latencyOf('x11'), await latencyOf('sway')]
  const load = Math.round(loadavg()[0]!)
  const [model = 'unknown'] = cpus().map((cpu) => cpu.model)
  return [
    `Medians of ${RUNS_OF_TOOL} runs on the GTK 3 form of \`fixtures/linux\`, ${date}, ${cpus().length} × ${model}, ${load} programs
computing on average: compare the columns, not the figures of other machines. A receipt is what an action has changed, which the other
programs do not observe. \`settle_ms\` is 0.\n\n`,
    rowOf(['step', 'X11', 'beside', 'sway', 'beside']),
    rowOf(['---', '---', '---', '---', '---']),
    ...x11.map(({ what, oursMs, other, otherMs }, index) => {
      const on = sway[index]!
      return rowOf([
        what,
        inMs(oursMs),
        `${other} ${inMs(otherMs)}`,
        inMs(on.oursMs),
        `${on.other} ${inMs(on.otherMs)}`,
      ])
    }),
    '\nUnder Wine, see [Windows](#windows). GNOME and KWin have no backend yet and are not measured.\n',
  ].join('')
}
