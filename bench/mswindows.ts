import type { WindowsInstallation } from '../test/support/mswindows/set-up.ts'
import { startWindowsDesktop, type WireElement } from '../test/support/mswindows/windows-desktop.ts'
import type { ReportLine } from './harness/measure.ts'
import { beside, timed } from './harness/wall-time.ts'

/** A served desktop that shows a form with a check box "Agree" and a button "Greet". */
export interface ServedForm {
  readonly url: string
  readonly window: string
}

/** Steps on a Windows desktop under Wine, beside the same steps on the desktop of this system, both over HTTP. */
export async function windowsLines(
  here: ServedForm,
  installation: WindowsInstallation,
): Promise<readonly ReportLine[]> {
  const desktop = await startWindowsDesktop(installation)
  try {
    const { uid } = await desktop.launchForm()
    const there = { url: desktop.url, window: uid }
    const lines: ReportLine[] = []
    for (const { what, run, runs } of STEPS) {
      const hereMs = await timed((turn) => run(here, turn), runs)
      const thereMs = await timed((turn) => run(there, turn), runs)
      lines.push(beside(what, thereMs, 'linux', hereMs))
    }
    return lines
  } finally {
    await desktop.close()
  }
}

interface FormStep {
  readonly what: string
  readonly run: (form: ServedForm, turn: number) => unknown
  readonly runs: number
}

/** Alternates between distant places, so that two clicks are not a double click. */
const CLICKED = ['CheckBox "Agree"', 'Button "Greet"']

const STEPS: readonly FormStep[] = [
  { what: 'list of windows', run: (form) => ask(form, 'list_windows'), runs: 20 },
  { what: 'tree', run: (form) => ask(form, 'get_window_structure', { window_uid: form.window }), runs: 20 },
  { what: 'screenshot 1280×800 as PNG', run: (form) => ask(form, 'get_full_screenshot'), runs: 20 },
  { what: 'click to observed', run: clickUntilObserved, runs: 20 },
  {
    what: 'click with receipt',
    run: (form, turn) =>
      ask(form, 'click_element', { window_uid: form.window, selector: CLICKED[Math.abs(turn) % CLICKED.length] }),
    runs: 20,
  },
  {
    what: 'key with receipt, settle_ms 0',
    run: (form) => ask(form, 'press_key', { keys: 'left', settle_ms: 0 }),
    runs: 20,
  },
]

const MAX_READS = 100

/** Clicks the check box and reads the tree until it shows the change. */
async function clickUntilObserved(form: ServedForm): Promise<void> {
  const isChecked = async () => {
    const { tree } = (await ask(form, 'get_window_structure', { window_uid: form.window })) as { tree: WireElement }
    return boxIn(tree)?.selected
  }
  const before = await isChecked()
  await ask(form, 'click_element', { window_uid: form.window, selector: CLICKED[0] })
  for (let read = 0; read < MAX_READS; read++) if ((await isChecked()) !== before) return
  throw new Error('the click on the check box was not observed')
}

function boxIn(element: WireElement): WireElement | undefined {
  if (element.role === 'CheckBox' && element.name === 'Agree') return element
  for (const child of element.children) {
    const found = boxIn(child)
    if (found) return found
  }
  return undefined
}

async function ask({ url }: ServedForm, tool: string, args: object = {}): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${url}/api/tool/${tool}`, { method: 'POST', headers, body: JSON.stringify(args) })
  const result = (await reply.json()) as { readonly ok: boolean; readonly error?: unknown }
  if (!result.ok) throw new Error(`${tool}: ${JSON.stringify(result.error)}`)
  return result
}
