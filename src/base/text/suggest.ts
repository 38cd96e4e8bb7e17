/** At most `most` of the names that are a slip of the pen away from `written`, the nearest first. */
export function suggest(written: string, names: Iterable<string>, most = 1): readonly string[] {
  const word = written.toLowerCase()
  const allowed = Math.min(3, Math.max(1, Math.floor(word.length / 3)))
  return [...new Set(names)]
    .map((name) => ({ name, edits: editsBetween(word, name.toLowerCase(), allowed) }))
    .filter(({ edits }) => edits <= allowed)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, most)
    .map(({ name }) => name)
}

/** `; did you mean "role"?`, or nothing when no choice is near. */
export function didYouMean(written: string, choices: Iterable<string>): string {
  const [near] = suggest(written, choices)
  return near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`
}

/** The shortest name of which `written` is a word or several, such as `get_screenshot` for `screenshot`, or which is part of it. */
export function suggestByWord(written: string, names: Iterable<string>): string | undefined {
  const asked = `_${wordsOf(written)}_`
  if (asked.length < 5) return undefined
  const all = [...new Set(names)].sort((a, b) => a.length - b.length)
  return (
    all.find((name) => `_${wordsOf(name)}_`.includes(asked)) ??
    all.reverse().find((name) => name.length > 2 && asked.includes(`_${wordsOf(name)}_`))
  )
}

const wordsOf = (text: string): string =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[ _-]+/g, '_')

/** Insertions, deletions, replacements and swaps of neighbours; more than `allowed` is only known to be more. */
export function editsBetween(a: string, b: string, allowed: number): number {
  if (Math.abs(a.length - b.length) > allowed) return allowed + 1
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let edits = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) edits = Math.min(edits, before[j - 2]! + 1)
      next.push(edits)
    }
    // A swap looks two rows back, so no later row can come below both.
    if (Math.min(...row) > allowed && Math.min(...next) > allowed) return allowed + 1
    before = row
    row = next
  }
  return row[b.length]!
}
