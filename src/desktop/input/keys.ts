import { Fault } from '../../base/fault.ts'
import { suggest } from '../../base/text/suggest.ts'
import type { Modifier } from './action.ts'

/** One key pressed together with modifiers. */
export interface Chord {
  readonly modifiers: readonly Modifier[]
  /** A name of the table below, or the one character that the key types. */
  readonly key: string
}

/**
 * Every key with its name and aliases: those of the observer document, X11 and xdotool, Windows (`VK_…`), macOS and web
 * pages. Case, blanks, dashes and underscores do not matter.
 */
const KEYS: Readonly<Record<string, string>> = {
  enter: 'return ret kpenter linefeed vkreturn ↵ ⏎ numpadenter newline',
  tab: 'vktab isolefttab ⇥',
  escape: 'esc vkescape ⎋',
  backspace: 'back vkback bksp ⌫',
  delete: 'del vkdelete kpdelete forwarddelete ⌦',
  insert: 'ins vkinsert kpinsert',
  home: 'vkhome kphome ↖',
  end: 'vkend kpend ↘',
  pageup: 'pgup prior vkprior kpprior kppageup ⇞',
  pagedown: 'pgdn pgdown next vknext kpnext kppagedown ⇟',
  left: 'arrowleft leftarrow vkleft kpleft ←',
  right: 'arrowright rightarrow vkright kpright →',
  up: 'arrowup uparrow vkup kpup ↑',
  down: 'arrowdown downarrow vkdown kpdown ↓',
  space: 'spacebar vkspace kpspace',
  menu: 'apps contextmenu vkapps',
  printscreen: 'print prtsc prtscn snapshot vksnapshot sysreq',
  pause: 'break vkpause',
  capslock: 'caps vkcapital ⇪',
  numlock: 'vknumlock clear vkclear',
  scrolllock: 'vkscroll',
  volumeup: 'xf86audioraisevolume vkvolumeup audiovolumeup',
  volumedown: 'xf86audiolowervolume vkvolumedown audiovolumedown',
  volumemute: 'xf86audiomute vkvolumemute audiovolumemute mute',
  playpause: 'xf86audioplay vkmediaplaypause mediaplaypause',
  browserback: 'xf86back vkbrowserback',
  browserforward: 'xf86forward vkbrowserforward',
  browserrefresh: 'xf86refresh xf86reload vkbrowserrefresh',
  help: 'vkhelp',
}

const MODIFIERS: Readonly<Record<Modifier, string>> = {
  ctrl: 'control ctl controll controlr ctrll ctrlr lctrl rctrl controlleft controlright vkcontrol vklcontrol vkrcontrol ⌃',
  shift: 'shiftl shiftr lshift rshift shiftleft shiftright vkshift vklshift vkrshift ⇧',
  alt: 'option opt altl altr lalt ralt altleft altright altgr isolevel3shift modeswitch vkmenu vklmenu vkrmenu ⌥',
  meta: 'super superl superr win windows winleft winright lwin rwin metal metar metaleft metaright cmd command commandleft commandright hyper hyperl hyperr vklwin vkrwin os ⌘',
}

/** Names of characters: X11 keysyms, and names that people write because a `+` would be misread. */
const CHARACTERS: Readonly<Record<string, string>> = {
  plus: '+',
  minus: '-',
  hyphen: '-',
  equal: '=',
  equals: '=',
  comma: ',',
  period: '.',
  dot: '.',
  slash: '/',
  backslash: '\\',
  semicolon: ';',
  colon: ':',
  apostrophe: "'",
  quoteright: "'",
  quotedbl: '"',
  grave: '`',
  quoteleft: '`',
  backquote: '`',
  bracketleft: '[',
  bracketright: ']',
  braceleft: '{',
  braceright: '}',
  parenleft: '(',
  parenright: ')',
  asterisk: '*',
  multiply: '*',
  kpmultiply: '*',
  vkmultiply: '*',
  add: '+',
  kpadd: '+',
  vkadd: '+',
  subtract: '-',
  kpsubtract: '-',
  vksubtract: '-',
  divide: '/',
  kpdivide: '/',
  vkdivide: '/',
  decimal: '.',
  kpdecimal: '.',
  vkdecimal: '.',
  kpequal: '=',
  underscore: '_',
  exclam: '!',
  at: '@',
  numbersign: '#',
  dollar: '$',
  percent: '%',
  asciicircum: '^',
  ampersand: '&',
  question: '?',
  less: '<',
  greater: '>',
  bar: '|',
  asciitilde: '~',
  tilde: '~',
  vkoemplus: '=',
  vkoemminus: '-',
  vkoemcomma: ',',
  vkoemperiod: '.',
}

const keys = new Map<string, string>()
const modifiers = new Map<string, Modifier>()
for (const [name, spellings] of Object.entries(KEYS))
  for (const spelling of [name, ...spellings.split(' ')]) keys.set(spelling, name)
for (let number = 1; number <= 24; number++)
  for (const spelling of [`f${number}`, `vkf${number}`]) keys.set(spelling, `f${number}`)
for (const [name, character] of Object.entries(CHARACTERS)) keys.set(name, character)
for (let digit = 0; digit <= 9; digit++)
  for (const spelling of [`kp${digit}`, `numpad${digit}`, `vknumpad${digit}`, `digit${digit}`, `vk${digit}`])
    keys.set(spelling, String(digit))
for (const letter of 'abcdefghijklmnopqrstuvwxyz')
  for (const spelling of [`key${letter}`, `vk${letter}`]) keys.set(spelling, letter)
for (const [name, spellings] of Object.entries(MODIFIERS))
  for (const spelling of [name, ...spellings.split(' ')]) modifiers.set(spelling, name as Modifier)

const MODIFIER_ORDER: readonly Modifier[] = ['ctrl', 'shift', 'alt', 'meta']
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

/** The canonical spelling of a chord: modifiers in the order ctrl, shift, alt, meta, then the key. */
export function formatChord({ modifiers, key }: Chord): string {
  return [...modifiers, key === '+' ? 'plus' : key].join('+')
}

/** Whether two spellings are the same keys. False if one of them cannot be parsed. */
export function sameChord(a: string, chord: Chord): boolean {
  try {
    return formatChord(lowerChord(parseChord(a))) === formatChord(lowerChord(chord))
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

/** The character that a chord types, or undefined for a command: `a`, `shift+a`, `space`; not `ctrl+a`. */
export function characterOf({ modifiers, key }: Chord): string | undefined {
  if (modifiers.some((modifier) => modifier !== 'shift')) return undefined
  if (key === 'space') return ' '
  if ([...key].length !== 1) return undefined
  return modifiers.includes('shift') ? key.toUpperCase() : key
}

const lowerChord = (chord: Chord): Chord => ({ ...chord, key: chord.key.toLowerCase() })

/** Splits at plus signs, except if a plus is itself the key: `ctrl++`, `+`. */
function partsOf(text: string): string[] {
  const trimmed = text === ' ' ? 'space' : text.trim()
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

const spelling = (part: string): string => part.toLowerCase().replace(/[ _-]/g, '')

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
