import type { Files } from '../../desktop/files/files.ts'
import type { Desktop } from '../../desktop/model/desktop.ts'
import { type Element, memoize } from '../../desktop/model/element.ts'

/** The characters of all texts of a desktop: of its elements, its files and its clipboard. */
const MAX_CHARACTERS = 3_000_000

/** Why the texts of a desktop are too long after an effect. Undefined if they are not, or were so before. */
export function textExcess(before: Desktop, after: Desktop): string | undefined {
  const length = textLengthOf(after)
  if (length <= MAX_CHARACTERS || length <= textLengthOf(before)) return undefined
  return `the texts of the desktop would have ${length} characters; at most ${MAX_CHARACTERS} are allowed`
}

const textLengthOf = ({ windows, files, clipboard }: Desktop): number =>
  windows.reduce((sum, { title, tree }) => sum + title.length + textLengthIn(tree), clipboard.length) +
  (files ? textLengthOfFiles(files) : 0)

const ownLength = ({ name, value, description }: Element): number =>
  name.length + (value?.length ?? 0) + (description?.length ?? 0)

const textLengthIn: (element: Element) => number = memoize(
  (element) => element.children.reduce((sum, child) => sum + textLengthIn(child), ownLength(element)),
  { update: (length, before, after) => length - textLengthIn(before) + textLengthIn(after) },
)

const known = new WeakMap<Files, number>()

function textLengthOfFiles(files: Files): number {
  const found = known.get(files)
  if (found !== undefined) return found
  const length = Object.entries(files).reduce((sum, [path, text]) => sum + path.length + (text?.length ?? 0), 0)
  known.set(files, length)
  return length
}
