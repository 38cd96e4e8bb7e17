/** The icons of the themes, by the names that authors and controls use. */
export const ICON_NAMES = [
  'check',
  'dash',
  'dot',
  'chevron-down',
  'chevron-up',
  'chevron-right',
  'chevron-left',
  'close',
  'plus',
  'minus',
  'search',
  'calendar',
  'image',
  'info',
  'folder',
  'file',
  'mail',
  'home',
  'trash',
  'pencil',
  'save',
  'user',
  'lock',
  'star',
  'menu',
  'refresh',
  'download',
  'upload',
  'play',
  'pause',
  'cart',
  'bell',
  'chat',
  'settings',
  'warning',
  'window',
  'reply',
  'reply-all',
  'forward',
  'archive',
  'flag',
  'inbox',
  'send',
  'attach',
  'more',
  'link',
  'tag',
  'filter',
  'copy',
  'print',
  'help',
  'clock',
  'heart',
  'phone',
  'camera',
  'microphone',
  'undo',
  'redo',
  'share',
  'code',
  'terminal',
  'table',
  'chart',
  'globe',
  'power',
] as const
export type IconName = (typeof ICON_NAMES)[number]

/** The kinds of applications that have a picture of their own. */
export const APP_KINDS = [
  'mail',
  'files',
  'browser',
  'calendar',
  'photos',
  'music',
  'video',
  'maps',
  'notes',
  'document',
  'terminal',
  'settings',
  'sheet',
  'chart',
  'chat',
  'store',
  'contacts',
  'calculator',
  'code',
  'parcel',
  'security',
  'help',
] as const

/** What an application is for. */
export type AppKind = (typeof APP_KINDS)[number]

/** Words of names, the most specific first. */
const WORDS: readonly (readonly [words: RegExp, kind: AppKind])[] = [
  [/mail|inbox|outlook/, 'mail'],
  [/calendar|agenda|planner/, 'calendar'],
  [/files|finder|explorer|nautilus|folder/, 'files'],
  [/terminal|console|command|powershell|bash/, 'terminal'],
  [/browser|chrome|chromium|firefox|edge|safari|\bweb\b/, 'browser'],
  [/calculator|calc\b/, 'calculator'],
  [/sheet|excel|\btables?\b/, 'sheet'],
  [/chart|report|statistic|monitor/, 'chart'],
  [/\bcode\b|editor|studio/, 'code'],
  [/notes|notepad|memo/, 'notes'],
  [/word|text|writer|document/, 'document'],
  [/chat|slack|teams|message/, 'chat'],
  [/photo|image|paint|picture/, 'photos'],
  [/music|audio|\bradio\b/, 'music'],
  [/video|player|media|movie/, 'video'],
  [/\bmaps?\b|navigat/, 'maps'],
  [/shop|cart|store/, 'store'],
  [/parcel|order|stock|warehouse|install/, 'parcel'],
  [/contact|people|user|crm/, 'contacts'],
  [/password|login|sign in|security|vault/, 'security'],
  [/settings|setup|preferences|control/, 'settings'],
  [/help|about|guide/, 'help'],
]

/** Kinds of icons. */
const ICONS: Readonly<Record<string, AppKind>> = {
  mail: 'mail',
  calendar: 'calendar',
  folder: 'files',
  home: 'files',
  search: 'browser',
  image: 'photos',
  play: 'music',
  pencil: 'notes',
  file: 'document',
  chat: 'chat',
  cart: 'store',
  user: 'contacts',
  settings: 'settings',
  lock: 'security',
  globe: 'browser',
  table: 'sheet',
  terminal: 'terminal',
  code: 'code',
  info: 'help',
}

/** The kind of an application, by words of its name, otherwise by its icon. Undefined if neither has one. */
export function appKindOf(name: string, icon: string): AppKind | undefined {
  const lower = name.toLowerCase()
  return WORDS.find(([words]) => words.test(lower))?.[1] ?? ICONS[icon]
}

/** A picture that a scenario shows: a file, read once when it is loaded, or one that is drawn from data. */
export interface PictureFile {
  /** The SHA-256 of its bytes, in hex digits. */
  readonly hash: string
  readonly format: 'png' | 'svg' | 'drawn'
  /** Its size in pixels. */
  readonly width: number
  readonly height: number
  /** Its bytes, as base64; of a drawn picture its data, as JSON. */
  readonly data: string
}

/** The picture files of a scenario by the paths that it writes. */
export type PictureFiles = ReadonlyMap<string, PictureFile>
