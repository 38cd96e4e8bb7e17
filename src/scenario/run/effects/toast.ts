import type { Desktop } from '../../../desktop/model/desktop.ts'
import { styleMetrics } from '../../../desktop/style/style.ts'
import { withTraits } from '../../../desktop/tree/element-ref.ts'
import { notificationBounds } from '../../../desktop/windows/notifications.ts'
import { closeWindow } from '../../../desktop/windows/windowing.ts'
import { toastSize } from '../../layout/layout.ts'
import { buildWindowToOpen } from '../../load/build.ts'
import type { ToastEffect } from '../../schema/effect.ts'
import type { WrittenElement } from '../../schema/element.ts'
import { type DueTimer, runWith, SCHEDULED } from '../scenario-run.ts'
import { firingOrder } from '../timers.ts'
import { planBanner, senderOf, withBanner } from './banner.ts'
import { type ApplyEffect, type FillText, textFiller } from './context.ts'

const SHOWN_MS = 4000
/** One more closes the oldest. */
const MAX_TOASTS = 5
const MAX_WIDTH_PX = 400
/** The number of the handle of the first notification, far from those of windows. */
const FIRST_TOAST_HANDLE = 90_001

/** The uid of a notification, and of the first that is open. Others are `toast~2`, `toast~3` and so on. */
export const TOAST_UID = 'toast'

/** Shows a notification in the place of the style, which closes after a while. It does not take the focus. */
export const applyToast: ApplyEffect<ToastEffect> = (run, effect, context) => {
  const desktop = withRoom(run.desktop)
  const number = freeNumber(desktop)
  const uid = number === 1 ? TOAST_UID : `${TOAST_UID}~${number}`
  const fill = textFiller(run, context)
  const metrics = styleMetrics(desktop.style)
  const tree = toastTree(effect, fill)
  const avatar = effect.avatar === undefined ? undefined : fill(effect.avatar)
  const build = (bounds: { x: number; y: number; width: number; height: number }) => {
    const built = buildWindowToOpen(
      { uid, title: tree.name ?? '', process: 'notifications', bounds, frame: 'none', tree },
      FIRST_TOAST_HANDLE + number - 1,
      desktop,
    )
    return avatar && metrics.notification.banner ? { ...built, tree: withTraits(built.tree, { avatar }) } : built
  }
  const bare = build({ x: 0, y: 0, width: MAX_WIDTH_PX, height: 1 })
  const { banner } = metrics.notification
  const plan = banner && planBanner(bare.tree, metrics, banner)
  const placed = build(notificationBounds(desktop, plan ?? toastSize(bare.tree, MAX_WIDTH_PX, metrics)))
  const shown = plan ? withBanner(desktop, placed, plan, senderOf(desktop, effect.icon)) : placed
  const window = { ...shown, notification: true as const }
  const closing: DueTimer = { timer: SCHEDULED, atMs: run.nowMs + (effect.for_ms ?? SHOWN_MS), closes: uid }
  return runWith(run, {
    desktop: { ...desktop, windows: [window, ...desktop.windows] },
    due: [...run.due.filter(({ closes }) => closes !== uid), closing].sort(firingOrder),
  })
}

/** With a title, the text is below it. */
function toastTree({ toast, title, icon, actions }: ToastEffect, fill: FillText): WrittenElement {
  const text = fill(toast)
  const words = title === undefined ? { name: text } : { name: fill(title), value: text }
  const buttons = actions?.map(({ id, name }) => ({
    role: 'Button',
    ...(id !== undefined && { id }),
    name: fill(name),
    closes: true,
  }))
  return {
    role: 'Notification',
    ...words,
    ...(icon !== undefined && { icon }),
    ...(buttons && { layout: { arrange: 'row', align: 'end', gap: 8 }, children: buttons }),
  }
}

const toastsOf = ({ windows }: Desktop) => windows.filter(({ notification }) => notification)

/** The desktop with space for one more: the oldest notification is the last. */
function withRoom(desktop: Desktop): Desktop {
  const open = toastsOf(desktop)
  return open.length < MAX_TOASTS ? desktop : closeWindow(desktop, open.at(-1)!.uid)
}

/** The smallest number that no open notification has. */
function freeNumber(desktop: Desktop): number {
  const taken = new Set(desktop.windows.map(({ uid }) => uid))
  let number = 1
  while (taken.has(number === 1 ? TOAST_UID : `${TOAST_UID}~${number}`)) number++
  return number
}
