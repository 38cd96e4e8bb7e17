import type { PictureFile, PictureFiles } from '../../desktop/model/pictures.ts'
import { misspeltRole, roleKind } from '../../desktop/model/role.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import type { UnlocatedProblem } from '../source/problem.ts'
import type { KeyPath } from '../source/source.ts'
import { forEachEffect, forEachElement } from '../visit.ts'

/** Reads a picture file by its path from the folder of the scenario, or returns why it cannot be read. */
export type ReadPicture = (path: string) => PictureFile | { readonly message: string }

/** All pictures of a scenario together, in bytes of base64. */
const MAX_DATA_LENGTH = 24_000_000

const FROM_TEXT: ReadPicture = (path) => ({
  message: `${JSON.stringify(path)} cannot be read: the scenario was given as text, not as a file`,
})

/** Reads each picture that a scenario shows once, and reports those that cannot be shown. */
export function readPictures(
  authored: AuthoredScenario,
  read: ReadPicture = FROM_TEXT,
): { readonly pictures: PictureFiles; readonly problems: readonly UnlocatedProblem[] } {
  const pictures = new Map<string, PictureFile>()
  const problems: UnlocatedProblem[] = []
  const refused = new Map<string, string>()
  let length = 0
  for (const { src, path, role } of sourcesIn(authored)) {
    const wrongRole = role !== undefined && roleKind(role) !== 'image'
    // The other checks report a misspelt role.
    if (wrongRole && misspeltRole(role) !== undefined) continue
    const problem = wrongRole ? `only an Image shows a picture, and this is a ${role}` : readOnce(src)
    if (problem !== undefined) problems.push({ path, message: problem })
  }
  return { pictures, problems }

  function readOnce(src: string): string | undefined {
    if (pictures.has(src)) return undefined
    const known = refused.get(src)
    if (known !== undefined) return known
    const problem = problemOfPath(src) ?? readNew(src)
    if (problem !== undefined) refused.set(src, problem)
    return problem
  }

  function readNew(src: string): string | undefined {
    const found = read(src)
    if ('message' in found) return found.message
    length += found.data.length
    if (length > MAX_DATA_LENGTH) return `the pictures of a scenario have at most ${MAX_DATA_LENGTH} bytes in base64`
    pictures.set(src, found)
    return undefined
  }
}

/** Paths are relative, so that a scenario can be moved together with its pictures. */
function problemOfPath(src: string): string | undefined {
  if (src.startsWith('/') || src.includes('\\') || /^[a-z][a-z0-9+.-]*:/i.test(src) || src.split('/').includes('..'))
    return `${JSON.stringify(src)} is outside the folder of the scenario; expected a path below it, such as pictures/map.png`
  return undefined
}

interface WrittenSource {
  readonly src: string
  readonly path: KeyPath
  readonly role: string | undefined
}

/** Every `src` of a scenario: of the elements of its windows, of changes, and of appended elements. */
function sourcesIn(authored: AuthoredScenario): readonly WrittenSource[] {
  const found: WrittenSource[] = []
  forEachElement(authored, ({ src, role = '' }, path) => {
    if (src !== undefined) found.push({ src, path: [...path, 'src'], role })
  })
  forEachEffect(authored, (effect, path) => {
    if ('src' in effect && effect.src !== undefined)
      found.push({ src: effect.src, path: [...path, 'src'], role: undefined })
  })
  return found
}

/** Whether a text may show pictures; a cheap look before it is parsed. */
export const mayShowPictures = (text: string): boolean => /\bsrc['"]?\s*:/.test(text)
