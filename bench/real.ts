import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import type { Computer } from '../src/adapters/computer.ts'
import { createSyntheticComputer } from '../src/adapters/synthetic/synthetic.ts'
import { virtualClock } from '../src/base/clock.ts'
import { createTestbed } from '../src/compose/testbed.ts'
import type { Action } from '../src/desktop/input/action.ts'
import { countNodes, type Element, walk } from '../src/desktop/model/element.ts'
import { centerOf } from '../src/desktop/model/geometry.ts'
import { querySelectorAll } from '../src/desktop/tree/select.ts'
import { call } from '../src/observer/call.ts'
import { parseScenario } from '../src/scenario/load/load.ts'
import { missingPackages } from '../test/support/linux/install-packages.ts'
import { fixturePath, PYTHON, startTestDesktop, type TestWindow } from '../test/support/linux/test-desktop.ts'
import { setUpWindows } from '../test/support/mswindows/set-up.ts'
import { atMost, median, ms, print, type ReportLine } from './harness/measure.ts'
import { beside, RUNS, timed, WARM_UPS } from './harness/wall-time.ts'
import { windowsLines } from './mswindows.ts'
import { remoteLines } from './remote.ts'
import { viewerLines } from './viewer.ts'

/** The same form as the GTK one, so that both run the same steps. */
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
const LINE = 'Zażółć gęślą jaźń 你好 مرحبا 🎬'

/** Clicks the check box of a form and reads the tree until it shows the change. */
async function clickToObserved(computer: Computer, uid: string): Promise<number> {
  const box = async (): Promise<Element> =>
    querySelectorAll((await computer.tree(uid))!, 'CheckBox "Agree"')[0]!.element
  return timed(async () => {
    const { id, bounds, selected } = await box()
    const target = { window: uid, element: id }
    const click: Action = { type: 'click', target, at: centerOf(bounds), button: 'left', count: 1 }
    await computer.perform(click)
    while ((await box()).selected === selected) await new Promise((resolve) => setImmediate(resolve))
  }, 20)
}

async function typeLine(computer: Computer, uid: string): Promise<number> {
  const { id, bounds } = querySelectorAll((await computer.tree(uid))!, 'Edit "First name"')[0]!.element
  const target = { window: uid, element: id }
  const at = centerOf(bounds)
  return timed(async () => {
    await computer.perform({ type: 'clear_text', target, at })
    await computer.perform({ type: 'focus', target, at })
    await computer.perform({ type: 'type', text: LINE })
  }, 10)
}

/** A fresh tree of a window, which may have just changed. */
async function freshTree(computer: Computer, { uid }: TestWindow): Promise<number> {
  const readings: number[] = []
  const { bounds } = (await computer.windows()).find((window) => window.uid === uid)!
  for (let turn = -WARM_UPS; turn < RUNS; turn++) {
    // An action invalidates the cached tree of its window.
    await computer.perform({ type: 'hover', at: { x: bounds.x + 1, y: bounds.y + 1 }, forMs: 0 }, { settleMs: 0 })
    const started = performance.now()
    await computer.tree(uid)
    if (turn >= 0) readings.push(performance.now() - started)
  }
  return median(readings)
}

interface RealLines {
  readonly lines: readonly ReportLine[]
  readonly tools: readonly ReportLine[]
  /** Behind another server, beside the desktop itself. */
  readonly remote: readonly ReportLine[]
  /** On Windows under Wine, beside the desktop itself, both over HTTP. */
  readonly windows: readonly ReportLine[]
}

async function realLines(): Promise<RealLines> {
  const testDesktop = await startTestDesktop()
  const { computer, desktop } = testDesktop
  const testbed = await createTestbed({ adapter: 'linux', env: desktop.env })
  const run = (program: string, ...args: readonly string[]) =>
    spawnSync(program, args, { env: desktop.env, maxBuffer: 1 << 28 })
  const pyatspi = (title: string): number =>
    Number(run(PYTHON, fixturePath('pyatspi-tree.py'), title).stdout.toString().split(' ')[1])
  const receipt = async (tool: string, args: object): Promise<void> => {
    const { fault } = await call(testbed.session, tool, args)
    if (fault) throw fault
  }
  const lines: ReportLine[] = []
  const tools: ReportLine[] = []
  const tree = async (name: string, opened: TestWindow, title: string, target: number) => {
    const oursMs = await freshTree(computer, opened)
    const what = `tree of ${name}, ${countNodes(await opened.tree())} elements`
    lines.push(atMost(what, oursMs, target))
    tools.push(beside(what, oursMs, 'pyatspi', pyatspi(title)))
  }
  try {
    const calculator = await testDesktop.launch(/Calculator/, 'gnome-calculator')
    await tree('the calculator (GTK 4)', calculator, 'Calculator', 40)
    const digits = ['7', '8'].map((name) => ({ window_uid: calculator.uid, selector: `Button[name="${name}"]` }))
    const pressMs = await timed((turn) => receipt('click_element', digits[Math.abs(turn) % 2]!), 20)
    lines.push({ what: 'click with receipt, GTK 4', measured: ms(pressMs) })
    calculator.process.kill()
    const gallery = await testDesktop.launch(/gtk3-widget-factory/, 'gtk3-widget-factory')
    await tree('the widget gallery (GTK 3)', gallery, '', 60)
    const shotMs = await timed(shot(computer))
    lines.push(atMost('screenshot 1280×800 as PNG', shotMs, 40))
    const file = `${desktop.env.HOME}/shot.png`
    tools.push(
      beside('screenshot 1280×800 as PNG', shotMs, 'scrot', await timed(() => run('scrot', '--overwrite', file), 10)),
    )
    gallery.process.kill()

    const form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
    await computer.perform({ type: 'activate', window: form.uid })
    lines.push(atMost('click to observed', await clickToObserved(computer, form.uid), 150))
    const window_uid = form.uid
    // Alternates between distant places, so that two clicks are not a double click.
    const targets = ['CheckBox "Agree"', 'Button "Greet"'].map((selector) => ({ window_uid, selector }))
    const clickMs = await timed((turn) => receipt('click_element', targets[Math.abs(turn) % 2]!), 30)
    lines.push(atMost('click with receipt, GTK 3', clickMs, 150))
    const { x, y } = centerOf((await form.element('CheckBox "Agree"')).bounds)
    const xdotool = (...args: readonly string[]) => timed(() => run('xdotool', ...args), 10)
    tools.push(
      beside(
        'click with receipt',
        clickMs,
        'xdotool, observing nothing',
        await xdotool('mousemove', `${x}`, `${y}`, 'click', '1'),
      ),
    )
    await receipt('focus_element', { window_uid, selector: 'Edit "First name"' })
    const keyMs = await timed(() => receipt('press_key', { keys: 'left' }), 20)
    tools.push(beside('key with receipt', keyMs, 'xdotool', await xdotool('key', 'Left')))
    const hastyMs = await timed(() => receipt('press_key', { keys: 'left', settle_ms: 0 }), 20)
    lines.push({ what: 'key with receipt, settle_ms 0', measured: ms(hastyMs) })
    const tenMs = await timed(() => receipt('type_text', { text: '0123456789' }), 20)
    tools.push(beside('typing 10 digits with receipt', tenMs, 'xdotool', await xdotool('type', '0123456789')))
    const lineMs = await typeLine(computer, form.uid)
    lines.push({ what: `typing ${[...LINE].length} characters of five scripts`, measured: ms(lineMs) })
    tools.push(beside('typing five scripts', lineMs, 'xdotool', await xdotool('type', LINE)))
    lines.push({ what: 'list of windows', measured: ms(await timed(() => computer.windows())) })
    const remote = await remoteLines(testbed, form.uid)
    const { url } = await testbed.serveRest({ port: 0 })
    const windows = WITH_WINDOWS ? await windowsLines({ url, window: form.uid }, await setUpWindows(console.error)) : []
    return { lines, tools, remote, windows }
  } finally {
    await testbed.close()
    await testDesktop.close()
  }
}

const MANY_WINDOWS = 40

/** Steps on a desktop with many windows whose trees were read. */
async function manyWindowsLines(): Promise<Pick<RealLines, 'lines' | 'tools'>> {
  const testDesktop = await startTestDesktop()
  const { env } = testDesktop.desktop
  const testbed = await createTestbed({ adapter: 'linux', env })
  const ask = async (tool: string, args: object) => {
    const { body, fault } = await call(testbed.session, tool, args)
    if (fault) throw fault
    return body
  }
  const xdotool = (...args: readonly string[]) => timed(() => spawnSync('xdotool', args, { env }), 10)
  try {
    testDesktop.desktop.start(PYTHON, fixturePath('gtk-windows.py'), String(MANY_WINDOWS))
    const window = await testDesktop.window(new RegExp(`^Window ${MANY_WINDOWS}$`))
    for (const { uid } of await testDesktop.computer.windows()) await ask('get_window_structure', { window_uid: uid })
    await ask('bring_to_foreground', { window_uid: window.uid })
    const tree = (await testDesktop.computer.tree(window.uid))!
    const { x, y } = centerOf(querySelectorAll(tree, 'Button "Speak"')[0]!.element.bounds)
    const on = `, ${MANY_WINDOWS} windows`
    // Alternates between places, so that two clicks are not a double click.
    const targets = ['Button "Speak"', 'Edit'].map((selector) => ({ window_uid: window.uid, selector }))
    const clickMs = await timed((turn) => ask('click_element', targets[Math.abs(turn) % 2]!), 20)
    const click = await xdotool('mousemove', `${x}`, `${y}`, 'click', '1')
    await ask('focus_element', { window_uid: window.uid, selector: 'Edit' })
    const keyMs = await timed(() => ask('press_key', { keys: 'left' }), 20)
    return {
      lines: [
        atMost(`click with receipt${on}`, clickMs, MOST_WITH_MANY_MS),
        atMost(`key with receipt${on}`, keyMs, MOST_WITH_MANY_MS),
      ],
      tools: [
        beside(`click with receipt${on}`, clickMs, 'xdotool, observing nothing', click),
        beside(`key with receipt${on}`, keyMs, 'xdotool', await xdotool('key', 'Left')),
      ],
    }
  } finally {
    await testbed.close()
    await testDesktop.close()
  }
}
const MOST_WITH_MANY_MS = 250

const shot = (computer: Computer) => async () => (await computer.screenshot({ screen: true })).png()

/** Sets up Windows under Wine as `npm run test:windows` does, as root. */
const WITH_WINDOWS = process.argv.includes('--windows')

/** The programs of the comparison. */
const TOOLS = ['xdotool', 'scrot', 'python3-pyatspi']

async function syntheticLines(): Promise<readonly ReportLine[]> {
  const computer = createSyntheticComputer({
    scenario: parseScenario(FORM, { file: 'form.yaml' }),
    clock: virtualClock(),
  })
  const count = [...walk(computer.tree('form')!)].length
  return [
    { what: `tree, ${count} elements`, measured: ms(await timed(() => computer.tree('form'))) },
    { what: 'screenshot 1280×800 as PNG', measured: ms(await timed(shot(computer))) },
    { what: 'click to observed', measured: ms(await clickToObserved(computer, 'form')) },
    { what: 'typing the same line', measured: ms(await typeLine(computer, 'form')) },
  ]
}

process.stdout.write(`node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n`)
const viewer = await viewerLines()
print('the page of a recorded run in Chromium', viewer)
const missing = missingPackages(TOOLS)
if (missing.length > 0) throw new Error(`install the programs of the comparison: apt-get install ${missing.join(' ')}`)
const { lines: few, tools: toolsOfFew, remote, windows } = await realLines()
const many = await manyWindowsLines()
const lines = [...few, ...many.lines]
print('a real desktop, wall time, median', lines)
print('the same steps on a synthetic desktop', await syntheticLines())
print('the same steps beside pyatspi, xdotool and scrot', [...toolsOfFew, ...many.tools])
print('the same desktop behind another server, on this machine', remote)
if (WITH_WINDOWS) print('a form on Windows under Wine, beside the GTK 3 form here, both over HTTP', windows)
process.exit([...lines, ...viewer].every(({ met }) => met !== false) ? 0 : 1)
