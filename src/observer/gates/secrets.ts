/** Names of one thing, which tools and clients call differently: what is typed. Hiding one of them hides all. */
const SAME: readonly (readonly string[])[] = [['text', 'value']]

/** For arguments that a wire renames: the name under which the client sent each, by the name the tool knows. */
export type SentAs = Readonly<Record<string, string>>

/** Tells whether logs and traces hide an argument, by its name; `sentAs` holds for the arguments of a call itself. */
export type IsSecret = (name: string, sentAs?: SentAs) => boolean

/**
 * Reads the names that an operator lists as secret. A name counts in any case, under every other name of the same thing, and
 * at the end of a path of names, as in the bindings of a replay.
 */
export function secretNames(listed: readonly string[]): IsSecret {
  const lower = listed.map((name) => name.toLowerCase())
  const names = new Set([...lower, ...SAME.filter((group) => group.some((name) => lower.includes(name))).flat()])
  const isListed = (name: string): boolean => {
    const path = name.toLowerCase()
    return names.has(path) || [...names].some((each) => path.endsWith(`.${each}`))
  }
  return (name, sentAs = {}) => isListed(name) || (Object.hasOwn(sentAs, name) && isListed(sentAs[name]!))
}
