import type { Desktop } from '../model/desktop.ts'
import { nodeById } from '../model/element.ts'
import { isShellText } from '../model/shell-texts.ts'

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
  /** The sign of its letters, which the style `windows` shows instead of its code. */
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
