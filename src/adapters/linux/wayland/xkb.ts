import { Fault } from '../../../base/fault.ts'
import type { Modifier } from '../../../desktop/input/action.ts'
import { keysymOf } from '../input/keymap.ts'

/** A key of a keymap, by its evdev code, with Shift for its upper character. */
export interface EvdevKey {
  readonly code: number
  readonly shift: boolean
}

/** The evdev codes of the modifiers, and their bits in the state of the keyboard. */
export const XKB_MODIFIERS: Readonly<Record<Modifier, { readonly code: number; readonly mask: number }>> = {
  shift: { code: 42, mask: 1 << 0 },
  ctrl: { code: 29, mask: 1 << 2 },
  alt: { code: 56, mask: 1 << 3 },
  meta: { code: 125, mask: 1 << 6 },
}

/** The keymap of a US keyboard, in which keys have their usual codes: programs also look at those. */
export const US_KEYMAP = `xkb_keymap {
xkb_keycodes { include "evdev+aliases(qwerty)" };
xkb_types { include "complete" };
xkb_compat { include "complete" };
xkb_symbols { include "pc+us+inet(evdev)" };
};
`

/** The rows of a US keyboard: the code of the first key, its characters, and those with Shift. */
const ROWS: readonly (readonly [first: number, plain: string, shifted: string])[] = [
  [2, '1234567890-=', '!@#$%^&*()_+'],
  [16, 'qwertyuiop[]', 'QWERTYUIOP{}'],
  [30, "asdfghjkl;'`", 'ASDFGHJKL:"~'],
  [43, '\\zxcvbnm,./', '|ZXCVBNM<>?'],
]

const NAMED: Readonly<Record<string, number>> = {
  escape: 1,
  backspace: 14,
  tab: 15,
  enter: 28,
  ctrl: 29,
  shift: 42,
  alt: 56,
  space: 57,
  ' ': 57,
  capslock: 58,
  numlock: 69,
  scrolllock: 70,
  printscreen: 99,
  home: 102,
  up: 103,
  pageup: 104,
  left: 105,
  right: 106,
  end: 107,
  down: 108,
  pagedown: 109,
  insert: 110,
  delete: 111,
  volumemute: 113,
  volumedown: 114,
  volumeup: 115,
  pause: 119,
  meta: 125,
  menu: 127,
  browserback: 158,
  browserforward: 159,
  nexttrack: 163,
  playpause: 164,
  prevtrack: 165,
  mediastop: 166,
  browserrefresh: 173,
}

/** The codes of F1 to F12. */
const FUNCTION_KEYS: readonly number[] = [59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 87, 88]

const US_KEYS: ReadonlyMap<string, EvdevKey> = new Map([
  ...ROWS.flatMap(([first, plain, shifted]) =>
    [plain, shifted].flatMap((row, level) =>
      [...row].map((character, at) => [character, { code: first + at, shift: level === 1 }] as const),
    ),
  ),
  ...Object.entries(NAMED).map(([name, code]) => [name, { code, shift: false }] as const),
  ...FUNCTION_KEYS.map((code, at) => [`f${at + 1}`, { code, shift: false }] as const),
])

/** A key of the US keyboard by its name, or by its character. Undefined for another character. */
export function usKey(key: string): EvdevKey | undefined {
  const known = US_KEYS.get(key)
  if (known || [...key].length === 1) return known
  throw new Fault('PlatformUnsupported', `the keyboard of this desktop has no ${key} key`)
}

/** The codes of keys that type. Chromium looks at the code too: of other keys it ignores the character, or acts. */
const TYPING_CODES: readonly number[] = ROWS.flatMap(([first, plain]) => [...plain].map((_, at) => first + at))

const OTHER_ACTING_CODES = [
  54, 55, 96, 97, 98, 100, 116, 117, 118, 121, 126, 128, 142, 150, 152, 155, 172, 217, 224, 225,
]
const KEYPAD = Array.from({ length: 13 }, (_, index) => 71 + index)

/** Further codes for characters: Xwayland passes a keymap on late, so it gets as few of them as possible. */
const MANY_CODES: readonly number[] = Array.from({ length: 246 }, (_, index) => index + 2).filter(
  (code) =>
    !Object.values(NAMED).includes(code) && ![...FUNCTION_KEYS, ...KEYPAD, ...OTHER_ACTING_CODES].includes(code),
)

interface TextPlanOptions {
  /** Whether the text is for a program of Xwayland. */
  readonly isXwayland?: boolean
  /** Whether each half of a surrogate pair has a key. */
  readonly inHalves?: boolean
}

/** A part of a text whose characters fit into one keymap. */
export interface TextPart {
  readonly keymap: string
  /** The code of each character, in order. */
  readonly codes: readonly number[]
}

/** Plans the typing of a text in any script. Throws `BadRequest` for characters that no key types. */
export function planTextParts(
  text: string,
  { isXwayland = false, inHalves = false }: TextPlanOptions = {},
): readonly TextPart[] {
  const available = isXwayland ? MANY_CODES : TYPING_CODES
  const parts: TextPart[] = []
  let symbols = new Map<string, number>()
  let codes: number[] = []
  const finish = () => {
    if (codes.length > 0) parts.push({ keymap: keymapOf([...symbols]), codes })
    symbols = new Map()
    codes = []
  }
  for (const character of text.replaceAll('\r\n', '\n')) {
    const symbol = symbolOf(character)
    const halves = inHalves && character.length > 1 ? character.split('').map(unicodeSymbol) : [symbol]
    for (const each of halves) {
      if (!symbols.has(each) && symbols.size === available.length) finish()
      const code = symbols.get(each) ?? available[symbols.size]!
      symbols.set(each, code)
      codes.push(code)
    }
  }
  finish()
  return parts
}

const CONTROL_SYMBOLS: Readonly<Record<string, string>> = { '\n': 'Return', '\r': 'Return', '\t': 'Tab' }

/** The name of the keysym of a character. */
function symbolOf(character: string): string {
  const control = CONTROL_SYMBOLS[character]
  if (control !== undefined) return control
  keysymOf(character)
  return unicodeSymbol(character)
}

const unicodeSymbol = (character: string): string =>
  `U${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

/** XKB counts keys from eight. */
const XKB_OFFSET = 8

const MODIFIER_KEYS: readonly (readonly [name: string, symbol: string, modifier: Modifier, real: string])[] = [
  ['LFSH', 'Shift_L', 'shift', 'Shift'],
  ['LCTL', 'Control_L', 'ctrl', 'Control'],
  ['LALT', 'Alt_L', 'alt', 'Mod1'],
  ['LWIN', 'Super_L', 'meta', 'Mod4'],
]

/** A keymap with one symbol for each key, and the modifiers at their usual codes. */
const keymapOf = (symbols: readonly (readonly [symbol: string, code: number])[]): string => `xkb_keymap {
xkb_keycodes "text" {
minimum = 8;
maximum = 708;
${MODIFIER_KEYS.map(([name, , modifier]) => `<${name}> = ${XKB_MODIFIERS[modifier].code + XKB_OFFSET};`).join('\n')}
${symbols.map(([, code]) => `<K${code}> = ${code + XKB_OFFSET};`).join('\n')}
};
xkb_types "text" { include "complete" };
xkb_compatibility "text" { include "complete" };
xkb_symbols "text" {
${MODIFIER_KEYS.map(([name, symbol, , real]) => `key <${name}> { [ ${symbol} ] }; modifier_map ${real} { <${name}> };`).join('\n')}
${symbols.map(([symbol, code]) => `key <K${code}> { [ ${symbol} ] };`).join('\n')}
};
};
`
