import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { apply } from '../../../src/desktop/apply/apply.ts'
import type { Desktop } from '../../../src/desktop/model/desktop.ts'
import { centerOf, type Rect } from '../../../src/desktop/model/geometry.ts'
import type { DesktopStyle } from '../../../src/desktop/style/style.ts'
import { contactSheet, type SheetCell } from '../../../src/paint/contact-sheet.ts'
import { createPainter } from '../../../src/paint/painter.ts'
import type { Picture } from '../../../src/paint/picture.ts'
import type { ThemeName } from '../../../src/paint/theme/tokens.ts'
import { openDesktop } from '../../../src/testing.ts'
import { act, click, find, focus, hover, type Step } from '../desktop/driver.ts'

const SCENARIO = fileURLToPath(new URL('../../../fixtures/states.yaml', import.meta.url))

/** The desktops of `fixtures/states.yaml`, with what is open in each. */
export type StatesScene = 'controls' | 'collections' | 'popups'

const TEXT = readFileSync(SCENARIO, 'utf8')

/** One of these desktops in a style. */
export function statesDesktop(style: DesktopStyle, scene: StatesScene): Desktop {
  const opened = openDesktop({ scenario: `${TEXT}\ninitial_state: ${scene}\n`, style })
  return act(opened.computer.run.desktop, ...OPENING[scene])
}

const OPENING: Readonly<Record<StatesScene, readonly Step[]>> = {
  controls: [focus('wrong'), focus('notes'), focus('field')],
  collections: [click('from'), focus('messages')],
  popups: [click('file-menu'), hover('open-new', 0)],
}

/** What is done to each control: nothing, the pointer over it, the button held on it, the keyboard at it. */
const DOINGS: readonly (readonly [string, (id: string) => Step])[] = [
  ['', () => (desktop) => desktop],
  [
    'hovered',
    (id) => (desktop) =>
      apply(desktop, { type: 'hover', at: middleOf(desktop, id), forMs: 0 }, { isInteractive: true }),
  ],
  [
    'pressed',
    (id) => (desktop) =>
      apply(desktop, { type: 'press', at: middleOf(desktop, id), button: 'left' }, { isInteractive: true }),
  ],
  ['focused', (id) => focus(id)],
]

const middleOf = (desktop: Desktop, id: string) => centerOf(find(desktop, id).bounds)

/** The controls of the sheet, by their scene. */
const SHOWN: Readonly<Record<'controls' | 'collections', readonly string[]>> = {
  controls: [
    'tool',
    'button',
    'default',
    'destructive',
    'toggle-button',
    'check',
    'checked',
    'radio',
    'switch',
    'switch-on',
    'link',
    'field',
    'combo',
    'spin',
    'slider',
  ],
  collections: ['drafts', 'row', 'cell', 'tab', 'second', 'expander', 'from'],
}

/** Around each control, for focus rings. */
const MARGIN_PX = 6
const MAX_CROP: Readonly<{ width: number; height: number }> = { width: 220, height: 44 }

/** Pictures of controls, one row each, in every state that pointer and keyboard give it. */
export function statesSheet(style: DesktopStyle, theme: ThemeName): Picture {
  const painter = createPainter({ theme })
  const cells = (['controls', 'collections'] as const).flatMap((scene) => {
    const still = statesDesktop(style, scene)
    return SHOWN[scene].flatMap((id) => {
      const view = viewOf(find(still, id).bounds)
      return DOINGS.map(
        ([name, doing]): SheetCell => ({
          picture: painter.area(act(still, doing(id)), view),
          caption: `${id} ${name}`,
        }),
      )
    })
  })
  return contactSheet(cells, { columns: DOINGS.length * 2, cell: MAX_CROP.width + 2 * MARGIN_PX })
}

function viewOf({ x, y, width, height }: Rect): Rect {
  return {
    x: x - MARGIN_PX,
    y: y - MARGIN_PX,
    width: Math.min(width, MAX_CROP.width) + 2 * MARGIN_PX,
    height: Math.min(height, MAX_CROP.height) + 2 * MARGIN_PX,
  }
}
