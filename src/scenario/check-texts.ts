import { type Ids, isMadeOf } from './check-windows.ts'
import { type Complain, didYouMean, notOneOf } from './problem.ts'
import type { Change, WrittenElement } from './scenario.ts'
import type { KeyPath } from './source.ts'
import { WORD_FIELDS } from './template.ts'

/** What a change fills in before it is carried out. */
const FILLED = ['name', 'value', 'description', 'title', 'file', 'path', 'text', 'copy_to', 'move_to', 'clipboard']

/** Tells of `{id.value}` and the like in the texts of a change that no element of any state can answer. */
export function checkTexts(ids: Ids, path: KeyPath, change: Change, complain: Complain): void {
  const sets = [...ids.values()]
  for (const [key, text] of Object.entries(change))
    if (FILLED.includes(key) && typeof text === 'string') checkText([...path, key], text)
  if ('append' in change) checkNew([...path, 'append'], change.append)

  function checkNew(here: KeyPath, elements: readonly WrittenElement[] | undefined): void {
    elements?.forEach(({ name, value, children }, index) => {
      if (name !== undefined) checkText([...here, index, 'name'], name)
      if (typeof value === 'string') checkText([...here, index, 'value'], value)
      checkNew([...here, index, 'children'], children)
    })
  }

  function checkText(here: KeyPath, text: string): void {
    for (const [whole, id = '', field = ''] of text.matchAll(WORDS)) {
      const isField = WORD_FIELDS.some((each) => each === field)
      if (sets.some((set) => set.has(id) || isMadeOf(set, id))) {
        if (isField) continue
        const listed = `an element says ${WORD_FIELDS.join(', ')}`
        complain(
          here,
          notOneOf(`${whole} leads nowhere: there is no ${JSON.stringify(field)}`, field, WORD_FIELDS, listed),
        )
      } else if (isField || didYouMean(field, WORD_FIELDS) !== '') {
        const all = sets.flatMap((set) => [...set])
        complain(here, `${whole} leads nowhere: no window has an element ${JSON.stringify(id)}${didYouMean(id, all)}`)
      }
    }
  }
}

/** An id and a field in braces; doubled braces, blanks and captured groups are something else. */
const WORDS = /(?<!\{)\{(?!(?:text|[1-9])\.)([^{}\s"':,]+)\.([\p{L}_]+)\}/gu
