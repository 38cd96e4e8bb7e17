import type { Oracle } from '../../scenario/schema/oracles.ts'
import type { JsonSchema } from './json-schema.ts'

/** When an oracle of each kind holds. */
const ORACLE_KINDS: Readonly<Record<Oracle['kind'], string>> = {
  element_exists: 'Holds when an element matches the selector',
  element_absent: 'Holds when no element matches the selector',
  value_equals: 'Holds when the first element that matches the selector has this value',
  value_matches: 'Holds when the pattern matches in the value of the first element that matches the selector',
  text_visible: 'Holds when the pattern matches in a text of the window',
  window_focused: 'Holds when the pattern matches in the title of the focused window',
  window_exists: 'Holds when there is a window with this uid, and a title in which the pattern matches',
  tree_hash_equals: 'Holds when the tree of the window has this hash',
  screenshot_similar: 'Holds when the picture of the window is similar to a stored one',
  file_exists: 'Holds when the file or folder exists',
  file_absent: 'Holds when the file or folder does not exist',
  file_equals: 'Holds when the file has exactly this text',
  clipboard_equals: 'Holds when the clipboard has exactly this text',
  all: 'Holds when all of the entries under of hold, any of them, or with not none of them',
  any: 'Holds when any of the entries under of holds',
  not: 'Holds when none of the entries under of holds',
  answer: 'Holds when the text of finish equals a text, matches a pattern, or fits an expression with answer',
  expression: 'Holds when an expression over variables, initial and the screen is true',
  changes: 'Holds when the variables and files differ from the start exactly as listed, except those to ignore',
  event: 'Holds when the event has happened, from min to max times, counting those that fit where',
  at_most: 'Holds when the event has happened at most count times',
  before: 'Holds when the event then has not happened before the event first',
  never: 'Holds when the oracle under of has held at no moment: the start, after each action and each timer',
}

/** The schema of an oracle whose kinds say when they hold. */
export function withKinds(oracle: JsonSchema): JsonSchema {
  const described = (oracle.anyOf ?? []).map((entry) => {
    const { kind, ...others } = entry.properties ?? {}
    const [first] = [kind?.const ?? kind?.anyOf?.[0]?.enum].flat()
    const description = ORACLE_KINDS[first as Oracle['kind']]
    return { ...entry, properties: { kind: { ...kind, description }, ...others } }
  })
  return { ...oracle, anyOf: described }
}
