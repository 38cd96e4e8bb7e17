import { PACKAGE } from '../compose/package.ts'

/** This program in a terminal, from any folder. */
export function program(): string {
  const [, file = ''] = process.argv
  return file.endsWith('.ts') ? `npm run --silent --prefix ${quoted(PACKAGE)} backlot --` : `node ${quoted(file)}`
}

/** A word as a shell takes it, in quotes where it needs them. */
export const quoted = (word: string): string => (/^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
