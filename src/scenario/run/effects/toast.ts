import { type Banner, type BannerPlan, bannerPlan } from '../../../desktop/model/banner.ts'
import { type Desktop, type DesktopApp, isWindowOf, type Window } from '../../../desktop/model/desktop.ts'
import { controlPart, type Element, withFields } from '../../../desktop/model/element.ts'
import { type Rect, translate } from '../../../desktop/model/geometry.ts'
import { appKindOf } from '../../../desktop/model/pictures.ts'
import { shellText } from '../../../desktop/model/shell-texts.ts'
import { textWidth } from '../../../desktop/model/text-width.ts'
import type { BannerMetrics, Metrics } from '../../../desktop/style/metrics.ts'
import { styleMetrics } from '../../../desktop/style/style.ts'
import { withTraits } from '../../../desktop/tree/element-ref.ts'
import { primaryMonitor, workArea } from '../../../desktop/windows/panel.ts'
import { closeWindow } from '../../../desktop/windows/windowing.ts'
import { buildWindowToOpen } from '../../build-window.ts'
import { withBar } from '../../data/undo.ts'
import { toastSize } from '../../layout/layout.ts'
import { wrappedSize } from '../../layout/style.ts'
import { type DueTimer, runWith, SCHEDULED } from '../../scenario-run.ts'
import type { ToastEffect } from '../../schema/effect.ts'
import type { AuthoredElement } from '../../schema/element.ts'
import { firingOrder } from '../triggers.ts'
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
  const tree = toastTree(effect, fill, shellText(desktop, 'Undo'))
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
    history: withBar(run.history, uid, effect.undo === true),
  })
}

/** With a title, the text is below it. */
function toastTree(
  { toast, title, icon, actions = [], undo }: ToastEffect,
  fill: FillText,
  undoText: string,
): AuthoredElement {
  const text = fill(toast)
  const words = title === undefined ? { name: text } : { name: fill(title), value: text }
  const all = undo ? [...actions, { id: UNDO_ID, name: undoText }] : actions
  const buttons = all.map(({ id, name }, index) => ({
    role: 'Button',
    ...(id !== undefined && { id }),
    name: index < actions.length ? fill(name) : name,
    closes: true,
  }))
  return {
    role: 'Notification',
    ...words,
    ...(icon !== undefined && { icon }),
    ...(buttons.length > 0 && { layout: { arrange: 'row', align: 'end', gap: 8 }, children: buttons }),
  }
}

/** The id of the button that takes back what an action changed. */
export const UNDO_ID = 'undo'

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

/** Bold texts are painted a little wider than they are measured. */
const BOLD = 1.1
const BUTTON_PADDING = 28
const MIN_BUTTON = 76

/** Places the parts of a notification in a style with banners. */
function planBanner({ name, value, children, traits }: Element, metrics: Metrics, banner: BannerMetrics) {
  const { body, family } = metrics.text
  const words = value ?? name
  const title = value === null ? 0 : textWidth(name, body, family) * BOLD
  const below: Metrics = { ...metrics, text: { ...metrics.text, body: banner.text } }
  const sizeIn = (width: number) =>
    value === null ? wrappedSize(words, Math.floor(width / BOLD), metrics) : wrappedSize(words, width, below)
  return bannerPlan(
    {
      hasTitle: value !== null,
      hasPicture: (traits?.avatar ?? traits?.icon) !== undefined,
      wordsWidth: Math.ceil(Math.max(textWidth(words, body, family) * BOLD, title)),
      linesIn: (width) => sizeIn(width).height / metrics.text.line,
      buttons: children.map((button) =>
        Math.max(MIN_BUTTON, Math.ceil(textWidth(button.name, body, family) * BOLD) + BUTTON_PADDING),
      ),
    },
    banner,
  )
}

/** A notification whose parts have the places of a plan, with a button that closes it. */
function withBanner(desktop: Desktop, window: Window, plan: BannerPlan, app: DesktopApp | undefined): Window {
  const { x, y } = window.bounds
  const { row, picture, words, more, close } = plan
  const hasTime = window.tree.value !== null && styleMetrics(desktop.style).notification.banner?.hasTime
  const kind = app && appKindOf(app.name, app.icon)
  const banner: Banner = {
    ...(app && { app: { name: app.name, ...(kind && { kind }) } }),
    ...(row && { row }),
    ...(picture && { picture }),
    words,
    ...(more && { more }),
    ...(hasTime && { time: shellText(desktop, 'now') }),
  }
  const buttons = window.tree.children.map((button, index) =>
    withFields(button, { bounds: translate(plan.buttons[index]!, x, y), place: undefined }),
  )
  const cross = { traits: { icon: 'close', iconOnly: true, look: 'flat', closes: true } } as const
  const children = close
    ? [...buttons, controlPart(CLOSE_ID, 'Button', shellText(desktop, 'Close'), translate(close, x, y), cross)]
    : buttons
  const tree = withFields(withTraits(window.tree, { banner }), { children, layout: undefined })
  return { ...window, tree }
}

const CLOSE_ID = 'notification-close'

/** The application that a notification is from: that with its icon, otherwise that of the active window. */
function senderOf({ apps = [], active, windows }: Desktop, icon: string | undefined): DesktopApp | undefined {
  const own = icon === undefined ? undefined : apps.find((app) => app.icon === icon)
  const front = windows.find(({ uid }) => uid === active)
  return own ?? apps.find((app) => front !== undefined && isWindowOf(app, front))
}

/**
 * The bounds of the next notification of a size: where the style has them on the primary monitor's work area, above or
 * below those that are open. Without space there, in the first place.
 */
export function notificationBounds(desktop: Desktop, { width, height }: Pick<Rect, 'width' | 'height'>): Rect {
  const { margin, gap, place } = styleMetrics(desktop.style).notification
  const monitor = primaryMonitor(desktop)
  const area = monitor ? workArea(desktop, monitor) : { x: 0, y: 0, width, height }
  const open = desktop.windows.filter(({ notification }) => notification).map(({ bounds }) => bounds)
  const right = area.x + area.width - margin - width
  const x = Math.max(area.x, place === 'bottom' ? area.x + Math.floor((area.width - width) / 2) : right)
  return { x, y: Math.max(area.y, place === 'top right' ? below() : above()), width, height }

  function above(): number {
    const corner = area.y + area.height - margin - height
    const y = Math.min(...open.map((bounds) => bounds.y - gap - height))
    return y < area.y ? corner : Math.min(corner, y)
  }

  function below(): number {
    const corner = area.y + margin
    const y = Math.max(corner, ...open.map((bounds) => bounds.y + bounds.height + gap))
    return y + height > area.y + area.height ? corner : y
  }
}
