import type { Window } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import { kindOf } from '../../desktop/model/role.ts'
import { VOLUME_ID, WIFI_ID } from '../../desktop/shell/tray.ts'
import { box, type Mark, solid } from '../frame/mark.ts'
import type { DrawnIcon } from '../icons.ts'
import { label } from '../text/text.ts'
import { iconIn, inset } from '../widgets/widget.ts'
import type { ShellLook } from './bar-marks.ts'

/** Whether the shell paints an element of a flyout itself. All others are painted as in any window. */
export const isFlyoutPart = ({ role, id }: Element): boolean =>
  kindOf(role) === 'toggle' || (kindOf(role) === 'button' && id.startsWith('shell.')) || id.startsWith('shell.note')

const ICONS: Readonly<Record<string, DrawnIcon>> = {
  [WIFI_ID]: 'network',
  'shell.quick.bluetooth': 'bluetooth',
  'shell.quick.night': 'night',
  'shell.quick.settings': 'gear',
  'shell.hidden.0': 'refresh',
  'shell.hidden.1': 'cloud',
  'shell.hidden.2': 'microphone',
}

/** The marks of a flyout, above its glass and below its other elements. */
export const flyoutMarks = ({ tree }: Window, look: ShellLook): readonly Mark[] =>
  tree.children.flatMap((child) => partMarks(child, look))

function partMarks(element: Element, look: ShellLook): readonly Mark[] {
  const { id, bounds } = element
  const { colours } = look
  if (kindOf(element.role) === 'toggle') return tileMarks(element, look)
  if (kindOf(element.role) === 'slider') return [sliderIcon(element, look)]
  if (id === 'shell.quick.battery')
    return [iconIn({ ...bounds, x: bounds.x - 28, width: 24 }, 'battery', 18, colours.launcherText)]
  if (id.startsWith('shell.note.')) return noteMarks(element, look)
  if (id.startsWith('shell.notes.')) return wordsMarks(element, look)
  if (id.startsWith('shell.input.')) return [...backMarks(element, look), ...layoutMarks(element, look)]
  const icon = ICONS[id]
  return icon ? [...backMarks(element, look), iconIn(bounds, icon, 18, colours.launcherText)] : []
}

function backMarks({ id, bounds, focused, selected }: Element, { colours, hovered }: ShellLook): readonly Mark[] {
  const isLit = id === hovered || selected === true
  if (!focused && !isLit) return []
  return [
    box(bounds, {
      ...(isLit && { fill: colours.launcherHover }),
      ...(focused && { border: colours.ring, thickness: 2 }),
      radius: 4,
    }),
  ]
}

const TILE_PX = 48

/** A switch of the machine: a tile with an icon, filled while it is on, and its name below. */
function tileMarks({ id, bounds, name, selected, focused }: Element, look: ShellLook): readonly Mark[] {
  const { colours, style, theme, hovered } = look
  const isOn = selected === true
  const tile = { ...bounds, height: TILE_PX }
  const radius = style === 'windows' ? 4 : TILE_PX / 2
  const words = { ...bounds, y: bounds.y + TILE_PX + 4, height: bounds.height - TILE_PX - 6 }
  const icon = ICONS[id] ?? 'info'
  return [
    box(tile, {
      fill: isOn ? colours.accent : colours.launcherField,
      radius,
      ...(!isOn && { border: colours.launcherFieldEdge }),
    }),
    ...(id === hovered ? [box(tile, { fill: colours.launcherHover, radius })] : []),
    ...(focused ? [box(inset(tile, -3), { border: colours.ring, thickness: 2, radius: radius + 3 })] : []),
    iconIn(tile, icon, 18, isOn ? colours.onAccent : colours.launcherText),
    ...label(words, name, {
      font: { family: theme.type.family, size: 12, weight: 400 },
      colour: colours.launcherText,
      align: 'center',
    }),
  ]
}

const sliderIcon = ({ id, bounds, valueNow }: Element, { colours }: ShellLook): Mark => {
  const sound = valueNow === 0 ? 'sound-off' : 'sound'
  return iconIn(
    { ...bounds, x: bounds.x - 40, width: 32 },
    id === VOLUME_ID ? sound : 'brightness',
    18,
    colours.launcherText,
  )
}

/** A notification that is open. */
function noteMarks({ bounds, name, value }: Element, { colours, theme }: ShellLook): readonly Mark[] {
  const { family } = theme.type
  const words = { ...inset(bounds, 12, 0), height: 20 }
  const top = bounds.y + Math.floor((bounds.height - (value ? 40 : 20)) / 2)
  return [
    box(bounds, { fill: colours.launcherField, border: colours.launcherFieldEdge, radius: 6 }),
    ...label({ ...words, y: top }, name, { font: { family, size: 13, weight: 600 }, colour: colours.launcherText }),
    ...label({ ...words, y: top + 20 }, value ?? '', {
      font: { family, size: 12, weight: 400 },
      colour: colours.launcherMuted,
    }),
  ]
}

function wordsMarks({ id, bounds, name }: Element, { colours, theme }: ShellLook): readonly Mark[] {
  const isHeading = id === 'shell.notes.heading'
  const { x, y, width, height } = bounds
  return [
    ...label(bounds, name, {
      font: { family: theme.type.family, size: isHeading ? 14 : 13, weight: isHeading ? 600 : 400 },
      colour: isHeading ? colours.launcherText : colours.launcherMuted,
      ...(!isHeading && { align: 'center' as const }),
    }),
    ...(isHeading ? [solid({ x, y: y + height, width, height: 1 }, colours.launcherLine)] : []),
  ]
}

/** A layout of the keyboard: its code and its name. */
function layoutMarks({ bounds, name, value, selected }: Element, { colours, theme }: ShellLook): readonly Mark[] {
  const { family } = theme.type
  const mark = { x: bounds.x, y: bounds.y + ((bounds.height - 16) >> 1), width: 3, height: 16 }
  return [
    ...(selected ? [box(mark, { fill: colours.accent, radius: 1.5 })] : []),
    ...label({ ...bounds, x: bounds.x + 12, width: 40 }, value ?? '', {
      font: { family, size: 12, weight: 600 },
      colour: colours.launcherText,
    }),
    ...label({ ...bounds, x: bounds.x + 56, width: bounds.width - 64 }, name, {
      font: { family, size: 13, weight: 400 },
      colour: colours.launcherText,
    }),
  ]
}
