/** Converts an external value to text. Unlike `String` it calls no `toString` or `valueOf` of the value, and never throws. */
export const toText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

/** A text for a message: of a longer one than `most` units, the beginning. */
export function shortened(text: string, most = 200): string {
  if (text.length <= most) return text
  const isSplit = /[\ud800-\udbff]/.test(text[most - 1]!)
  return `${text.slice(0, isSplit ? most - 1 : most)}…`
}

/**
 * Removes the trailing characters that `isTrimmed` accepts, one UTF-16 unit at a time. Unlike a pattern such as `/x+$/`
 * it takes linear time for texts with long inner runs of them.
 */
export function trimEndWhere(text: string, isTrimmed: (character: string) => boolean): string {
  let end = text.length
  while (end > 0 && isTrimmed(text[end - 1]!)) end--
  return text.slice(0, end)
}

/**
 * Decodes UTF-8. Returns undefined for invalid bytes or a NUL. Set `isCut` when more bytes may follow: an incomplete
 * last character is then omitted. Keeps a byte order mark, so that the text has as many bytes as were read.
 */
export function decodeUtf8(bytes: Uint8Array, isCut: boolean): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut })
  } catch {
    return undefined
  }
}

/** Returns at most `most` names within a typing error of `written`, nearest first, and of equals those with its first letter. */
export function suggest(given: string, names: Iterable<string>, most = 1): readonly string[] {
  const word = given.toLowerCase()
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
export function didYouMean(given: string, choices: Iterable<string>): string {
  const [near] = suggest(given, choices)
  return near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`
}

/** Returns the shortest name that contains `written` as whole words (`get_screenshot` for `screenshot`), or is contained in it. */
export function suggestByWord(given: string, names: Iterable<string>): string | undefined {
  const asked = `_${wordsOf(given)}_`
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

/** Quotes a word for a shell if needed. */
export const quoted = (word: string): string => (/^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** Whether a text names a value, as words of its own. */
export function isNamed(text: string | undefined, value: string): boolean {
  const [where, what] = [(text ?? '').toLowerCase(), value.trim().toLowerCase()]
  for (let at = where.indexOf(what); what !== '' && at >= 0; at = where.indexOf(what, at + 1))
    if (!isWordCharacter(where[at - 1]) && !isWordCharacter(where[at + what.length])) return true
  return false
}

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** The lines of a table for a terminal: columns as wide as their longest cell, two spaces between them. Rows have equally many cells. */
export function alignedRows(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}
