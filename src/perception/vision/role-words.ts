import type { Kind } from '../../desktop/model/role.ts'

/** The words of a description that name a role. */
const WORDS = {
  button: /\bbuttons?\b/,
  field: /\b(?:fields?|inputs?|text ?box|edit|search bar)\b/,
  'check box': /\bcheck ?box/,
  radio: /\bradio\b/,
  link: /\blinks?\b/,
  tab: /\btabs?\b/,
  menu: /\bmenus?\b/,
  'drop-down': /\b(?:drop ?down|combo ?box|select)\b/,
  slider: /\bslider\b/,
  picture: /\b(?:icon|image|picture)\b/,
  text: /\b(?:text|label|heading)\b/,
  window: /\bwindow\b/,
} as const

/** The words for each role. A new role needs a row to compile. */
const ROLE_WORDS: Readonly<Record<Kind, readonly (keyof typeof WORDS)[]>> = {
  window: ['window'],
  dialog: ['window'],
  pane: [],
  group: [],
  button: ['button', 'picture'],
  splitbutton: ['button'],
  toggle: ['button', 'check box'],
  edit: ['field'],
  document: ['text'],
  text: ['text'],
  checkbox: ['check box'],
  radio: ['radio'],
  combo: ['field', 'drop-down'],
  list: [],
  listitem: [],
  slider: ['slider'],
  spinner: ['field'],
  progress: [],
  scrollbar: [],
  scrollarea: [],
  menubar: ['menu'],
  menu: ['menu'],
  menuitem: ['menu'],
  toolbar: [],
  statusbar: [],
  tabs: [],
  tab: ['tab'],
  tree: [],
  treeitem: [],
  table: [],
  header: [],
  headeritem: [],
  row: [],
  cell: [],
  link: ['link'],
  image: ['picture'],
  separator: [],
  splitter: [],
  tooltip: [],
  toast: [],
  date: [],
  calendar: [],
  day: [],
  titlebar: [],
  expander: [],
  other: [],
}

/** The roles that a text in lower case names. */
export function kindsAskedFor(text: string): ReadonlySet<Kind> {
  const asked = Object.entries(WORDS).filter(([, pattern]) => pattern.test(text))
  const names = new Set(asked.map(([name]) => name))
  const rows = Object.entries(ROLE_WORDS) as [Kind, readonly string[]][]
  return new Set(rows.filter(([, words]) => words.some((word) => names.has(word))).map(([kind]) => kind))
}

/** Whether a word in lower case names a role. */
export const asksForRole = (word: string): boolean => Object.values(WORDS).some((pattern) => pattern.test(word))
