/** What a `text_regex` found: the whole text and its groups, or nothing when the trigger has none. */
export type Captured = readonly (string | undefined)[] | undefined

/** What stands in the braces of a text that a scenario sets. */
export interface Words {
  readonly captured: Captured
  /** The name or value of an element; undefined when there is no such element. */
  lookUp(id: string, field: 'name' | 'value'): string | undefined
}

/**
 * A text with `{text}` replaced by the first group, else by the whole text, and `{1}` to `{9}` by that group; without a
 * `text_regex` these stand for themselves (observer document, "Scenarios"). `{id.value}` and `{id.name}` are replaced by
 * those of an element that is there.
 */
export function fill(template: string, { captured, lookUp }: Words): string {
  if (!template.includes('{')) return template
  return template.replace(
    /\{(?:(text|[1-9])|([^{}]+)\.(name|value))\}/g,
    (whole, key: string | undefined, id: string | undefined, field: 'name' | 'value') => {
      if (id !== undefined) return lookUp(id, field) ?? whole
      if (!captured) return whole
      if (key === 'text') return captured[1] ?? captured[0] ?? ''
      return Number(key) < captured.length ? (captured[Number(key)] ?? '') : whole
    },
  )
}
