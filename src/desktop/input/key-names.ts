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
const CHARACTERS: Readonly<Record<string, KeyNames>> = {
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

const DIALECTS: readonly KeyDialect[] = ['xdotool', 'pyautogui', 'openai', 'gemini']

/** The names of a key in each dialect, the one to write first. */
export type NamesByDialect = Readonly<Record<KeyDialect, readonly string[]>>

/** Every key with its names in each dialect. Keys have the names of `parseChord`: lower case words and characters. */
export const KEY_NAMES: ReadonlyMap<string, NamesByDialect> = new Map([
  ...Object.entries(NAMED).map(([key, names]) => [key, namesOf(names)] as const),
  // xdotool knows characters by their keysyms only.
  ...Object.entries(CHARACTERS).map(([key, [x11, ...others]]) => {
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

function namesOf(names: KeyNames): NamesByDialect {
  const lists = names.map((text) => text.split(' ').filter((name) => name !== ''))
  return Object.fromEntries(DIALECTS.map((dialect, at) => [dialect, lists[at]!])) as unknown as NamesByDialect
}

/** The name of a key in a dialect. A character that has no other name is its own. Undefined for keys that the dialect lacks. */
export function keyNameIn(dialect: KeyDialect, key: string): string | undefined {
  const names = KEY_NAMES.get(key)
  if (names) return names[dialect][0]
  return [...key].length === 1 ? key : undefined
}
