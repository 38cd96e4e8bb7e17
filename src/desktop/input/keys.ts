import { Fault } from '../../base/fault.ts'
import { suggest } from '../../base/strings.ts'
import type { Modifier } from './action.ts'

/** A vocabulary of key names: xdotool and X11 keysyms, pyautogui, the computer tools of OpenAI, and those of Gemini. */
export type KeyDialect = 'xdotool' | 'pyautogui' | 'openai' | 'gemini'

/** The names of one key in each dialect, parted by blanks. The first name is the one to write. Empty without a name. */
type KeyNames = readonly [xdotool: string, pyautogui: string, openai: string, gemini: string]

/**
 * Every key with its names in each dialect. Case, dashes and underscores of a name do not matter. Letters, digits and
 * function keys have rows too; see below.
 */
const NAMED: Readonly<Record<string, KeyNames>> = {
  enter: ['Return KP_Enter Linefeed', 'enter return', 'ENTER RETURN', 'Enter Return'],
  tab: ['Tab ISO_Left_Tab', 'tab', 'TAB', 'Tab'],
  escape: ['Escape', 'esc escape', 'ESC ESCAPE', 'Escape Esc'],
  backspace: ['BackSpace', 'backspace', 'BACKSPACE', 'Backspace'],
  delete: ['Delete KP_Delete', 'delete del', 'DELETE DEL', 'Delete Del'],
  insert: ['Insert KP_Insert', 'insert', 'INSERT INS', 'Insert'],
  home: ['Home KP_Home', 'home', 'HOME', 'Home'],
  end: ['End KP_End', 'end', 'END', 'End'],
  pageup: ['Page_Up Prior KP_Page_Up KP_Prior', 'pageup pgup', 'PAGEUP PAGE_UP PGUP', 'PageUp'],
  pagedown: ['Page_Down Next KP_Page_Down KP_Next', 'pagedown pgdn', 'PAGEDOWN PAGE_DOWN PGDN', 'PageDown'],
  left: ['Left KP_Left', 'left', 'ARROWLEFT LEFT', 'ArrowLeft Left'],
  right: ['Right KP_Right', 'right', 'ARROWRIGHT RIGHT', 'ArrowRight Right'],
  up: ['Up KP_Up', 'up', 'ARROWUP UP', 'ArrowUp Up'],
  down: ['Down KP_Down', 'down', 'ARROWDOWN DOWN', 'ArrowDown Down'],
  space: ['space KP_Space', 'space', 'SPACE', 'Space'],
  ctrl: ['ctrl Control Control_L Control_R', 'ctrl ctrlleft ctrlright', 'CTRL CONTROL', 'Control Ctrl ControlOrMeta'],
  shift: ['shift Shift_L Shift_R', 'shift shiftleft shiftright', 'SHIFT', 'Shift'],
  alt: [
    'alt Alt_L Alt_R Mode_switch ISO_Level3_Shift',
    'alt altleft altright option optionleft optionright modechange',
    'ALT OPTION',
    'Alt Option',
  ],
  meta: [
    'super Super_L Super_R Meta Meta_L Meta_R Hyper_L Hyper_R',
    'win winleft winright command',
    'META CMD COMMAND SUPER WIN',
    'Meta Command Super Win',
  ],
  menu: ['Menu', 'apps', 'MENU', 'ContextMenu'],
  printscreen: ['Print Sys_Req', 'printscreen print prntscrn prtsc prtscr', 'PRINTSCREEN', 'PrintScreen'],
  pause: ['Pause Break', 'pause', 'PAUSE', 'Pause'],
  capslock: ['Caps_Lock', 'capslock', 'CAPSLOCK', 'CapsLock'],
  numlock: ['Num_Lock Clear', 'numlock clear', 'NUMLOCK', 'NumLock'],
  scrolllock: ['Scroll_Lock', 'scrolllock', 'SCROLLLOCK', 'ScrollLock'],
  help: ['Help', 'help', 'HELP', 'Help'],
  select: ['Select', 'select', '', 'Select'],
  execute: ['Execute', 'execute', '', 'Execute'],
  sleep: ['XF86Sleep', 'sleep', '', ''],
  volumeup: ['XF86AudioRaiseVolume', 'volumeup', 'VOLUMEUP', 'AudioVolumeUp'],
  volumedown: ['XF86AudioLowerVolume', 'volumedown', 'VOLUMEDOWN', 'AudioVolumeDown'],
  volumemute: ['XF86AudioMute', 'volumemute', 'VOLUMEMUTE', 'AudioVolumeMute'],
  playpause: ['XF86AudioPlay', 'playpause', 'PLAYPAUSE', 'MediaPlayPause'],
  mediastop: ['XF86AudioStop', 'stop', '', 'MediaStop'],
  nexttrack: ['XF86AudioNext', 'nexttrack', '', 'MediaTrackNext'],
  prevtrack: ['XF86AudioPrev', 'prevtrack', '', 'MediaTrackPrevious'],
  browserback: ['XF86Back', 'browserback', '', 'BrowserBack'],
  browserforward: ['XF86Forward', 'browserforward', '', 'BrowserForward'],
  browserrefresh: ['XF86Refresh XF86Reload', 'browserrefresh', '', 'BrowserRefresh'],
  browserstop: ['XF86Stop', 'browserstop', '', 'BrowserStop'],
  browsersearch: ['XF86Search', 'browsersearch', '', 'BrowserSearch'],
  browserfavorites: ['XF86Favorites', 'browserfavorites', '', 'BrowserFavorites'],
  browserhome: ['XF86HomePage', 'browserhome', '', 'BrowserHome'],
  launchmail: ['XF86Mail', 'launchmail', '', 'LaunchMail'],
  launchmedia: ['XF86AudioMedia', 'launchmediaselect', '', 'LaunchMediaPlayer'],
  launchapp1: ['XF86MyComputer', 'launchapp1', '', 'LaunchApplication1'],
  launchapp2: ['XF86Calculator', 'launchapp2', '', 'LaunchApplication2'],
  convert: ['Henkan Henkan_Mode', 'convert', '', 'Convert'],
  nonconvert: ['Muhenkan', 'nonconvert', '', 'NonConvert'],
  kana: ['Kana_Lock', 'kana', '', 'KanaMode'],
  kanji: ['Kanji', 'kanji', '', 'KanjiMode'],
  hangul: ['Hangul', 'hangul hanguel', '', 'HangulMode'],
  hanja: ['Hangul_Hanja', 'hanja', '', 'HanjaMode'],
  junja: ['Hangul_Jeonja', 'junja', '', 'JunjaMode'],
  final: ['', 'final', '', 'FinalMode'],
  accept: ['', 'accept', '', 'Accept'],
  fn: ['', 'fn', 'FN', 'Fn'],
}

/** Keys that type a character. In every dialect the character itself is a name too. */
const CHARACTER_KEYS: Readonly<Record<string, KeyNames>> = {
  '+': ['plus KP_Add', 'add', 'PLUS ADD', 'Add'],
  '-': ['minus KP_Subtract', 'subtract', 'MINUS SUBTRACT', 'Subtract'],
  '*': ['asterisk KP_Multiply', 'multiply', 'MULTIPLY', 'Multiply'],
  '/': ['slash KP_Divide', 'divide', 'DIVIDE SLASH', 'Divide Slash'],
  '.': ['period KP_Decimal', 'decimal', 'PERIOD DECIMAL', 'Decimal Period'],
  ',': ['comma KP_Separator', 'separator', 'COMMA', 'Separator Comma'],
  '=': ['equal KP_Equal', '', 'EQUALS', 'Equals Equal'],
  ';': ['semicolon', '', 'SEMICOLON', 'Semicolon'],
  ':': ['colon', '', 'COLON', ''],
  "'": ['apostrophe quoteright', '', 'APOSTROPHE', 'Quote'],
  '"': ['quotedbl', '', '', ''],
  '`': ['grave quoteleft', '', 'BACKQUOTE', 'Backquote'],
  '[': ['bracketleft', '', '', 'BracketLeft'],
  ']': ['bracketright', '', '', 'BracketRight'],
  '{': ['braceleft', '', '', ''],
  '}': ['braceright', '', '', ''],
  '(': ['parenleft', '', '', ''],
  ')': ['parenright', '', '', ''],
  '<': ['less', '', '', ''],
  '>': ['greater', '', '', ''],
  '\\': ['backslash', '', 'BACKSLASH', 'Backslash'],
  '|': ['bar', '', '', ''],
  '~': ['asciitilde', '', '', ''],
  '!': ['exclam', '', '', ''],
  '@': ['at', '', '', ''],
  '#': ['numbersign', '', '', ''],
  $: ['dollar', '', '', ''],
  '%': ['percent', '', '', ''],
  '^': ['asciicircum', '', '', ''],
  '&': ['ampersand', '', '', ''],
  '?': ['question', '', '', ''],
  _: ['underscore', '', '', ''],
  '¥': ['yen', 'yen', '', ''],
}

/** The names of a key in each dialect, the one to write first. */
export type NamesByDialect = Readonly<Record<KeyDialect, readonly string[]>>

/** Every key with its names in each dialect. Keys have the names of `parseChord`: lower case words and characters. */
export const KEY_NAMES: ReadonlyMap<string, NamesByDialect> = new Map([
  ...Object.entries(NAMED).map(([key, names]) => [key, namesOf(names)] as const),
  // xdotool knows characters by their keysyms only.
  ...Object.entries(CHARACTER_KEYS).map(([key, [x11, ...others]]) => {
    const also = (names: string) => `${key} ${names}`
    return [key, namesOf([x11, ...(others.map(also) as [string, string, string])])] as const
  }),
  ...[...'abcdefghijklmnopqrstuvwxyz'].map((letter) => {
    return [letter, namesOf([letter, letter, letter, `${letter} Key${letter.toUpperCase()}`])] as const
  }),
  ...[...'0123456789'].map((digit) => {
    return [digit, namesOf([`${digit} KP_${digit}`, `${digit} num${digit}`, digit, `${digit} Digit${digit}`])] as const
  }),
  ...Array.from({ length: 24 }, (_, index) => {
    const [lower, upper] = [`f${index + 1}`, `F${index + 1}`]
    return [lower, namesOf([upper, lower, upper, upper])] as const
  }),
])

function namesOf([xdotool, pyautogui, openai, gemini]: KeyNames): NamesByDialect {
  const listed = (text: string) => text.split(' ').filter((name) => name !== '')
  return { xdotool: listed(xdotool), pyautogui: listed(pyautogui), openai: listed(openai), gemini: listed(gemini) }
}

/** The name of a key in a dialect. A character that has no other name is its own. Undefined for keys that the dialect lacks. */
export function keyNameIn(dialect: KeyDialect, key: string): string | undefined {
  const names = KEY_NAMES.get(key)
  if (names) return names[dialect][0]
  return [...key].length === 1 ? key : undefined
}

/** One key pressed together with modifiers. */
export interface Chord {
  readonly modifiers: readonly Modifier[]
  /** A name of the table below, or the one character that the key types. */
  readonly key: string
}

/**
 * More names of keys, beside those of the dialects above: of the observer document, Windows (`VK_…`), macOS and
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
const CHARACTER_ALIASES: Readonly<Record<string, string>> = {
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
for (const [name, character] of Object.entries(CHARACTER_ALIASES)) keys.set(name, character)
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
const NAMES = [...keys.keys(), ...modifiers.keys(), ...Object.keys(CHARACTER_ALIASES)].filter(
  (name) => !/^(?:vk|xf86|kp)/.test(name),
)

/** What menus in German and French call keys. Unknown keys are not compared with these. */
const LOCAL_NAMES: Readonly<Record<string, string>> = {
  ctrl: 'strg',
  shift: 'umschalt maj',
  enter: 'eingabe',
  backspace: 'rücktaste',
  delete: 'entf suppr',
  insert: 'einfg inser',
  home: 'pos1 origine',
  end: 'ende fin',
  pageup: 'bildauf',
  pagedown: 'bildab',
  space: 'leertaste espace',
}
for (const [key, names] of Object.entries(LOCAL_NAMES))
  for (const name of names.split(' '))
    if (isModifier(key)) modifiers.set(name, key)
    else keys.set(name, key)
