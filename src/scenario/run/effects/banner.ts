import { appKindOf } from '../../../desktop/model/app-kind.ts'
import type { Desktop, DesktopApp, Window } from '../../../desktop/model/desktop.ts'
import { type Element, withFields } from '../../../desktop/model/element.ts'
import { translate } from '../../../desktop/model/geometry.ts'
import { part } from '../../../desktop/model/part.ts'
import { shellText } from '../../../desktop/model/shell-texts.ts'
import { textWidth } from '../../../desktop/model/width.ts'
import type { BannerMetrics, Metrics } from '../../../desktop/style/metrics.ts'
import { styleMetrics } from '../../../desktop/style/style.ts'
import { withTraits } from '../../../desktop/tree/element-ref.ts'
import { type Banner, type BannerPlan, bannerPlan } from '../../../desktop/windows/banner.ts'
import { wrappedSize } from '../../layout/style.ts'

/** Bold texts are painted a little wider than they are measured. */
const BOLD = 1.1
const BUTTON_PADDING = 28
const MIN_BUTTON = 76

/** Places the parts of a notification in a style with banners. */
export function planBanner({ name, value, children, traits }: Element, metrics: Metrics, banner: BannerMetrics) {
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
export function withBanner(desktop: Desktop, window: Window, plan: BannerPlan, app: DesktopApp | undefined): Window {
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
    ? [...buttons, part(CLOSE_ID, 'Button', shellText(desktop, 'Close'), translate(close, x, y), cross)]
    : buttons
  const tree = withFields(withTraits(window.tree, { banner }), { children, layout: undefined })
  return { ...window, tree }
}

const CLOSE_ID = 'notification-close'

/** The application that a notification is from: that with its icon, otherwise that of the active window. */
export function senderOf({ apps = [], active }: Desktop, icon: string | undefined): DesktopApp | undefined {
  const own = icon === undefined ? undefined : apps.find((app) => app.icon === icon)
  return own ?? apps.find(({ windows }) => active !== undefined && windows.includes(active))
}
