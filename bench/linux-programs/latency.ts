import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { createTestbed } from '../../src/compose/testbed.ts'
import { centerOf, type Point } from '../../src/desktop/model/geometry.ts'
import { call } from '../../src/observer/call.ts'
import type { ToolName } from '../../src/scenario/tools.ts'
import { debianTesting } from '../../test/support/linux/debian-testing.ts'
import { startGnomeTestDesktop } from '../../test/support/linux/gnome-desktop.ts'
import { startKdeTestDesktop } from '../../test/support/linux/kde-desktop.ts'
import { fixturePath, type LinuxTestDesktop, PYTHON, startTestDesktop } from '../../test/support/linux/test-desktop.ts'
import type { WindowsInstallation } from '../../test/support/mswindows/set-up.ts'
import { startWindowsDesktop } from '../../test/support/mswindows/windows-desktop.ts'
import { median } from '../harness/measure.ts'
import { timed } from '../harness/wall-time.ts'
import { RUNS_OF_TOOL, type SessionTimes, type StepTimes, tableOfTimes } from './table.ts'
import type { TrialSession } from './trial.ts'

const DIGITS = '0123456789'

/** A form with a check box "Agree", a button "Greet" and a field "First name", through the tools of a server. */
interface MeasuredForm {
  readonly uid: string
  /** The places of the check box and the button. Clicks of one place would be double clicks, which are kept apart. */
  readonly places: readonly [Point, Point]
  readonly hasPictures?: boolean
  /** Calls a tool. Throws its fault. */
  ask(tool: ToolName, args: object): Promise<unknown>
}

const FIELD = 'Edit "First name"'
const [BOX, BUTTON] = ['CheckBox "Agree"', 'Button "Greet"']
const HASTY = { settle_ms: 0 }

/** Measures the steps with the tools of Backlot. */
async function timesOf({ uid, places, hasPictures = true, ask }: MeasuredForm): Promise<StepTimes> {
  const window_uid = uid
  const ours = (tool: ToolName, args: object) => timed(() => ask(tool, args), RUNS_OF_TOOL)
  const { x, y } = places[1]
  const observations: number[] = []
  for (let turn = 0; turn < RUNS_OF_TOOL; turn++) {
    // An action makes the tree that was read before out of date.
    await ask('move_pointer', { x: x + (turn % 2) * 3, y })
    const started = performance.now()
    await ask('get_window_structure', { window_uid })
    observations.push(performance.now() - started)
  }
  const screenshot = hasPictures ? await ours('get_screenshot', {}) : undefined
  const click = await timed((turn) => ask('mouse_click', { ...places[Math.abs(turn) % 2]!, ...HASTY }), RUNS_OF_TOOL)
  await ask('focus_element', { window_uid, selector: FIELD })
  return { observe: median(observations), screenshot, click, type: await ours('type_text', { ...HASTY, text: DIGITS }) }
}

const OTHERS: Readonly<Record<TrialSession, SessionTimes['names']>> = {
  x11: { observe: 'pyatspi', screenshot: 'scrot', click: 'xdotool', type: 'xdotool' },
  sway: { observe: 'pyatspi', screenshot: 'grim, level 1', click: 'swaymsg', type: 'wtype' },
}

/** Measures typical steps on the form of GTK 3. */
async function sessionTimes(session: TrialSession): Promise<SessionTimes> {
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
  const theirs = (program: string, ...args: readonly string[]) => timed(() => run(program, ...args), RUNS_OF_TOOL)
  const seat = (...args: readonly string[]) => ['seat', '-', 'cursor', ...args] as const
  const clickAt = ({ x, y }: Point) => {
    if (session === 'x11') return run('xdotool', 'mousemove', `${x}`, `${y}`, 'click', '1')
    const steps = [seat('set', `${x}`, `${y}`), seat('press', 'button1'), seat('release', 'button1')]
    return run('swaymsg', steps.map((step) => step.join(' ')).join('; '))
  }
  try {
    const form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
    const placeOf = async (selector: string) => centerOf((await form.element(selector)).bounds)
    const places = [await placeOf(BOX), await placeOf(BUTTON)] as const
    const ours = await timesOf({ uid: form.uid, places, ask })
    const file = join(env.HOME!, 'shot.png')
    const observe = Number(run(PYTHON, fixturePath('pyatspi-tree.py'), 'Form').split(' ')[1])
    const screenshot = await (session === 'x11'
      ? theirs('scrot', '--overwrite', file)
      : theirs('grim', '-l', '1', file))
    const click = await timed((turn) => clickAt(places[Math.abs(turn) % 2]!), RUNS_OF_TOOL)
    await ask('focus_element', { window_uid: form.uid, selector: FIELD })
    const type = await (session === 'x11' ? theirs('xdotool', 'type', DIGITS) : theirs('wtype', DIGITS))
    return { ours, others: { observe, screenshot, click, type }, names: OTHERS[session] }
  } finally {
    await testbed.close()
    await testDesktop.close()
  }
}

/** Measures the same steps on a desktop of Debian testing, which has none of the other programs. KWin takes no pictures without OpenGL. */
async function testingTimes(testDesktop: LinuxTestDesktop, hasPictures: boolean): Promise<StepTimes> {
  const testbed = await createTestbed({ adapter: 'linux', env: testDesktop.desktop.env, gnomeInput: 'mutter' })
  try {
    const form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
    const ask = async (tool: ToolName, args: object) => {
      const { fault } = await call(testbed.session, tool, args)
      if (fault) throw fault
    }
    await ask('bring_to_foreground', { window_uid: form.uid })
    const placeOf = async (selector: string) => centerOf((await form.element(selector)).bounds)
    return await timesOf({ uid: form.uid, places: [await placeOf(BOX), await placeOf(BUTTON)], hasPictures, ask })
  } finally {
    await testbed.close()
    await testDesktop.close()
  }
}

/** Measures the same steps on a form with the common controls of Windows under Wine, over HTTP. */
async function wineTimes(installation: WindowsInstallation): Promise<StepTimes> {
  const desktop = await startWindowsDesktop(installation)
  try {
    const form = await desktop.launchForm()
    const placeOf = async (role: string, name: string) => centerOf((await form.element(role, name)).bounds)
    return await timesOf({
      uid: form.uid,
      places: [await placeOf('CheckBox', 'Agree'), await placeOf('Button', 'Greet')],
      async ask(tool, args) {
        const { ok, error } = await desktop.ask(tool, args)
        if (!ok) throw new Error(`${tool}: ${JSON.stringify(error)}`)
      },
    })
  } finally {
    await desktop.close()
  }
}

/** Measures the sessions, GNOME and KWin where Debian testing can be built, Windows under Wine where it is set up, and returns their table. */
export async function latencyTable(date: string, installation: WindowsInstallation | undefined): Promise<string> {
  const sessions = [await sessionTimes('x11'), await sessionTimes('sway')]
  const wine = installation && (await wineTimes(installation))
  const testing = await debianTesting(console.error)
  const isThere = !('reason' in testing)
  const gnome = isThere ? await testingTimes(await startGnomeTestDesktop(testing), true) : undefined
  const kwin = isThere ? await testingTimes(await startKdeTestDesktop(testing), false) : undefined
  const load = Math.round(loadavg()[0]!)
  const [model = 'unknown'] = cpus().map((cpu) => cpu.model)
  return tableOfTimes(
    sessions,
    { gnome, kwin, wine },
    `${date}, ${cpus().length} × ${model}, ${load} programs\ncomputing on average`,
  )
}
