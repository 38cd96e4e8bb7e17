/** What a `text_regex` found: the whole text and its groups, or nothing when the trigger has none. */
export type Captured = readonly (string | undefined)[] | undefined

/**
 * A text with `{text}` replaced by the first group, else by the whole text, and `{1}` to `{9}` by that group. Without a
 * `text_regex` braces stand for themselves (observer document, "Scenarios").
 */
export function fill(template: string, captured: Captured): string {
  if (!captured) return template
  return template.replace(/\{(text|[1-9])\}/g, (whole, key: string) => {
    if (key === 'text') return captured[1] ?? captured[0] ?? ''
    return Number(key) < captured.length ? (captured[Number(key)] ?? '') : whole
  })
}
