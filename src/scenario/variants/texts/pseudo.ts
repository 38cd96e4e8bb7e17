import type { WrittenElement } from '../../schema/element.ts'
import type { WrittenScenario } from '../../schema/scenario.ts'
import { windowsInStates } from '../../schema/visit.ts'
import type { BoundField } from '../axis.ts'
import type { TextRewrite } from './rewrite-texts.ts'
import { hasLetters, isLabelOwner, textsOf } from './texts-of.ts'

/** Words that make a text longer. No scenario means them. */
const FILLER = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore'
/** How much longer texts become, as those of other languages do. */
const GROWTH = 0.5
const MIN_GROWTH = 5
/** What a longer text may end with, as a pattern. */
const ENDING = '( ‹[^›]*›)?'

/** Makes the labels of a scenario half as long again. What they begin with stays, so that patterns still find them. */
export function pseudoLocale(written: WrittenScenario, bound: readonly BoundField[]): TextRewrite {
  const changing = boundTexts(written, bound)
  const labels = new Set(
    textsOf(written).flatMap(({ text, owner }) =>
      isLabelOwner(owner) && hasLetters(text) && !changing.has(text) ? [text] : [],
    ),
  )
  return {
    text: (text, owner) => (labels.has(text) && (owner === undefined || isLabelOwner(owner)) ? lengthened(text) : text),
    pattern: (source, whole) => {
      if (whole) return `(${source})${ENDING}`
      return endsAtEnd(source) ? `${source.slice(0, -1)}${ENDING}$` : source
    },
  }
}

/** `Save ‹lorem›`. A line break stays behind the text. */
export function lengthened(text: string): string {
  const trimmed = text.trimEnd()
  const length = Math.max(MIN_GROWTH, Math.ceil(trimmed.length * GROWTH))
  const filler = FILLER.repeat(Math.ceil(length / FILLER.length))
    .slice(0, length)
    .trimEnd()
  return `${trimmed} ‹${filler}›${text.slice(trimmed.length)}`
}

/** The initial texts of fields that change with the data. Their later texts cannot be foreseen, so they stay. */
function boundTexts(written: WrittenScenario, bound: readonly BoundField[]): ReadonlySet<string> {
  const found = new Set<string>()
  if (bound.length === 0) return found
  const places = new Set(bound.map(({ window, element = '', field }) => JSON.stringify([window, element, field])))
  const note = (uid: string, id: string, part: object): void => {
    for (const [field, text] of Object.entries(part))
      if (typeof text === 'string' && places.has(JSON.stringify([uid, id, field]))) found.add(text)
  }
  const below = (uid: string, element: WrittenElement, position: string): void => {
    note(uid, element.id ?? position, element)
    element.children?.forEach((child, index) => {
      below(uid, child, `${position}.${index}`)
    })
  }
  for (const { window, uid } of windowsInStates(written)) {
    note(uid, '', window)
    if (window.tree) below(uid, window.tree, 'root')
  }
  return found
}

/** Whether a pattern ends with `$`, not with the sign itself (`\\$`). */
function endsAtEnd(source: string): boolean {
  let slashes = 0
  while (source[source.length - 2 - slashes] === '\\') slashes++
  return source.endsWith('$') && slashes % 2 === 0
}
