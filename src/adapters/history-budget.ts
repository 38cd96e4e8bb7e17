import type { Action } from '../desktop/input/action.ts'
import { type Desktop, filesOf } from '../desktop/model/desktop.ts'
import type { Element } from '../desktop/model/element.ts'

/** How many bytes the steps of one computer may hold. */
const MAX_COMPUTER_BYTES = 16 * 1024 * 1024
/** How many bytes the steps of all computers that share a room may hold. */
const MAX_ROOM_BYTES = 128 * 1024 * 1024

/** The memory that the histories of several computers share, so that many of them stay within bounds together. */
export class HistoryBudget {
  readonly #maxBytes: number
  readonly #maxComputerBytes: number
  #bytes = 0

  constructor(maxBytes = MAX_ROOM_BYTES, maxComputerBytes = MAX_COMPUTER_BYTES) {
    this.#maxBytes = maxBytes
    this.#maxComputerBytes = maxComputerBytes
  }

  /** Counts bytes that a history now holds, or holds no more when `bytes` is negative. */
  add(bytes: number): void {
    this.#bytes += bytes
  }

  /** How many bytes a history that holds `bytes` must give up. */
  excessBytes(bytes: number): number {
    return Math.max(0, bytes - this.#maxComputerBytes, Math.min(bytes, this.#bytes - this.#maxBytes))
  }
}

/** What a letter needs at most. */
const LETTER_BYTES = 2
const STEP_BYTES = 256
const NODE_BYTES = 512
const REFERENCE_BYTES = 8

/** How many bytes an action needs in a history. */
export const actionBytes = (action: Action): number => STEP_BYTES + LETTER_BYTES * lettersIn(action)

function lettersIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let letters = 0
  for (const key in value) letters += lettersIn(value[key as keyof typeof value])
  return letters
}

/** How many bytes a desktop needs besides those that it shares with an earlier one. */
export function desktopBytes(desktop: Desktop, before: Desktop): number {
  const trees = new Map(before.windows.map(({ uid, tree }) => [uid, tree]))
  let bytes = NODE_BYTES + desktop.windows.length * REFERENCE_BYTES
  for (const { uid, tree } of desktop.windows) bytes += bytesOfElement(tree, trees.get(uid))
  if (desktop.clipboard !== before.clipboard) bytes += desktop.clipboard.length * LETTER_BYTES
  const [files, earlier] = [filesOf(desktop), filesOf(before)]
  if (files === earlier) return bytes
  for (const [path, text] of Object.entries(files)) {
    bytes += 2 * REFERENCE_BYTES
    if (text !== earlier[path]) bytes += (path.length + (text?.length ?? 0)) * LETTER_BYTES
  }
  return bytes
}

function bytesOfElement(element: Element, before: Element | undefined): number {
  if (element === before) return 0
  let bytes = NODE_BYTES + element.children.length * REFERENCE_BYTES + newLetters(element, before) * LETTER_BYTES
  const known = before && childrenById(element, before)
  for (const [at, child] of element.children.entries()) {
    const earlier = before?.children[at]
    bytes += bytesOfElement(child, earlier?.id === child.id ? earlier : known?.get(child.id))
  }
  return bytes
}

/** The earlier children by id, where they do not stand at the same places any more. */
const childrenById = ({ children }: Element, before: Element): ReadonlyMap<string, Element> | undefined =>
  children.length === before.children.length ? undefined : new Map(before.children.map((child) => [child.id, child]))

function newLetters(element: Element, before: Element | undefined): number {
  let letters = 0
  for (const key of ['name', 'value', 'description'] as const)
    if (element[key] !== before?.[key]) letters += element[key]?.length ?? 0
  const { traits } = element
  if (!traits || traits === before?.traits) return letters
  const earlier = before?.traits
  const known = new Set([...(earlier?.history?.undo ?? []), ...(earlier?.history?.redo ?? [])])
  for (const version of [...(traits.history?.undo ?? []), ...(traits.history?.redo ?? [])])
    if (!known.has(version)) letters += version.text.length
  for (const [name, value] of Object.entries(traits))
    if (name !== 'history' && value !== earlier?.[name as keyof typeof earlier]) letters += lettersIn(value)
  return letters
}
