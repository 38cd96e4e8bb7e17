import { DEFAULT_SCREEN, type Desktop } from '../../../desktop/model/desktop.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { primaryMonitor } from '../../../desktop/windows/panel.ts'
import type { WrittenElement } from '../../schema/element.ts'
import type { NamedWindow } from '../../schema/window.ts'

/** The content of a dialog that a fault opens. */
interface DialogText {
  readonly uid: string
  readonly title: string
  readonly process: string
  readonly text: string
  readonly buttons: readonly string[]
  /** The name of a text field, which gets the keyboard. */
  readonly field?: string
  readonly modalTo?: string | undefined
}

const WIDTH = 420
const HEIGHT = 190
const BUTTON = { width: 130, height: 30 }
const MARGIN = 20
const TITLE = 32

/** A dialog in the middle of the primary monitor. Its buttons close it. */
export function dialogWindow(desktop: Desktop, dialog: DialogText): NamedWindow {
  const { uid, title, process, text, buttons, field, modalTo } = dialog
  const bounds = centred(primaryMonitor(desktop)?.bounds ?? DEFAULT_SCREEN)
  const { x, y } = bounds
  const inner = WIDTH - 2 * MARGIN
  const children: WrittenElement[] = [
    { role: 'Text', name: text, bounds: { x: x + MARGIN, y: y + TITLE + MARGIN, width: inner, height: 40 } },
  ]
  if (field !== undefined)
    children.push({
      id: 'text',
      role: 'Edit',
      name: field,
      value: '',
      focused: true,
      bounds: { x: x + MARGIN, y: y + TITLE + 65, width: inner, height: 24 },
    })
  for (const [index, name] of buttons.entries())
    children.push({
      role: 'Button',
      name,
      closes: true,
      bounds: {
        x: x + WIDTH - (buttons.length - index) * (BUTTON.width + MARGIN),
        y: y + HEIGHT - BUTTON.height - MARGIN,
        ...BUTTON,
      },
    })
  return {
    uid,
    title,
    process,
    bounds,
    ...(modalTo !== undefined && { modal_to: modalTo }),
    tree: { role: 'Window', name: title, children },
  }
}

const centred = ({ x, y, width, height }: Rect): Rect => ({
  x: x + Math.round((width - WIDTH) / 2),
  y: y + Math.round((height - HEIGHT) / 2),
  width: WIDTH,
  height: HEIGHT,
})
