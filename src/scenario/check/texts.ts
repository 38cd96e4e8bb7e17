import { Fault } from '../../base/fault.ts'
import { compilePattern } from '../../base/pattern.ts'
import { didYouMean } from '../../base/strings.ts'
import { TEMPLATE_FIELDS } from '../run/placeholders.ts'
import type { ScenarioEffect } from '../schema/effect.ts'
import type { AuthoredElement } from '../schema/element.ts'
import { notOneOf } from '../source/problem.ts'
import type { KeyPath } from '../source/source.ts'
import { isGeneratedFrom } from './ids.ts'
import type { CheckContext } from './names.ts'

/** The fields of a change in which placeholders are filled. */
export const FILLED = [
  'name',
  'value',
  'description',
  'avatar',
  'badge',
  'subtitle',
  'title',
  'file',
  'path',
  'text',
  'copy_to',
  'move_to',
  'clipboard',
  'toast',
  'log',
]

/** Reports `{id.value}` without such an element in any state, and `{2}` if the pattern has no second group. */
export function checkTexts(
  { ids, patterns, report: complain }: CheckContext,
  path: KeyPath,
  effect: ScenarioEffect,
  pattern: string | undefined,
): void {
  const sets = [...ids.values()]
  const groups = patterns.left < 0 ? Number.POSITIVE_INFINITY : groupsOf(pattern)
  for (const [key, text] of Object.entries(effect))
    if (FILLED.includes(key) && typeof text === 'string') checkText([...path, key], text)
  if ('append' in effect && !('var' in effect)) checkNew([...path, 'append'], effect.append)
  if ('emit' in effect)
    for (const [name, value] of Object.entries(effect.with ?? {}))
      if (typeof value === 'string') checkText([...path, 'with', name], value)
  if ('toast' in effect)
    effect.actions?.forEach(({ name }, index) => {
      checkText([...path, 'actions', index, 'name'], name)
    })
  if ('open' in effect && typeof effect.open === 'object') {
    const { title, tree } = effect.open
    if (title !== undefined) checkText([...path, 'open', 'title'], title)
    if (tree) checkElementTexts([...path, 'open', 'tree'], tree)
  }

  function checkNew(here: KeyPath, elements: readonly AuthoredElement[] | undefined): void {
    elements?.forEach((element, index) => {
      checkElementTexts([...here, index], element)
    })
  }

  function checkElementTexts(here: KeyPath, { name, value, children }: AuthoredElement): void {
    if (name !== undefined) checkText([...here, 'name'], name)
    if (typeof value === 'string') checkText([...here, 'value'], value)
    checkNew([...here, 'children'], children)
  }

  function checkText(here: KeyPath, text: string): void {
    for (const [whole, group] of text.matchAll(GROUPS))
      if (Number(group) > groups) complain(here, `cannot fill ${whole}: the text_regex has no group ${group}`)
    for (const [whole, id = '', field = ''] of text.matchAll(WORDS)) {
      const isField = TEMPLATE_FIELDS.some((each) => each === field)
      if (sets.some((set) => set.has(id) || isGeneratedFrom(set, id))) {
        if (isField) continue
        const listed = `an element says ${TEMPLATE_FIELDS.join(', ')}`
        complain(
          here,
          notOneOf(`cannot fill ${whole}: there is no ${JSON.stringify(field)}`, field, TEMPLATE_FIELDS, listed),
        )
      } else if (isField || didYouMean(field, TEMPLATE_FIELDS) !== '') {
        const all = sets.flatMap((set) => [...set])
        complain(here, (hint) => `cannot fill ${whole}: no window has an element ${JSON.stringify(id)}${hint(id, all)}`)
      }
    }
  }
}

/** Whether the text in braces is a placeholder. */
export const isTemplate = (inside: string): boolean => TEMPLATE.test(inside)

const TEMPLATE = new RegExp(`^(?:text|[1-9]|[^{}]+\\.(?:${TEMPLATE_FIELDS.join('|')}))$`)

/** Whether a text has a placeholder, so that it can become any text. */
export const hasTemplate = (text: string): boolean =>
  [...text.matchAll(/\{([^{}]+)\}/g)].some(([, inside = '']) => isTemplate(inside))

/** Without a pattern, numbered braces are literal. Invalid patterns are reported elsewhere. */
function groupsOf(pattern: string | undefined): number {
  try {
    return pattern === undefined ? Number.POSITIVE_INFINITY : compilePattern(pattern).groups
  } catch (error) {
    if (error instanceof Fault) return Number.POSITIVE_INFINITY
    throw error
  }
}

const GROUPS = /(?<!\{)\{([1-9])\}/g

/** An id and a field in braces. Excludes doubled braces, blanks and captured groups. */
const WORDS = /(?<!\{)\{(?!(?:text|[1-9])\.)([^{}\s"':,]+)\.([\p{L}_]+)\}/gu
