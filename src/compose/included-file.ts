import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseDocument } from 'yaml'
import { Fault } from '../base/fault.ts'
import { INCLUDED_SECTIONS } from '../scenario/expand/includes.ts'
import { INCLUDED_SCHEMA } from './editor/scenario-schema.ts'
import { includeBelow } from './files-below.ts'

/** Files that scenarios include, which can only be checked as parts of them. */

/** The folders that are searched for scenarios: the one of the file, and the two above. */
const SEARCHED_FOLDERS = 3
const MAX_CANDIDATES = 500
const MAX_CHARACTERS = 2_000_000

/** Whether a text is a file that scenarios include: its first line names that schema, or it has only such sections. */
export function isIncludedFile(text: string): boolean {
  const [first = ''] = text.split('\n', 1)
  if (first.startsWith('# yaml-language-server:')) return first.endsWith(`/${INCLUDED_SCHEMA}`)
  if (text.length > MAX_CHARACTERS) return false
  const keys = [...text.matchAll(/^([a-z_]+):/gm)].map(([, key = '']) => key)
  return keys.length > 0 && !keys.includes('states') && keys.every((key) => INCLUDED_SECTIONS.includes(key))
}

/** The paths of the scenarios that include a file, also by way of other files. */
export function scenariosIncluding(file: string): readonly string[] {
  const wanted = resolve(file)
  const folders = [dirname(wanted)]
  while (folders.length < SEARCHED_FOLDERS) folders.push(dirname(folders.at(-1)!))
  const candidates = [...new Set(folders)].flatMap(yamlFilesIn)
  return candidates.slice(0, MAX_CANDIDATES).filter((path) => {
    const text = readFileSync(path, 'utf8')
    return path !== wanted && !isIncludedFile(text) && includes(path, text, wanted)
  })
}

/** The YAML files of a folder. Empty for a folder that cannot be read. */
function yamlFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
      .map(({ name }) => join(folder, name))
  } catch {
    return []
  }
}

function includes(scenario: string, text: string, wanted: string): boolean {
  let isFound = false
  const read = includeBelow(scenario, (path) => {
    if (path === wanted) isFound = true
  })
  const seen = new Set<string>()
  const follow = (from: string, content: string): void => {
    for (const path of pathsIn(content)) {
      const part = read(path, from)
      if ('message' in part || seen.has(part.file)) continue
      seen.add(part.file)
      follow(part.file, part.text)
    }
  }
  follow(scenario, text)
  return isFound
}

/** The paths under `include` of a file. Empty for a file that cannot be read as YAML. */
function pathsIn(text: string): readonly string[] {
  if (!/^include:/m.test(text) || text.length > MAX_CHARACTERS) return []
  const document = parseDocument(text)
  if (document.errors.length > 0) return []
  const include: unknown = document.toJS({ maxAliasCount: 100 })?.include
  return [include].flat().filter((path) => typeof path === 'string')
}

/** The fault for a file that no scenario includes, so that it cannot be checked. */
export const notIncluded = (file: string): Fault =>
  new Fault(
    'ScenarioInvalid',
    `${file}: has no states, so it is a file for scenarios to include, but no scenario in its folder or the two above includes it; validate a scenario that does`,
    { path: file },
  )
