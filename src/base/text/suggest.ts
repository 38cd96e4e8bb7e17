/** Returns at most `most` names within a typing error of `written`, nearest first, and of equals those with its first letter. */
export function suggest(written: string, names: Iterable<string>, most = 1): readonly string[] {
  const word = written.toLowerCase()
  const allowed = Math.min(3, Math.max(1, Math.floor(word.length / 3)))
  return [...new Set(names)]
    .map((name) => ({
      name,
      edits: editsBetween(word, name.toLowerCase(), allowed),
      isAlike: name[0]?.toLowerCase() === word[0],
    }))
    .filter(({ edits }) => edits <= allowed)
    .sort((a, b) => a.edits - b.edits || Number(b.isAlike) - Number(a.isAlike))
    .slice(0, most)
    .map(({ name }) => name)
}

/** Returns `; did you mean "role"?`, or an empty text when no choice is near. */
export function didYouMean(written: string, choices: Iterable<string>): string {
  const [near] = suggest(written, choices)
  return near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`
}

/** Returns the shortest name that contains `written` as whole words (`get_screenshot` for `screenshot`), or is contained in it. */
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

/** Counts insertions, deletions, replacements and swaps of neighbours. Any result above `allowed` only means "more". */
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
    // A swap depends on the row before the previous one, so no later row can be lower than both.
    if (Math.min(...row) > allowed && Math.min(...next) > allowed) return allowed + 1
    before = row
    row = next
  }
  return row[b.length]!
}
