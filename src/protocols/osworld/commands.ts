/** A command of a client, as far as this server knows it. */
export type ClientCommand =
  | { readonly kind: 'python'; readonly code: string }
  /** `backlot` with its arguments. */
  | { readonly kind: 'backlot'; readonly words: readonly string[] }
  | { readonly kind: 'unknown'; readonly program: string }

const PYTHON = /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?python(?:3(?:\.\d{1,2})?)?$/

/** Reads a command: a list of words, or a line as a shell splits it. */
export function parseCommand(command: string | readonly string[]): ClientCommand {
  const words = typeof command === 'string' ? splitWords(command) : command
  const [program = '', ...rest] = words
  if (PYTHON.test(program) && rest[0] === '-c' && rest[1] !== undefined) return { kind: 'python', code: rest[1] }
  if (program === 'backlot') return { kind: 'backlot', words: rest }
  return { kind: 'unknown', program }
}

/**
 * Splits a line at blanks, as a POSIX shell does: single quotes keep everything, double quotes all but `\"`, `\\`, `\$` and
 * `` \` ``. Operators of shells are part of words, since nothing here runs them.
 */
function splitWords(line: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (character === "'") {
      const end = line.indexOf("'", at + 1)
      word = (word ?? '') + line.slice(at + 1, end < 0 ? undefined : end)
      at = end < 0 ? line.length : end
    } else if (character === '"') {
      let text = ''
      for (at++; at < line.length && line[at] !== '"'; at++)
        text += line[at] === '\\' && '"\\$`'.includes(line[at + 1] ?? ' ') ? line[++at] : line[at]
      word = (word ?? '') + text
    } else if (character === '\\') word = (word ?? '') + (line[++at] ?? '')
    else word = (word ?? '') + character
  }
  return word === undefined ? words : [...words, word]
}
