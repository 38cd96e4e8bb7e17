import { MAX_TEXT_CHARACTERS } from '../../desktop/model/element.ts'
import { wholeCharacters } from '../../desktop/widgets/text.ts'
import type { CapturedGroups } from '../scenario-run.ts'

/** The values of placeholders in a text of `set`. */
export interface TemplateValues {
  readonly captured: CapturedGroups
  /** A field of an element. Undefined if the element does not exist. */
  lookUp(id: string, field: TemplateField): string | undefined
}

/** `selected` is the name of the selected item in a list, tree or row of tabs. */
export const TEMPLATE_FIELDS = ['name', 'value', 'selected'] as const
export type TemplateField = (typeof TEMPLATE_FIELDS)[number]

/**
 * Fills placeholders: `{text}` with the first group, otherwise the whole text, `{1}` to `{9}` with that group; without
 * a `text_regex` these are literal (observer document, "Scenarios"). `{id.value}`, `{id.name}` and `{id.selected}` are
 * filled from existing elements.
 */
export function fillTemplate(template: string, { captured, lookUp }: TemplateValues): string {
  if (!template.includes('{')) return template
  let room = MAX_TEXT_CHARACTERS
  return template.replace(
    /\{(?:(text|[1-9])|([^{}]+)\.(name|value|selected))\}/g,
    (whole, key: string | undefined, id: string | undefined, field: TemplateField) => {
      const word = wholeCharacters(wordFor(whole, key, id, field), room)
      room -= word.length
      return word
    },
  )

  function wordFor(whole: string, key: string | undefined, id: string | undefined, field: TemplateField): string {
    if (id !== undefined) return lookUp(id, field) ?? whole
    if (!captured) return whole
    if (key === 'text') return captured[1] ?? captured[0] ?? ''
    return Number(key) < captured.length ? (captured[Number(key)] ?? '') : whole
  }
}
