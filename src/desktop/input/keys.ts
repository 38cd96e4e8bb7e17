import { Fault } from '../../base/fault.ts'
import { suggest } from '../../base/text/suggest.ts'
import type { Modifier } from './action.ts'
import { KEY_NAMES } from './key-names.ts'

/** One key pressed together with modifiers. */
export interface Chord {
  readonly modifiers: readonly Modifier[]
  /** A name of the table below, or the one character that the key types. */
  readonly key: string
}

/**
 * More names of keys, beside those of the dialects in `key-names.ts`: of the observer document, Windows (`VK_…`), macOS and
 * web pages. Case, blanks, dashes and underscores do not matter.
 */
const KEYS: Readonly<Record<string, string>> = {
  enter: 'ret vkreturn ↵ ⏎ numpadenter newline',
  tab: 'vktab ⇥',
  escape: 'vkescape ⎋',
  backspace: 'back vkback bksp ⌫',
  delete: 'vkdelete forwarddelete ⌦',
  insert: 'vkinsert',
  home: 'vkhome ↖',
  end: 'vkend ↘',
  pageup: 'vkprior ⇞',
  pagedown: 'pgdown vknext ⇟',
  left: 'leftarrow vkleft ←',
  right: 'rightarrow vkright →',
  up: 'uparrow vkup ↑',
  down: 'downarrow vkdown ↓',
  space: 'spacebar vkspace',
  menu: 'vkapps',
  printscreen: 'prtscn snapshot vksnapshot',
  pause: 'vkpause',
  capslock: 'caps vkcapital ⇪',
  numlock: 'vknumlock vkclear',
  scrolllock: 'vkscroll',
  volumeup: 'vkvolumeup',
  volumedown: 'vkvolumedown',
  volumemute: 'vkvolumemute mute',
  playpause: 'vkmediaplaypause',
  browserback: 'vkbrowserback',
  browserforward: 'vkbrowserforward',
  browserrefresh: 'vkbrowserrefresh',
  help: 'vkhelp',
}

const MODIFIERS: Readonly<Record<Modifier, string>> = {
  ctrl: 'ctl ctrll ctrlr lctrl rctrl controlleft controlright vkcontrol vklcontrol vkrcontrol ⌃',
  shift: 'lshift rshift vkshift vklshift vkrshift ⇧',
  alt: 'opt lalt ralt altgr vkmenu vklmenu vkrmenu ⌥',
  meta: 'windows lwin rwin metaleft metaright commandleft commandright hyper vklwin vkrwin os ⌘',
}

/** More names of characters. */
const CHARACTERS: Readonly<Record<string, string>> = {
  hyphen: '-',
  dot: '.',
  vkmultiply: '*',
  vkadd: '+',
  vksubtract: '-',
  vkdivide: '/',
  vkdecimal: '.',
  tilde: '~',
  vkoemplus: '=',
  vkoemminus: '-',
  vkoemcomma: ',',
  vkoemperiod: '.',
}

const spelling = (part: string): string => part.toLowerCase().replace(/[ _-]/g, '')

const isModifier = (key: string): key is Modifier => Object.hasOwn(MODIFIERS, key)

const keys = new Map<string, string>()
const modifiers = new Map<string, Modifier>()
for (const [key, names] of KEY_NAMES)
  for (const name of [key, ...Object.values(names).flat()].filter(isWord))
    if (isModifier(key)) modifiers.set(spelling(name), key)
    else keys.set(spelling(name), key)
for (const [name, spellings] of Object.entries(KEYS)) for (const each of spellings.split(' ')) keys.set(each, name)
for (let number = 1; number <= 24; number++) keys.set(`vkf${number}`, `f${number}`)
for (const [name, character] of Object.entries(CHARACTERS)) keys.set(name, character)
for (let digit = 0; digit <= 9; digit++)
  for (const each of [`numpad${digit}`, `vknumpad${digit}`, `vk${digit}`]) keys.set(each, String(digit))
for (const letter of 'abcdefghijklmnopqrstuvwxyz') keys.set(`vk${letter}`, letter)
for (const [name, spellings] of Object.entries(MODIFIERS))
  for (const each of spellings.split(' ')) modifiers.set(each, name as Modifier)

/** A character names itself, in the case in which it is written. */
function isWord(name: string): boolean {
  return [...name].length > 1
}

/** The order of modifiers in a chord. */
export const MODIFIER_ORDER: readonly Modifier[] = ['ctrl', 'shift', 'alt', 'meta']
const MAX_CHORD_CHARACTERS = 200

/** Parses `ctrl+shift+n`, `Return`, `Control_L+a`, `cmd+c` or a single character. Throws `BadRequest`. */
export function parseChord(text: string): Chord {
  const parts = partsOf(text)
  const last = parts.pop()!
  const held = new Set<Modifier>()
  for (const part of parts) {
    const modifier = modifiers.get(spelling(part))
    if (!modifier) throw notAModifier(text, part)
    held.add(modifier)
  }
  const key = keyOf(last)
  if (!key) throw unknownKey(text, last)
  return { modifiers: MODIFIER_ORDER.filter((modifier) => held.has(modifier)), key }
}

/** The one key of a name in any dialect, such as `ctrl` for `Control_L`. Throws `BadRequest` for a chord or an unknown name. */
export function parseKey(text: string): string {
  const { modifiers: held, key } = parseChord(text)
  if (held.length === 0) return key
  throw new Fault('BadRequest', `${JSON.stringify(text)} is several keys; give one, such as "ctrl"`, { keys: text })
}

/** The modifier that a key is. Undefined for other keys. */
export const modifierOf = (key: string): Modifier | undefined => (isModifier(key) ? key : undefined)

/** The canonical spelling of a chord: modifiers in the order ctrl, shift, alt, meta, then the key. */
export function formatChord({ modifiers, key }: Chord): string {
  return [...modifiers, key === '+' ? 'plus' : key].join('+')
}

/**
 * Whether two spellings are the same keys, by whichever keys a character is typed: `ctrl++` is `ctrl+shift+=`, and `A` is
 * `shift+a`. False if one of them cannot be parsed.
 */
export function sameChord(a: string, chord: Chord): boolean {
  try {
    const wanted = pressesOf(chord)
    return pressesOf(parseChord(a)).some((press) => wanted.includes(press))
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

/** The keys of a US keyboard that type another sign with shift, and these signs. */
const US_SIGNS = '`~1!2@3#4$5%6^7&8*9(0)-_=+[{]}\\|;:\'",<.>/?'
const SHIFTED_SIGNS: ReadonlyMap<string, string> = new Map(
  (US_SIGNS.match(/../g) ?? []).map(([plain, shifted]) => [plain!, shifted!]),
)

/**
 * The character that a chord types, or undefined for a command: `a`, `shift+a`, `space`; not `ctrl+a`. With shift, signs
 * and digits type what is above them on a US keyboard.
 */
export function characterOf({ modifiers, key }: Chord): string | undefined {
  if (modifiers.some((modifier) => modifier !== 'shift')) return undefined
  if (key === 'space') return ' '
  if ([...key].length !== 1) return undefined
  return modifiers.includes('shift') ? (SHIFTED_SIGNS.get(key) ?? key.toUpperCase()) : key
}

const SIGNS_WITH_SHIFT: ReadonlySet<string> = new Set(SHIFTED_SIGNS.values())

/**
 * The canonical spellings of what a chord may press. A sign that needs shift has it already. A capital letter alone is the
 * letter, as in menus, or the letter with shift.
 */
function pressesOf({ modifiers, key }: Chord): readonly string[] {
  const others = modifiers.filter((modifier) => modifier !== 'shift')
  const isShifted = others.length < modifiers.length
  const sign = isShifted ? (SHIFTED_SIGNS.get(key) ?? key) : key
  if (SIGNS_WITH_SHIFT.has(sign)) return [formatChord({ modifiers: others, key: sign })]
  const letter = key.toLowerCase()
  const plain = formatChord({ modifiers, key: letter })
  const isCapital = letter !== key && [...key].length === 1
  return isCapital && modifiers.length === 0 ? [plain, formatChord({ modifiers: ['shift'], key: letter })] : [plain]
}

/** Characters that name a key and would be trimmed. */
const BLANKS: ReadonlyMap<string, string> = new Map([
  [' ', 'space'],
  ['\n', 'enter'],
  ['\r', 'enter'],
  ['\t', 'tab'],
])

/** Splits at plus signs, except if a plus is itself the key: `ctrl++`, `+`. */
function partsOf(text: string): string[] {
  const trimmed = BLANKS.get(text) ?? text.trim()
  if (trimmed === '') throw new Fault('BadRequest', 'no key was given; write one such as "enter" or "ctrl+s"')
  if (trimmed.length > MAX_CHORD_CHARACTERS)
    throw new Fault('BadRequest', 'that is text, not a key; use type_text to type text', { length: trimmed.length })
  if (trimmed === '+') return ['plus']
  const parts = (trimmed.endsWith('++') ? `${trimmed.slice(0, -1)}plus` : trimmed).split('+').map((part) => part.trim())
  if (parts.includes(''))
    throw new Fault('BadRequest', `${JSON.stringify(text)} has a plus sign without a key beside it`, { keys: text })
  return parts
}

/** A modifier alone is a key as well: pressing `shift` is allowed and does nothing. */
function keyOf(part: string): string | undefined {
  if ([...part].length === 1) return keys.get(part) ?? modifiers.get(part) ?? part
  const name = spelling(part)
  return keys.get(name) ?? modifiers.get(name)
}

function notAModifier(text: string, part: string): Fault {
  return keyOf(part)
    ? new Fault(
        'BadRequest',
        `in ${JSON.stringify(text)}, "${part}" is no modifier; modifiers come first: ctrl, shift, alt, meta`,
        {
          keys: text,
        },
      )
    : unknownKey(text, part)
}

function unknownKey(text: string, part: string): Fault {
  const near = suggest(spelling(part), NAMES, 3)
  const hint = near.length > 0 ? `; near names are ${near.join(', ')}` : ''
  return new Fault('BadRequest', `there is no key "${part}"${hint}. Text is typed with type_text`, { keys: text, near })
}

/** Names to suggest, without those that only one system has. */
const NAMES = [...keys.keys(), ...modifiers.keys(), ...Object.keys(CHARACTERS)].filter(
  (name) => !/^(?:vk|xf86|kp)/.test(name),
)
