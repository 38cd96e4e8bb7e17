import { type Kind, kindsWhere } from '../../desktop/model/role.ts'
import type { RoleWord } from '../../desktop/model/role-table.ts'

/** The words of a description that name a role. */
const WORDS: Readonly<Record<RoleWord, RegExp>> = {
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
}

/** The roles that a text in lower case names. */
export function kindsAskedFor(text: string): ReadonlySet<Kind> {
  const asked = Object.entries(WORDS).filter(([, pattern]) => pattern.test(text))
  const names = new Set(asked.map(([name]) => name))
  return kindsWhere(({ words }) => words.some((word) => names.has(word)))
}

/** Whether a word in lower case names a role. */
export const asksForRole = (word: string): boolean => Object.values(WORDS).some((pattern) => pattern.test(word))
