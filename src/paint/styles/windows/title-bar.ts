import type { PointerEffect } from '../../../desktop/input/pointer-effect.ts'
import type { Window } from '../../../desktop/model/desktop.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { windowKind } from '../../../desktop/shell/bars.ts'
import type { WindowButton } from '../../../desktop/style/metrics.ts'
import { frameOf, isDialogWindow } from '../../../desktop/windows/frame.ts'
import { box, type Mark, solid } from '../../frame/mark.ts'
import { appPicture } from '../../shell/pictures/app-picture.ts'
import { label } from '../../text/text.ts'
import { fontFor, iconIn, squareIn } from '../../widgets/widget.ts'
import type { Theme } from '../tokens.ts'
import { windowsColours } from './tokens.ts'

const ICON = 16
const ICON_LEFT = 12
const TITLE_LEFT = 38

/** The icon and the title at the left, thin glyphs for the buttons at the right. Dialogs have no icon. */
export function titleBar(window: Window, theme: Theme, active: boolean, pointed?: PointedButton): readonly Mark[] {
  const frame = frameOf(window, theme.metrics)
  if (!frame) return []
  const { title, buttons } = frame
  const { title: back, titleInactive, titleText, titleTextInactive, titleLine } = theme.window
  const colour = active ? titleText : titleTextInactive
  const isDialog = isDialogWindow(window)
  const left = isDialog ? ICON_LEFT : TITLE_LEFT
  const end = Math.min(title.x + title.width, ...Object.values(buttons).map(({ x }) => x))
  const words = { ...title, x: title.x + left, width: Math.max(0, end - title.x - left - 8) }
  const icon = { ...title, x: title.x + ICON_LEFT, width: ICON }
  const line = { ...title, y: title.y + title.height - 1, height: 1 }
  return [
    solid(title, active ? back : titleInactive),
    ...(titleLine ? [solid(line, titleLine)] : []),
    ...(isDialog || title.width < TITLE_LEFT ? [] : appIconMarks(squareIn(icon, ICON), window)),
    ...label(words, window.title, { font: fontFor(theme, title.height, 'title'), colour }),
    ...(Object.entries(buttons) as [WindowButton, Rect][]).flatMap(([name, area]) => {
      const isPointed = pointed?.name === name
      const ink = isPointed && name === 'close' ? ON_CLOSE : colour
      return [...(isPointed ? [hint(name, area, theme, pointed.isPressed)] : []), ...glyph(name, area, window, ink)]
    }),
  ]
}

/** The picture of the application that a window belongs to. */
const appIconMarks = (area: Rect, window: Window): readonly Mark[] =>
  appPicture(area, { kind: windowKind(window), name: window.process }, 'windows')

type PointedButton = PointerEffect['button']

const ON_CLOSE = '#ffffff'

/** Behind the button below the pointer: red for the one that closes. */
function hint(name: WindowButton, area: Rect, theme: Theme, isPressed: boolean): Mark {
  const { flat, closeHovered, closePressed } = windowsColours(theme)
  if (name === 'close') return solid(area, isPressed ? closePressed : closeHovered)
  return solid(area, isPressed ? flat.pressed : flat.hovered)
}

function glyph(name: WindowButton, area: Rect, { state }: Window, colour: string): readonly Mark[] {
  const x = area.x + Math.floor((area.width - 10) / 2)
  const y = area.y + Math.floor((area.height - 10) / 2)
  switch (name) {
    case 'minimize':
      return [solid({ x, y: y + 5, width: 10, height: 1 }, colour)]
    case 'maximize':
      if (state !== 'maximized') return [box({ x, y, width: 10, height: 10 }, { border: colour, radius: 2 })]
      return [iconIn({ x: x - 3, y: y - 3, width: 16, height: 16 }, 'restore', 16, colour)]
    case 'close':
      return [iconIn({ x: x - 3, y: y - 3, width: 16, height: 16 }, 'thin-cross', 16, colour)]
  }
}
