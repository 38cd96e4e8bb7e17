import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { DESKTOP_STYLES } from '../../src/desktop/style/style.ts'

// What is true of a style stands in its files. All other code asks for a property of its metrics or its theme.

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))

/** The folders that know styles by name. */
const STYLES = /^(?:desktop\/style|paint\/styles)\//

/** The folders in which names of styles have no other meaning. Elsewhere they are names of systems and of the program. */
const DESKTOPS = /^(?:desktop|scenario|paint|adapters\/synthetic)\//

/** The style that is called like the lists of windows of a desktop. */
const AMBIGUOUS = 'windows'

const anyOf = (names: readonly string[]): string => `(?:${names.join('|')})`
const QUOTED = `['"]${anyOf(DESKTOP_STYLES)}['"]`
const COMPARED = new RegExp(`\\bstyle\\b[^\\n]{0,60}[!=]== ${QUOTED}|${QUOTED} [!=]== [^\\n]{0,60}\\bstyle\\b`, 'i')
const clear = anyOf(DESKTOP_STYLES.filter((name) => name !== AMBIGUOUS))
const NAMED = new RegExp(`(['"])${clear}\\1|(?<![\\w.'"-])${clear}:|\\.${clear}\\b(?!\\.)|\\bcase '${AMBIGUOUS}':`)

/** The lines that name a style, unless they are comments. */
const linesWith = (pattern: RegExp, text: string): readonly string[] =>
  text.split('\n').filter((line) => pattern.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line))

const MODULES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter(
    (path) => /\.tsx?$/.test(path) && !/\.(test|suite|real|long|wine|desktops)\.ts$/.test(path) && !STYLES.test(path),
  )

const placesOf = (pattern: RegExp, paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => linesWith(pattern, readFileSync(join(SRC, path), 'utf8')).map((line) => `${path}: ${line}`))

it('only the files of a style compare it by name', () => {
  expect(placesOf(COMPARED, MODULES)).toEqual([])
})

it('only the files of a style have its name as a value or a key', () => {
  expect(
    placesOf(
      NAMED,
      MODULES.filter((path) => DESKTOPS.test(path)),
    ),
  ).toEqual([])
})

it('finds the ways to test for a style', () => {
  const compared = ["style === 'windows'", "(desktop.style ?? DEFAULT) !== 'backlot'", "'gnome' === theme.style"]
  const named = ['  macos: 12,', "new Set(['gnome'])", "case 'windows':", 'HEIGHTS.macos']
  const other = ["platform === 'windows'", 'windows: [],', '// in the style macos', 'metrics.windows.length']
  const found = (pattern: RegExp) => [...compared, ...named, ...other].flatMap((line) => linesWith(pattern, line))
  expect(found(COMPARED)).toEqual(compared)
  expect(found(NAMED)).toEqual([...compared.slice(1), ...named])
})
