/** Groups of argument names with the same meaning. Hiding one of them hides all. */
const SYNONYMS: readonly (readonly string[])[] = [['text', 'value']]

/** The names under which a client sent arguments that a wire renamed, by the tool's name for them. */
export type SentAs = Readonly<Record<string, string>>

/** Whether logs and traces hide an argument. `sentAs` applies to the top-level arguments of a call. */
export type IsSecret = (name: string, sentAs?: SentAs) => boolean

/**
 * Compiles the operator's list of secret names. Names match in any case, under every synonym, and at the end of a path of
 * names, as in the bindings of a replay.
 */
export function secretNames(listed: readonly string[]): IsSecret {
  const lower = listed.map((name) => name.toLowerCase())
  const names = new Set([...lower, ...SYNONYMS.filter((group) => group.some((name) => lower.includes(name))).flat()])
  const isListed = (name: string): boolean => {
    const path = name.toLowerCase()
    return names.has(path) || [...names].some((each) => path.endsWith(`.${each}`))
  }
  return (name, sentAs = {}) => isListed(name) || (Object.hasOwn(sentAs, name) && isListed(sentAs[name]!))
}
