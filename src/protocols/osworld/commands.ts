/** A command of a client, as far as this server knows it. */
export type ClientCommand =
  | { readonly kind: 'python'; readonly code: string }
  /** `backlot` with its arguments. */
  | { readonly kind: 'backlot'; readonly words: readonly string[] }
  | { readonly kind: 'unknown'; readonly program: string }
  /** A known program in a line that needs a shell, for an operator or for a second command. */
  | { readonly kind: 'compound'; readonly operator: string }

const PYTHON = /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?python(?:3(?:\.\d{1,2})?)?$/

/**
 * Reads a command: a list of words, or a line.
 * @param isShell Whether the original gives a line to a shell, which knows operators and comments, or only splits it.
 */
export function parseCommand(command: string | readonly string[], isShell: boolean): ClientCommand {
  const { words, operator } =
    typeof command === 'string' ? splitWords(command, isShell) : { words: command, operator: undefined }
  const [program = '', ...rest] = words
  const code = PYTHON.test(program) && rest[0] === '-c' ? rest[1] : undefined
  if (code === undefined && program !== 'backlot') return { kind: 'unknown', program }
  if (operator !== undefined) return { kind: 'compound', operator }
  return code === undefined ? { kind: 'backlot', words: rest } : { kind: 'python', code }
}

interface SplitLine {
  readonly words: readonly string[]
  /** The first operator of the shell. The words are those before it. */
  readonly operator: string | undefined
}

const OPERATOR = /^(?:&&|\|\||;;|>>|<<|\$\(|[;&|<>()`])/

/**
 * Splits a line at blanks, as a POSIX shell does: single quotes keep everything, double quotes all but `\"`, `\\`, `\$` and
 * `` \` ``. Variables and patterns are not expanded.
 */
function splitWords(line: string, isShell: boolean): SplitLine {
  const words: string[] = []
  let word: string | undefined
  let isSecondLine = false
  const endWord = (): void => {
    if (word !== undefined) words.push(word)
    word = undefined
  }
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!
    if (character.trim() === '') {
      endWord()
      if (character === '\n' && words.length > 0) isSecondLine = true
      continue
    }
    if (isShell && word === undefined && character === '#') {
      const end = line.indexOf('\n', at)
      at = (end < 0 ? line.length : end) - 1
      continue
    }
    const operator = isShell ? (isSecondLine ? '\n' : OPERATOR.exec(line.slice(at, at + 2))?.[0]) : undefined
    if (operator !== undefined) {
      endWord()
      return { words, operator }
    }
    if (character === "'") {
      const close = line.indexOf("'", at + 1)
      word = (word ?? '') + line.slice(at + 1, close < 0 ? undefined : close)
      at = close < 0 ? line.length : close
    } else if (character === '"') {
      let text = ''
      for (at++; at < line.length && line[at] !== '"'; at++)
        text += line[at] === '\\' && '"\\$`'.includes(line[at + 1] ?? ' ') ? line[++at] : line[at]
      word = (word ?? '') + text
    } else if (character === '\\') {
      at++
      if (!isShell || line[at] !== '\n') word = (word ?? '') + (line[at] ?? '')
    } else word = (word ?? '') + character
  }
  endWord()
  return { words, operator: undefined }
}
