import type { Desktop } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { shellText } from '../model/shell-texts.ts'
import { textWidth } from '../model/width.ts'
import { shellButton } from './parts.ts'
import { BATTERY_ID, INPUT_ID, type MachineStates, NETWORK_ID, SOUND_ID } from './states.ts'

const QUICK = { does: 'flyout', flyout: 'quick-settings' } as const
const STATE_COUNT = 3

/** The width of the buttons of network, sound and battery, each of a width. */
export const statesWidth = (cell: number): number => STATE_COUNT * cell

/** The buttons of network, sound and battery in an area, each of a width. They open the quick settings. */
export const stateButtons = (
  desktop: Desktop,
  { x, y, height }: Rect,
  width: number,
  { network, sound, battery }: MachineStates,
): readonly Element[] =>
  [
    { id: NETWORK_ID, name: shellText(desktop, 'Network'), value: shellText(desktop, network) },
    { id: SOUND_ID, name: shellText(desktop, 'Sound'), value: `${sound}%` },
    { id: BATTERY_ID, name: shellText(desktop, 'Battery'), value: `${battery}%` },
  ].map(({ id, name, value }, index) =>
    shellButton(id, name, { x: x + index * width, y, width, height }, { command: QUICK }, { value }),
  )

/** The width of the button of the layout of the keyboard. */
export const inputWidth = ({ input }: MachineStates): number => Math.ceil(textWidth(input, 13)) + 16

/** The button of the layout of the keyboard. Its name is the code of the layout. */
export const inputButton = (desktop: Desktop, bounds: Rect, { input }: MachineStates): Element =>
  shellButton(
    INPUT_ID,
    input,
    bounds,
    { command: { does: 'flyout', flyout: 'input' } },
    { description: shellText(desktop, 'Input language') },
  )

/** The button with the time, which opens the calendar. */
export const clockButton = (bounds: Rect, text: string): Element =>
  shellButton('shell.clock', text, bounds, { command: { does: 'flyout', flyout: 'calendar' } })
