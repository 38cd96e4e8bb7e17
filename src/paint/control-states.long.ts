import { describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { act, find, focus, type Step } from '../../test/support/desktop/driver.ts'
import { statesDesktop } from '../../test/support/paint/states.ts'
import { apply } from '../desktop/apply/apply.ts'
import { type Draft, desktop, element, monitor, rect, window } from '../desktop/model/builders.ts'
import type { Desktop } from '../desktop/model/desktop.ts'
import { centerOf } from '../desktop/model/geometry.ts'
import { type DesktopStyle, SHELL_STYLES } from '../desktop/style/style.ts'
import { createPainter } from './painter.ts'
import type { ThemeName } from './theme/tokens.ts'

// Rules such as [PNT101] are stated in SPEC.md beside this file.

const SHADES = ['light', 'dark', 'high-contrast'] as const

const bounds = rect(0, 0, 400, 120)
const place = rect(60, 40, 240, 32)
const MARGIN_PX = 8
/** A channel that differs by less is not seen. */
const MIN_DIFFERENCE = 5
const MIN_PIXELS = 16

/** How many pixels around an area differ visibly. */
function differences(one: Desktop, other: Desktop, theme: ThemeName, { x, y, width, height } = place): number {
  const view = rect(x - MARGIN_PX, y - MARGIN_PX, width + 2 * MARGIN_PX, height + 2 * MARGIN_PX)
  const painter = createPainter({ theme })
  const [before, after] = [one, other].map((on) => painter.area(on, view).pixels())
  let count = 0
  for (let at = 0; at < before!.length; at += 4)
    if ([0, 1, 2].some((channel) => Math.abs(before![at + channel]! - after![at + channel]!) >= MIN_DIFFERENCE)) count++
  return count
}

/** A control without and with a state. */
type State = readonly [name: string, plain: Draft, changed: Draft]

const at = { bounds: place }
const both = (name: string, role: string, fields: object, plain: object = {}): State => [
  name,
  element(role, 'Name', { ...at, ...plain }),
  element(role, 'Name', { ...at, ...plain, ...fields }),
]
const inList = (role: 'ListItem' | 'TreeItem', fields: object): Draft =>
  element(
    role === 'TreeItem' ? 'Tree' : 'List',
    'Items',
    { bounds: rect(40, 20, 300, 80) },
    element(role, 'Name', { ...at, ...fields }),
  )
const off = { enabled: false }
const invalid = { traits: { invalid: { message: 'Wrong', description: null } } }

const STATES: readonly State[] = [
  both('a disabled button', 'Button', off),
  both('a default button', 'Button', { traits: { presses: 'enter' } }),
  both('a disabled default button', 'Button', off, { traits: { presses: 'enter' } }),
  both('a destructive button', 'Button', { traits: { look: 'destructive' } }),
  both('a pressed toggle button', 'ToggleButton', { selected: true }, { selected: false }),
  both('a disabled toggle button', 'ToggleButton', off, { selected: true }),
  both('a checked check box', 'CheckBox', { selected: true }, { selected: false }),
  both('a mixed check box', 'CheckBox', { value: 'mixed' }, { selected: false }),
  both('a mixed, not checked check box', 'CheckBox', { value: 'mixed', selected: false }, { selected: true }),
  both('a disabled check box', 'CheckBox', off, { selected: false }),
  both('a disabled checked check box', 'CheckBox', off, { selected: true }),
  both('a chosen radio button', 'RadioButton', { selected: true }, { selected: false }),
  both('a disabled radio button', 'RadioButton', off, { selected: false }),
  both('a switch that is on', 'Switch', { selected: true }, { selected: false }),
  both('a disabled switch', 'Switch', off, { selected: false }),
  both('a disabled switch that is on', 'Switch', off, { selected: true }),
  both('a disabled field', 'Edit', off, { value: 'Text' }),
  both('an invalid field', 'Edit', invalid, { value: 'Text' }),
  both('a placeholder', 'Edit', { traits: { placeholder: 'Text' } }),
  both('a placeholder, unlike a text', 'Edit', { value: null, traits: { placeholder: 'Text' } }, { value: 'Text' }),
  both('a disabled combo box', 'ComboBox', off, { value: 'Text' }),
  both('an invalid combo box', 'ComboBox', invalid, { value: 'Text' }),
  both('a disabled spinner', 'Spinner', off, { valueNow: 3 }),
  both('an invalid spinner', 'Spinner', invalid, { valueNow: 3 }),
  both('a disabled slider', 'Slider', off, { valueNow: 30 }),
  both('a disabled date picker', 'DatePicker', off, { value: '2024-03-12' }),
  both('a disabled link', 'Link', off),
  both('a disabled text', 'Text', off),
  both('an open expander', 'Expander', { expanded: true }, { expanded: false }),
  both('a disabled expander', 'Expander', off, { expanded: false }),
  both('a selected tab', 'TabItem', { selected: true }, { selected: false }),
  both('a disabled tab', 'TabItem', off, { selected: false }),
  ['a selected item of a list', inList('ListItem', {}), inList('ListItem', { selected: true })],
  ['a disabled item of a list', inList('ListItem', {}), inList('ListItem', off)],
  ['a selected item of a tree', inList('TreeItem', {}), inList('TreeItem', { selected: true })],
  ['a disabled item of a tree', inList('TreeItem', {}), inList('TreeItem', off)],
]

const shown = (child: Draft, style: DesktopStyle): Desktop =>
  desktop({ monitors: [monitor(bounds)], style }, window('W', { bounds, frame: 'none' }, child))

type Scene = 'controls' | 'collections'
/** The controls of `fixtures/states.yaml` that the keyboard and the pointer reach. */
const REACHED: readonly (readonly [Scene, string])[] = [
  ...['tool', 'button', 'default', 'destructive', 'toggle-button', 'check', 'checked', 'mixed', 'radio', 'radio-on'],
  ...['switch', 'switch-on', 'link', 'combo', 'spin', 'slider'],
].map((id) => ['controls', id] as const)

const middleOf = (on: Desktop, id: string) => centerOf(find(on, id).bounds)
const hovered =
  (id: string): Step =>
  (on) =>
    apply(on, { type: 'hover', at: middleOf(on, id), forMs: 0 }, { isInteractive: true })
const pressed =
  (id: string): Step =>
  (on) =>
    apply(on, { type: 'press', at: middleOf(on, id), button: 'left' }, { isInteractive: true })

const LINKS = new Set(['link'])

/** The controls that look the same below the pointer. None in the other styles. */
const STILL: Partial<Record<DesktopStyle, readonly string[]>> = {
  macos: REACHED.map(([, id]) => id).filter((id) => id !== 'tool'),
  gnome: ['spin'],
}

const THEMES = SHELL_STYLES.flatMap((style) => SHADES.map((theme) => ({ style, theme })))

describe.each(shareOf(THEMES))('the style $style, $theme', ({ style, theme }) => {
  it('[PNT101] shows each state of a control', () => {
    const same = STATES.filter(
      ([, plain, changed]) => differences(shown(plain, style), shown(changed, style), theme) < MIN_PIXELS,
    )
    expect(same.map(([name]) => name)).toEqual([])
  })

  it('[PNT101] shows which control has the focus, and which one is pressed', () => {
    const same = REACHED.flatMap(([scene, id]) => {
      const still = act(statesDesktop(style, scene), focus('notes'))
      const area = find(still, id).bounds
      const focused = act(still, focus(id))
      const held = act(focused, pressed(id))
      return [
        ...(differences(still, focused, theme, area) < MIN_PIXELS ? [`focused ${id}`] : []),
        ...(!LINKS.has(id) && id !== 'spin' && differences(focused, held, theme, area) < MIN_PIXELS
          ? [`pressed ${id}`]
          : []),
      ]
    })
    expect(same).toEqual([])
  })

  it('[PNT102] shows the control that the pointer is over, but for those that the style leaves still', () => {
    const silent = REACHED.filter(([scene, id]) => {
      const still = act(statesDesktop(style, scene), focus('notes'))
      return differences(still, act(still, hovered(id)), theme, find(still, id).bounds) < MIN_PIXELS
    }).map(([, id]) => id)
    expect(silent.filter((id) => !LINKS.has(id))).toEqual((STILL[style] ?? []).filter((id) => !LINKS.has(id)))
  })
})
