import { type Kind, kindOf } from '../../../desktop/model/role.ts'
import type { WrittenElement } from '../../schema/element.ts'
import type { WrittenScenario } from '../../schema/scenario.ts'
import { treesOf } from '../geometry/map-windows.ts'
import { isPlainObject, type PlainObject } from '../rewrite-json.ts'

/** What a text belongs to: the kind of an element, a window, or the value of a control. */
export type TextOwner = Kind | 'title' | 'value'

/** A text on the screen, and what it belongs to. */
export interface ScreenText {
  readonly text: string
  readonly owner: TextOwner
}

/** The keys of elements and changes whose text is shown or read aloud. */
export const TEXT_KEYS: ReadonlySet<string> = new Set([
  'name',
  'rich',
  'title',
  'description',
  'placeholder',
  'subtitle',
  'avatar',
  'toast',
  'message',
])

/** Items hold the content of a task, such as mails and orders, rather than words of the program. */
const CONTENT: ReadonlySet<TextOwner> = new Set<TextOwner>(['listitem', 'row', 'cell', 'treeitem', 'day', 'value'])

/** Whether a text is a word of the program rather than content. */
export const isLabelOwner = (owner: TextOwner): boolean => !CONTENT.has(owner)

/** The kinds of the elements of a scenario by id. The first of several counts. */
export function kindsById(written: WrittenScenario): ReadonlyMap<string, Kind> {
  const kinds = new Map<string, Kind>()
  const note = (element: WrittenElement | undefined): void => {
    if (!element) return
    if (element.id !== undefined && !kinds.has(element.id)) kinds.set(element.id, kindOf(element.role ?? ''))
    for (const child of element.children ?? []) note(child)
  }
  for (const tree of treesOf(written)) note(tree)
  return kinds
}

/** What the texts of an element, a change or a guard belong to. */
export function ownerOf(key: string, part: PlainObject, kinds: ReadonlyMap<string, Kind>): TextOwner {
  if (key === 'title') return 'title'
  if (key === 'value') return valueOwner(part, kinds)
  return kindIn(part, kinds) ?? 'other'
}

function kindIn({ role, id }: PlainObject, kinds: ReadonlyMap<string, Kind>): Kind | undefined {
  if (typeof role === 'string') return kindOf(role)
  return typeof id === 'string' ? kinds.get(id) : undefined
}

/** The value of a text is shown as it is; that of a combo box is the name of an item; others are content. */
function valueOwner(part: PlainObject, kinds: ReadonlyMap<string, Kind>): TextOwner {
  const kind = kindIn(part, kinds)
  if (kind === 'text') return 'text'
  return kind === 'combo' ? 'listitem' : 'value'
}

/** The texts that a scenario shows: those of its states, and those that reactions and timers write. */
export function textsOf(written: WrittenScenario): readonly ScreenText[] {
  const kinds = kindsById(written)
  const found: ScreenText[] = []
  const look = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) look(item)
    if (!isPlainObject(value)) return
    for (const [key, part] of Object.entries(value)) {
      if (typeof part === 'string' && (TEXT_KEYS.has(key) || key === 'value'))
        found.push({ text: part, owner: ownerOf(key, value, kinds) })
      else if (!SILENT.has(key) && !isData(key, value)) look(part)
    }
  }
  look(written.states)
  look(written.windows)
  look(written.reactions)
  look(written.timers)
  return found
}

/** Parts of reactions that show nothing: conditions, and the fields of events. */
const SILENT: ReadonlySet<string> = new Set(['when', 'on', 'with'])

/** Whether a key of an effect has values of a variable. They are data, also under keys such as `title`. */
export const isData = (key: string, owner: PlainObject): boolean =>
  owner.var !== undefined && (key === 'to' || key === 'append' || key === 'change')

/** Whether a text has letters, so that it could be translated. */
export const hasLetters = (text: string): boolean => /\p{L}/u.test(text)
