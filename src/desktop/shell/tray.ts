import { type DateNames, type Desktop, ENGLISH_DATE_NAMES } from '../model/desktop.ts'
import { type Element, nodeById } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { isShellText, shellText } from '../model/shell-texts.ts'
import { textWidth } from '../model/text-width.ts'
import { shellButton } from './shell-elements.ts'

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

/** What the tray shows of the machine. Its flyouts change it, and it lasts as long as the bar. */
export interface MachineStates {
  readonly network: 'Connected' | 'Not connected'
  /** In per cent. */
  readonly sound: number
  readonly battery: number
  /** The code of the layout of the keyboard. */
  readonly input: string
}

/** A layout of the keyboard. */
export interface InputLayout {
  readonly code: string
  readonly name: string
  /** The language that it is for. */
  readonly language: string
  /** The sign of its letters, which most styles show instead of its code. */
  readonly sign?: string
}

/** The layouts that every desktop offers. */
const COMMON_LAYOUTS: readonly InputLayout[] = [
  { code: 'ENG', name: 'English', language: 'en' },
  { code: 'DEU', name: 'Deutsch', language: 'de' },
  { code: 'FRA', name: 'Français', language: 'fr' },
]

/** The layouts that desktops in these languages offer as well. */
const OTHER_LAYOUTS: readonly InputLayout[] = [
  { code: 'ARA', name: 'العربية', language: 'ar', sign: 'ع' },
  { code: 'HEB', name: 'עברית', language: 'he', sign: 'ע' },
  { code: 'JPN', name: '日本語', language: 'ja', sign: 'あ' },
  { code: 'CHS', name: '中文', language: 'zh', sign: '中' },
]

/** The layouts of the keyboard that a desktop offers, that of its language first. */
export function inputLayoutsOf({ language = 'en' }: Pick<Desktop, 'language'>): readonly InputLayout[] {
  const isOwn = (layout: InputLayout) => layout.language === language
  return [...COMMON_LAYOUTS, ...OTHER_LAYOUTS].filter(isOwn).concat(COMMON_LAYOUTS.filter((layout) => !isOwn(layout)))
}

/** The layout of the keyboard with a code. */
export const inputLayout = (code: string): InputLayout | undefined =>
  [...COMMON_LAYOUTS, ...OTHER_LAYOUTS].find((layout) => layout.code === code)

export const NETWORK_ID = 'shell.network'
export const SOUND_ID = 'shell.sound'
export const BATTERY_ID = 'shell.battery'
export const INPUT_ID = 'shell.input'

/** In the quick settings. */
export const WIFI_ID = 'shell.quick.wifi'
export const VOLUME_ID = 'shell.quick.volume'

/** The states that the windows of a shell show: those of an open flyout, otherwise those of the bar. */
export function machineStatesOf(desktop: Pick<Desktop, 'shell' | 'language'>): MachineStates {
  const found = (id: string) => {
    for (const { tree } of desktop.shell?.windows ?? []) {
      const element = nodeById(tree, id)
      if (element) return element
    }
    return undefined
  }
  const wifi = found(WIFI_ID)?.selected
  const isOff = wifi === undefined ? isShellText(found(NETWORK_ID)?.value ?? '', 'Not connected') : wifi === false
  const sound = found(VOLUME_ID)?.valueNow ?? Number.parseInt(found(SOUND_ID)?.value ?? '60', 10)
  return {
    network: isOff ? 'Not connected' : 'Connected',
    sound,
    battery: 85,
    input: found(INPUT_ID)?.name ?? inputLayoutsOf(desktop)[0]!.code,
  }
}

type Timed = Pick<Desktop, 'nowMs' | 'dateNames'>

const two = (number: number): string => String(number).padStart(2, '0')
const timeOf = (time: Date): string => `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`

/** Replaces the letters of a format. */
const formatted = (format: string, parts: Readonly<Record<string, string | number>>): string =>
  format.replace(/[dmyME]/g, (letter) => String(parts[letter] ?? letter))

const partsOf = (time: Date, { shortMonths, weekdays, shortWeekdays = weekdays }: DateNames) => ({
  d: time.getUTCDate(),
  m: time.getUTCMonth() + 1,
  y: time.getUTCFullYear(),
  M: shortMonths[time.getUTCMonth()]!,
  E: shortWeekdays[(time.getUTCDay() + 6) % 7]!,
})

/** `14:05  12 Mar 2024`, in UTC, so that it is the same everywhere. Empty without a time. */
export function clockText({ nowMs, dateNames = ENGLISH_DATE_NAMES }: Timed): string {
  if (nowMs === undefined) return ''
  const time = new Date(nowMs)
  const { d, y, M } = partsOf(time, dateNames)
  return `${timeOf(time)}  ${formatted(dateNames.clockDate, { d, y, M })}`
}

/** The clock of a shell, in UTC: `14:05  3/12/2024` with the date in numbers, `Tue Mar 12  14:05` with the day. */
export function shellClockText({ nowMs, dateNames = ENGLISH_DATE_NAMES }: Timed, date: 'numbers' | 'day'): string {
  if (nowMs === undefined) return ''
  const time = new Date(nowMs)
  const { d, m, y, M, E } = partsOf(time, dateNames)
  if (date === 'numbers') return `${timeOf(time)}  ${formatted(dateNames.numericDate ?? 'm/d/y', { d, m, y })}`
  return `${formatted(dateNames.clockDay ?? 'E M d', { d, M, E })}  ${timeOf(time)}`
}
