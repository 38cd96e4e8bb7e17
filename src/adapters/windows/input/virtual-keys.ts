/** A key of Windows: its number, and whether it is one of those that a second block of keys has too. */
export interface VirtualKey {
  readonly code: number
  /** Arrows, navigation keys and the like of the second block, which share scan codes with the number pad. */
  readonly extended?: true
}

const extended = (code: number): VirtualKey => ({ code, extended: true })
const key = (code: number): VirtualKey => ({ code })

/** The keys by the names that `parseChord` returns. Characters depend on the keyboard layout and are not here. */
export const VIRTUAL_KEYS: ReadonlyMap<string, VirtualKey> = new Map([
  ['ctrl', key(0x11)],
  ['shift', key(0x10)],
  ['alt', key(0x12)],
  ['meta', extended(0x5b)],
  ['enter', key(0x0d)],
  ['tab', key(0x09)],
  ['escape', key(0x1b)],
  ['backspace', key(0x08)],
  ['space', key(0x20)],
  ['delete', extended(0x2e)],
  ['insert', extended(0x2d)],
  ['home', extended(0x24)],
  ['end', extended(0x23)],
  ['pageup', extended(0x21)],
  ['pagedown', extended(0x22)],
  ['left', extended(0x25)],
  ['up', extended(0x26)],
  ['right', extended(0x27)],
  ['down', extended(0x28)],
  ['menu', extended(0x5d)],
  ['printscreen', extended(0x2c)],
  ['pause', key(0x13)],
  ['capslock', key(0x14)],
  ['numlock', extended(0x90)],
  ['scrolllock', key(0x91)],
  ['volumemute', extended(0xad)],
  ['volumedown', extended(0xae)],
  ['volumeup', extended(0xaf)],
  ['playpause', extended(0xb3)],
  ['browserback', extended(0xa6)],
  ['browserforward', extended(0xa7)],
  ['browserrefresh', extended(0xa8)],
  ['help', key(0x2f)],
  ...Array.from({ length: 24 }, (_, index) => [`f${index + 1}`, key(0x70 + index)] as const),
])

/** The keys that change what other keys do. */
export const MODIFIER_KEYS = ['ctrl', 'shift', 'alt', 'meta'] as const
