import { MAX_TEXT_CHARACTERS, wholeCharacters } from '../../desktop/widgets/text/text.ts'

/** What a `text_regex` found: the whole text and its groups, or nothing when the trigger has none. */
export type CapturedGroups = readonly (string | undefined)[] | undefined

/** What stands in the braces of a text that a scenario sets. */
export interface TemplateValues {
  readonly captured: CapturedGroups
  /** What an element says; undefined when there is no such element. */
  lookUp(id: string, field: TemplateField): string | undefined
}

/** `selected` is the name of the item that is selected in a list, tree or row of tabs. */
export const TEMPLATE_FIELDS = ['name', 'value', 'selected'] as const
export type TemplateField = (typeof TEMPLATE_FIELDS)[number]

/**
 * A text with `{text}` replaced by the first group, else by the whole text, and `{1}` to `{9}` by that group; without a
 * `text_regex` these stand for themselves (observer document, "Scenarios"). `{id.value}`, `{id.name}` and `{id.selected}`
 * are replaced by what an element says that is there.
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
