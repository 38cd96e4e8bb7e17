import { PACKAGE } from '../compose/package.ts'

/** The shell command that runs this program from any folder. */
export function program(): string {
  const [, file = ''] = process.argv
  return file.endsWith('.ts') ? `npm run --silent --prefix ${quoted(PACKAGE)} backlot --` : `node ${quoted(file)}`
}

/** Quotes a word for a shell if needed. */
export const quoted = (word: string): string => (/^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
