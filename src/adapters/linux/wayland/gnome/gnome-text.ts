import { Fault } from '../../../../base/fault.ts'
import { keysymOf } from '../../input/keymap.ts'
import { usKey } from '../xkb.ts'
import type { GnomeDescription } from './gnome-shell.ts'

/** A key: by the keysym that the active layout has for it, or by its evdev code, which is the same in all layouts. */
export type GnomeKey = { readonly keysym: number } | { readonly code: number }

/** A part of a text: keys to press, or text that is entered as an input method does. */
export type GnomeTextPart = { readonly keys: readonly GnomeKey[] } | { readonly commit: string }

/** What decides how a character is typed. */
export type GnomeKeyboard = Pick<GnomeDescription, 'layout' | 'isCapsLocked' | 'takesText'>

/** The printable characters of ASCII that a layout of xkeyboard-config has no key for, or a dead one. Others are not known. */
const WITHOUT_KEY: Readonly<Record<string, string>> = {
  us: '',
  'us+intl': '"^~',
  'us+altgr-intl': '',
  'us+dvorak': '',
  'us+colemak': '~',
  gb: '<>',
  'gb+extd': '<>`|',
  ie: '',
  ca: '^`',
  'ca+eng': '',
  au: '',
  nz: '',
  de: '^`',
  'de+nodeadkeys': '',
  'de+mac': '#\\^`~',
  at: '^`',
  ch: '$<>^`~',
  'ch+fr': '$<>^`~',
  fr: '$<>',
  'fr+oss': '',
  'fr+bepo': '',
  be: '$<>`~',
  nl: '[]^`',
  es: '<>^`',
  'es+nodeadkeys': '<>',
  latam: '<>^`',
  pt: '<>^`~',
  'pt+nodeadkeys': '<>',
  br: '<>^`',
  it: '<>',
  dk: '<>^`~',
  'dk+nodeadkeys': '<>',
  no: '<>^`~',
  'no+nodeadkeys': '<>',
  se: '<>^`~',
  'se+nodeadkeys': '<>',
  fi: '<>^`|~',
  pl: '',
  'pl+dvorak': '',
  cz: '<>',
  'cz+qwerty': ':<>{}',
  sk: '<>',
  hu: '&<',
  ro: '',
  hr: "'",
  si: "'^`~",
  'rs+latin': "'^`~",
  tr: '',
  ee: '~',
  lv: '',
  lt: '!#$%&*+<>@^',
  is: '<>',
  mt: '<>|',
  vn: '!#0123456789=@[]{}',
  kr: '',
  jp: '',
  cn: '',
  tw: '',
  in: '!"\'+:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]_abcdefghijklmnopqrstuvwxyz{|}~',
  za: '<>',
  al: '<>',
  ba: "'^`~",
  me: "'^`~",
}

const CONTROL_KEYS: Readonly<Record<string, string>> = { '\n': 'enter', '\r': 'enter', '\t': 'tab' }

/** Whether the keys of the active layout are known. */
export const hasKnownKeys = ({ layout }: Pick<GnomeKeyboard, 'layout'>): boolean =>
  layout?.type === 'xkb' && WITHOUT_KEY[layout.id] !== undefined

/** The key of a character. Undefined when the active layout may have none: GNOME drops the key of a character that it does not know. */
function keyOfCharacter(character: string, { layout, isCapsLocked }: GnomeKeyboard): GnomeKey | undefined {
  const control = CONTROL_KEYS[character]
  if (control !== undefined) return { code: usKey(control)!.code }
  if (!hasKnownKeys({ layout }) || !/^[ -~]$/.test(character)) return undefined
  if (WITHOUT_KEY[layout!.id]!.includes(character)) return undefined
  // GNOME chooses a key without a thought to caps lock.
  if (isCapsLocked && /[a-z]/i.test(character)) return undefined
  return { keysym: keysymOf(character) }
}

/**
 * Plans the typing of a text in any script: all of it by key, or, where a character has no key, all but line ends and tabs as an input
 * method does, because programs may handle that sooner than the keys before it. Throws `BadRequest` for characters that are no text, and
 * `PlatformUnsupported` where a character has no key and nothing takes text from an input method.
 */
export function planGnomeText(text: string, keyboard: GnomeKeyboard): readonly GnomeTextPart[] {
  const characters = [...text.replaceAll('\r\n', '\n')]
  // Refuses control characters.
  for (const character of characters) keysymOf(character)
  const withoutKey = characters.find((character) => !keyOfCharacter(character, keyboard))
  if (withoutKey !== undefined && !keyboard.takesText) throw noKey(withoutKey, keyboard)
  const parts: ({ keys: GnomeKey[] } | { commit: string })[] = []
  for (const character of characters) {
    const last = parts.at(-1)
    if (withoutKey === undefined || CONTROL_KEYS[character]) {
      const key = keyOfCharacter(character, keyboard)!
      if (last && 'keys' in last) last.keys.push(key)
      else parts.push({ keys: [key] })
      continue
    }
    if (last && 'commit' in last) last.commit += character
    else parts.push({ commit: character })
  }
  return parts
}

/** The key of a chord: that of the layout for a character, else that at the place of a US keyboard. Undefined without one. */
export function gnomeKey(key: string, keyboard: GnomeKeyboard): (GnomeKey & { readonly shift?: boolean }) | undefined {
  const isSingle = [...key].length === 1
  const ofLayout = isSingle ? keyOfCharacter(key, keyboard) : undefined
  // Shortcuts are the same with caps lock, and in other layouts programs look at the place of the key.
  return ofLayout ?? usKey(key)
}

/** The fault for a character that cannot be entered where the keyboard is. */
export const noKey = (character: string, { layout }: Pick<GnomeKeyboard, 'layout'>): Fault =>
  new Fault(
    'PlatformUnsupported',
    `${JSON.stringify(character)} cannot be typed here: the keyboard layout ${layout?.id ?? 'of this desktop'} is not known to have a key for it, and what has the keyboard takes no text from an input method; use set_value, or set_clipboard and ctrl+v`,
  )

/** The fault for text that was entered as an input method does, and that changed nothing. `typed` characters were typed before. */
export const notTaken = (text: string, typed: number): Fault =>
  new Fault(
    'PlatformUnsupported',
    `${JSON.stringify(text)} was entered after ${typed} characters, but what has the keyboard did not change; focus a field that takes text`,
    { typed },
  )
