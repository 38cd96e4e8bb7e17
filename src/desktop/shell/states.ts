import type { Window } from '../model/desktop.ts'
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

/** The layouts of the keyboard that a desktop offers, by their codes. */
export const INPUT_LAYOUTS = [
  { code: 'ENG', name: 'English' },
  { code: 'DEU', name: 'Deutsch' },
  { code: 'FRA', name: 'Français' },
] as const

export const NETWORK_ID = 'shell.network'
export const SOUND_ID = 'shell.sound'
export const BATTERY_ID = 'shell.battery'
export const INPUT_ID = 'shell.input'

/** In the quick settings. */
export const WIFI_ID = 'shell.quick.wifi'
export const VOLUME_ID = 'shell.quick.volume'

/** The states that the windows of a shell show: those of an open flyout, otherwise those of the bar. */
export function machineStatesOf(windows: readonly Window[] = []): MachineStates {
  const found = (id: string) => {
    for (const { tree } of windows) {
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
    input: found(INPUT_ID)?.name ?? INPUT_LAYOUTS[0].code,
  }
}
