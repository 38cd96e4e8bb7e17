import type { DialogCommand } from '../model/command.ts'
import type { Desktop, Window } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { part } from '../model/part.ts'
import { fieldTextOf } from '../style/field-text.ts'
import type { Metrics } from '../style/metrics.ts'
import { styleMetrics } from '../style/style.ts'
import { withTraits } from '../tree/element-ref.ts'
import { workArea } from './panel.ts'
import { monitorOf } from './windowing.ts'

/** A built-in dialog of the desktop. Bounds of its parts are relative to the area below its title bar. */
export interface DialogPlan {
  readonly title: string
  readonly width: number
  readonly height: number
  readonly parts: readonly Element[]
}

/** Opens a dialog for a file command, centred in front of its owner on one monitor. Nothing in it has the focus yet. */
export function withDialog(
  desktop: Desktop,
  owner: Window,
  command: DialogCommand,
  plan: DialogPlan,
): { readonly desktop: Desktop; readonly uid: string } {
  const { title } = plan
  const bounds = inMiddle(desktop, owner, plan)
  const metrics = styleMetrics(desktop.style)
  const top = metrics.title.height
  const uids = new Set(desktop.windows.map(({ uid }) => uid))
  const wanted = `${owner.uid}/${command.does}`
  const uid = [wanted, ...uids].find((each) => !uids.has(each)) ?? `${wanted}/${uids.size}`
  const children = plan.parts.map((each) =>
    standing(inStyle(each, metrics, desktop.isMirrored), bounds.x, bounds.y + top),
  )
  const dialog: Window = {
    uid,
    handle: String(1 + Math.max(1000, ...desktop.windows.map(({ handle }) => Number(handle) || 0))),
    title,
    process: owner.process,
    pid: owner.pid,
    bounds,
    state: 'normal',
    frame: 'inside',
    focus: undefined,
    modalTo: owner.uid,
    fileDialog: command,
    tree: { ...part('root', 'Dialog', title, bounds), children },
  }
  return { desktop: { ...desktop, windows: [dialog, ...desktop.windows] }, uid }
}

const CONFIRM_WIDTH = 420
const BUTTON = { width: 92, height: 32 }

/** A confirmation dialog. Only Escape has a default button. */
export const confirmationPlan = (verb: string, question: string): DialogPlan => ({
  title: verb,
  width: CONFIRM_WIDTH,
  height: 160,
  parts: [
    part('status', 'Text', question, { x: 16, y: 16, width: CONFIRM_WIDTH - 32, height: 20 }),
    part('cancel', 'Button', 'Cancel', { x: CONFIRM_WIDTH - 208, y: 80, ...BUTTON }, { traits: { presses: 'escape' } }),
    part('accept', 'Button', verb, { x: CONFIRM_WIDTH - 108, y: 80, ...BUTTON }),
  ],
})

/** A field with the text of its style, which clicks between its letters measure. */
function inStyle(element: Element, metrics: Metrics, isMirrored: boolean | undefined): Element {
  const fieldText = fieldTextOf(element.role, metrics, isMirrored)
  return fieldText ? withTraits(element, { fieldText }) : element
}

const standing = (element: Element, x: number, y: number): Element => {
  const { bounds } = element
  return { ...element, bounds: { ...bounds, x: bounds.x + x, y: bounds.y + y } }
}

function inMiddle(desktop: Desktop, { bounds: around }: Window, { width, height }: DialogPlan): Rect {
  const monitor = monitorOf(desktop, around)
  const area = monitor ? workArea(desktop, monitor) : around
  const within = (at: number, size: number, from: number, room: number) =>
    Math.max(from, Math.min(at, from + room - size))
  return {
    x: within(around.x + Math.floor((around.width - width) / 2), width, area.x, area.width),
    y: within(around.y + Math.floor((around.height - height) / 2), height, area.y, area.height),
    width,
    height,
  }
}
