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
