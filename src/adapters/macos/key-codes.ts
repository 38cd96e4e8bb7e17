/** The names of the key codes 0 to 53 of a US keyboard in order (`kVK_…` of HIToolbox). Null where no key here has the code. */
const FIRST: readonly (string | null)[] = [
  ...[...'asdfhgzxcv'],
  null,
  ...[...'bqweryt123465=97-80]ou[ip'],
  'enter',
  ...[..."lj'k;\\,/nm."],
  'tab',
  'space',
  '`',
  'backspace',
  null,
  'escape',
]

/** The codes of F1 to F12. */
const FUNCTION_KEYS = [122, 120, 99, 118, 96, 97, 98, 100, 101, 109, 103, 111]

/** Key codes by the names of `parseChord`. */
export const KEY_CODES: ReadonlyMap<string, number> = new Map<string, number>([
  ...FIRST.flatMap((key, code): [string, number][] => (key === null ? [] : [[key, code]])),
  ...FUNCTION_KEYS.map((code, index): [string, number] => [`f${index + 1}`, code]),
  ['meta', 55],
  ['shift', 56],
  ['capslock', 57],
  ['alt', 58],
  ['ctrl', 59],
  ['home', 115],
  ['pageup', 116],
  ['delete', 117],
  ['end', 119],
  ['pagedown', 121],
  ['left', 123],
  ['right', 124],
  ['down', 125],
  ['up', 126],
])
