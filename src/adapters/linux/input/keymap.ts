import { Fault } from '../../../base/fault.ts'
import type { Modifier } from '../../../desktop/input/action.ts'
import type { Chord } from '../../../desktop/input/keys.ts'

/** The keyboard mapping of an X server at one moment. */
export interface Keymap {
  readonly firstCode: number
  /** The keysyms of each keycode: two levels (plain, shifted) for each group. */
  readonly rows: readonly (readonly number[])[]
  /** The group (layout) in use, from 0. */
  readonly group: number
  /** The keycodes of the eight modifiers: shift, lock, control, mod1 … mod5. */
  readonly modifiers: readonly (readonly number[])[]
}

/** A key to press, with Shift for the upper character of the key. */
export interface KeyStroke {
  readonly code: number
  readonly shift: boolean
}

/** Unused keys to remap, and the keys to press while they are remapped. */
export interface KeyBatch {
  readonly remapped: readonly { readonly code: number; readonly keysym: number }[]
  readonly strokes: readonly KeyStroke[]
}

const CONTROL_CHARACTERS: Readonly<Record<string, number>> = { '\n': 0xff0d, '\r': 0xff0d, '\t': 0xff09 }
const UNICODE_KEYSYM = 0x0100_0000

/** The keysym of a character (X protocol, appendix A): the code point for Latin-1, a marked code point otherwise. */
export function keysymOf(character: string): number {
  const control = CONTROL_CHARACTERS[character]
  if (control !== undefined) return control
  const code = character.codePointAt(0)!
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code <= 0xdfff))
    throw new Fault('BadRequest', `U+${code.toString(16).padStart(4, '0')} cannot be typed; use press_key`)
  const latin = (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff)
  return latin ? code : UNICODE_KEYSYM + code
}

/** The X keysyms of named keys. */
const NAMED: Readonly<Record<string, number>> = {
  enter: 0xff0d,
  tab: 0xff09,
  escape: 0xff1b,
  backspace: 0xff08,
  delete: 0xffff,
  insert: 0xff63,
  home: 0xff50,
  end: 0xff57,
  pageup: 0xff55,
  pagedown: 0xff56,
  left: 0xff51,
  up: 0xff52,
  right: 0xff53,
  down: 0xff54,
  space: 0x20,
  menu: 0xff67,
  printscreen: 0xff61,
  pause: 0xff13,
  capslock: 0xffe5,
  numlock: 0xff7f,
  scrolllock: 0xff14,
  volumeup: 0x1008_ff13,
  volumedown: 0x1008_ff11,
  volumemute: 0x1008_ff12,
  playpause: 0x1008_ff14,
  browserback: 0x1008_ff26,
  browserforward: 0x1008_ff27,
  browserrefresh: 0x1008_ff29,
  help: 0xff6a,
  select: 0xff60,
  execute: 0xff62,
  kanji: 0xff21,
  nonconvert: 0xff22,
  convert: 0xff23,
  kana: 0xff2d,
  hangul: 0xff31,
  hanja: 0xff34,
  junja: 0xff38,
  sleep: 0x1008_ff2f,
  mediastop: 0x1008_ff15,
  prevtrack: 0x1008_ff16,
  nexttrack: 0x1008_ff17,
  browserhome: 0x1008_ff18,
  launchmail: 0x1008_ff19,
  browsersearch: 0x1008_ff1b,
  launchapp2: 0x1008_ff1d,
  browserstop: 0x1008_ff28,
  browserfavorites: 0x1008_ff30,
  launchmedia: 0x1008_ff32,
  launchapp1: 0x1008_ff33,
  ctrl: 0xffe3,
  shift: 0xffe1,
  alt: 0xffe9,
  meta: 0xffeb,
}
const F1 = 0xffbe
const CAPS_LOCK = NAMED.capslock!

/** The keysym of a key by its name, or by its character. Throws `PlatformUnsupported` for an unknown name. */
export const keysymOfKey = (key: string): number => {
  const named = NAMED[key]
  if (named !== undefined) return named
  const number = /^f(\d{1,2})$/.exec(key)?.[1]
  if (number !== undefined) return F1 + Number(number) - 1
  if ([...key].length === 1) return keysymOf(key)
  throw new Fault('PlatformUnsupported', `the keyboard of this desktop has no ${key} key`)
}

/** The row of each modifier in `Keymap.modifiers`. */
const MODIFIER_ROWS: Readonly<Record<Modifier, number>> = { shift: 0, ctrl: 2, alt: 3, meta: 6 }
const LOCK_ROW = 1

/** The keycode of a modifier. */
export function modifierCode(map: Keymap, modifier: Modifier): number {
  const named = codesOf(map).get(NAMED[modifier]!)?.code
  const code = named ?? map.modifiers[MODIFIER_ROWS[modifier]]?.find((candidate) => candidate !== 0)
  if (code === undefined || code === 0)
    throw new Fault('PlatformUnsupported', `the keyboard of this desktop has no ${modifier} key`)
  return code
}

/** The keycode of caps lock, if there is one. */
export const capsLockCode = (map: Keymap): number | undefined =>
  codesOf(map).get(CAPS_LOCK)?.code ?? map.modifiers[LOCK_ROW]?.find((code) => code !== 0)

/** Plans the typing of a text, in as few batches as the number of unused keys allows. */
export function planText(map: Keymap, text: string): readonly KeyBatch[] {
  const codes = codesOf(map)
  const spare = unusedCodes(map)
  const batches: { remapped: { code: number; keysym: number }[]; strokes: KeyStroke[] }[] = []
  let remapped = new Map<number, number>()
  let batch = { remapped: [] as { code: number; keysym: number }[], strokes: [] as KeyStroke[] }
  const finish = () => {
    if (batch.strokes.length > 0) batches.push(batch)
    batch = { remapped: [], strokes: [] }
    remapped = new Map()
  }
  for (const character of text.replaceAll('\r\n', '\n')) {
    const keysym = keysymOf(character)
    const own = codes.get(keysym)
    if (own) {
      batch.strokes.push(own)
      continue
    }
    let code = remapped.get(keysym)
    if (code === undefined) {
      if (spare.length === 0) throw noUnusedKey(character)
      if (remapped.size >= spare.length) finish()
      code = spare[remapped.size]!
      remapped.set(keysym, code)
      batch.remapped.push({ code, keysym })
    }
    batch.strokes.push({ code, shift: false })
  }
  finish()
  return batches
}

/** Plans a key press with modifiers. Adds Shift for a character that needs it. */
export function planChord(map: Keymap, chord: Chord): KeyBatch & { readonly held: readonly number[] } {
  const keysym = keysymOfKey(chord.key)
  const own = codesOf(map).get(keysym)
  const held = new Set(chord.modifiers.map((modifier) => modifierCode(map, modifier)))
  if (own) {
    if (own.shift) held.add(modifierCode(map, 'shift'))
    return { remapped: [], strokes: [{ code: own.code, shift: false }], held: [...held] }
  }
  const code = unusedCodes(map)[0]
  if (code === undefined) throw noUnusedKey(chord.key)
  return { remapped: [{ code, keysym }], strokes: [{ code, shift: false }], held: [...held] }
}

/** The keycodes without any keysym, which can be remapped. */
export function unusedCodes({ firstCode, rows }: Keymap): readonly number[] {
  const spare: number[] = []
  rows.forEach((row, index) => {
    if (row.every((keysym) => keysym === 0)) spare.push(firstCode + index)
  })
  return spare
}

/** The key of each keysym in the active group. The plain level and the first key take precedence. */
function codesOf({ firstCode, rows, group }: Keymap): ReadonlyMap<number, KeyStroke> {
  const codes = new Map<number, KeyStroke>()
  const add = (keysym: number | undefined, code: number, shift: boolean) => {
    if (keysym && !codes.has(keysym)) codes.set(keysym, { code, shift })
  }
  for (const shift of [false, true])
    rows.forEach((row, index) => {
      add(keysymIn(row, group, shift), firstCode + index, shift)
    })
  return codes
}

/**
 * The keysym of a key in a group, 0 where it is not known. A key without a second group is the same in all groups. Where a third one
 * begins depends on the levels of the first two, which the core protocol leaves out.
 */
function keysymIn(row: readonly number[], group: number, shift: boolean): number {
  const isKnown = group < 2 || row.slice(2).every((keysym) => keysym === 0 || keysym === row[0])
  if (!isKnown) return 0
  const first = group === 1 && (row[2] || row[3]) ? 2 : 0
  const plain = row[first] ?? 0
  return shift ? row[first + 1] || capitalOf(plain) : plain
}

/** Whether keys produce these characters, one each, in the active group. */
export const areTypedBy = (map: Keymap, strokes: readonly KeyStroke[], characters: readonly string[]): boolean =>
  strokes.every(
    ({ code, shift }, index) =>
      keysymIn(map.rows[code - map.firstCode] ?? [], map.group, shift) === keysymOf(characters[index]!),
  )

/** A key with only a lower-case letter produces the capital with Shift (X protocol, "Keyboards"). */
function capitalOf(keysym: number): number {
  if (keysym < 0x61 || keysym > 0xfe) return 0
  const capital = String.fromCodePoint(keysym).toUpperCase()
  return capital.length === 1 ? capital.codePointAt(0)! : 0
}

const noUnusedKey = (character: string): Fault =>
  new Fault(
    'PlatformUnsupported',
    `the keyboard of this desktop cannot type ${JSON.stringify(character)} and has no unused key to remap; use set_value`,
  )
