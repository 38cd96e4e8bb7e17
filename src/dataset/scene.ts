import { plain } from '../desktop/caption.ts'
import { type Desktop, isOnScreen, stackedWindows, type Window } from '../desktop/model/desktop.ts'
import { type Element, nodeAt, valueText, walk } from '../desktop/model/element.ts'
import { centerOf, contains, type Rect } from '../desktop/model/geometry.ts'
import { type RoleKind, roleKind, rolesWhere, rolesWith, rowOfKind } from '../desktop/model/role.ts'
import { shellText } from '../desktop/model/shell-texts.ts'
import type { ElementArea } from '../paint/annotations/areas.ts'
import type { TextRun } from '../paint/picture.ts'
import { withoutGlyph } from '../scenario/variants/locales.ts'

/** A visible control, with what tells it from others. */
export interface Subject {
  readonly area: ElementArea
  readonly window: Window
  readonly parent: Element | undefined
  readonly kind: RoleKind
  readonly group: LookGroup
  readonly isRowHeader: boolean
  /** What people call it: its name, for a cell its content, in lower case. Empty if it has none. */
  readonly key: string
}

/** All that a picture shows, and all that its trees hold. */
export interface Scene {
  /** Those on the screen, front to back, with the parts of the shell. */
  readonly windows: readonly Window[]
  readonly areas: readonly ElementArea[]
  readonly texts: readonly TextRun[]
  readonly subjects: readonly Subject[]
  /** How many elements of the trees have a kind, a kind and a name, or these in a window. */
  readonly counts: ReadonlyMap<string, number>
  /** What title bars call their buttons. Neither these nor the buttons of the panel are elements. */
  readonly signs: ReadonlySet<string>
  /** The titles on title bars and on the buttons of the panel. */
  readonly titles: ReadonlySet<string>
  /** The area of the element at a path of a window, if it is visible. */
  areaAt(window: string, path: readonly number[]): ElementArea | undefined
}

/** Reads a desktop and its picture once, for all instructions about it. */
export function sceneOf(desktop: Desktop, areas: readonly ElementArea[], texts: readonly TextRun[]): Scene {
  const windows = stackedWindows(desktop).filter(isOnScreen)
  const byPlace = new Map(areas.map((area) => [`${area.window} ${area.path.join('.')}`, area]))
  return {
    windows,
    areas,
    texts,
    subjects: areas.flatMap((area) => subjectOf(area, windows) ?? []),
    counts: countElements(windows),
    signs: signNames(desktop),
    titles: new Set(desktop.windows.map(({ title }) => plain(title))),
    areaAt: (window, path) => byPlace.get(`${window} ${path.join('.')}`),
  }
}

function subjectOf(area: ElementArea, windows: readonly Window[]): Subject | undefined {
  const { element, path } = area
  const window = windows.find(({ uid }) => uid === area.window)
  if (!window) return undefined
  const parent = path.length > 0 ? nodeAt(window.tree, path.slice(0, -1)) : undefined
  const kind = shownKind(element, parent)
  const group = lookGroupOf(kind)
  if (!group) return undefined
  const key = plain(kind === 'cell' ? (valueText(element) ?? element.name) : element.name)
  return { area, window, parent, kind, group, isRowHeader: isRowHeader(element, parent), key }
}

export const kindKey = ({ role }: Element): string => roleKind(role)
export const namedKey = ({ role, name }: Element): string => `${roleKind(role)} ${plain(name)}`

function countElements(windows: readonly Window[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const { uid, tree } of windows)
    for (const element of walk(tree)) {
      add(kindKey(element))
      add(namedKey(element))
      add(`${uid} ${namedKey(element)}`)
    }
  return counts
}

/** Buttons of title bars, in English and in the language of the desktop. They have a sign and no text. */
function signNames(desktop: Desktop): ReadonlySet<string> {
  const signs = ['Close', 'Minimize', 'Minimise', 'Maximize', 'Maximise', 'Restore', 'Zoom']
  const ours = (['Close', 'Minimize', 'Zoom'] as const).map((text) => shellText(desktop, text))
  return new Set([...signs, ...ours].map(plain))
}

/** Whether one area is around the other, in the same window. */
export const isAround = (outer: ElementArea, inner: ElementArea): boolean =>
  inner.window === outer.window &&
  inner.path.length > outer.path.length &&
  outer.path.every((index, depth) => inner.path[depth] === index)

/** Pixels by which a painted text may reach beyond the box of its element. */
const SLACK_PX = 3

const isInside = ({ x, y, width, height }: Rect, { bounds }: TextRun): boolean =>
  contains({ x, y, width, height }, centerOf(bounds)) &&
  bounds.x >= x - SLACK_PX &&
  bounds.x + bounds.width <= x + width + SLACK_PX

/** The texts that are painted in an area, in the order in which they are painted. */
export const runsWithin = ({ texts }: Scene, { box }: ElementArea): readonly TextRun[] =>
  texts.filter((run) => isInside(box, run))

/** Whether a line that is painted in an area says this and nothing else, such as a long text that is cut. */
export const isPaintedLine = ({ texts }: Scene, { box }: ElementArea, words: string): boolean =>
  texts.some(({ text, bounds }) => plain(text) === words && contains(box, centerOf(bounds)))

/** Whether texts show words as a whole: one of them, or some that follow each other. */
function showWords(runs: readonly TextRun[], words: string): boolean {
  const wanted = lettersOf(words)
  if (wanted === '') return false
  return runs.some((_, first) => {
    let joined = ''
    for (let last = first; last < runs.length && joined.length < wanted.length; last++) {
      joined += lettersOf(runs[last]!.text)
      if (joined === wanted) return true
    }
    return false
  })
}

const lettersOf = (text: string): string => plain(text).replace(/\s+/g, '')

/** Whether the whole name of an element can be read: in it, or in a caption above or beside it. */
export function isNamePainted(scene: Scene, area: ElementArea): boolean {
  const { element } = area
  if (withoutGlyph(element.name) !== undefined) return false
  // A name in a control of its own within the element is the name of that control.
  const parts = scene.subjects.filter((other) => isAround(area, other.area) && other.key === plain(element.name))
  const own = runsWithin(scene, area).filter((run) => !parts.some((part) => isInside(part.area.box, run)))
  return showWords(own, element.name) || hasCaption(scene, area)
}

/** Kinds with a caption beside or above them. */
const CAPTIONED = rolesWith('captioned')

function hasCaption(scene: Scene, { element, box, window }: ElementArea): boolean {
  if (!CAPTIONED.has(roleKind(element.role))) return false
  const whole = scene.areaAt(window, [])?.box
  const wanted = plain(element.name)
  if (!whole || wanted === '') return false
  const controls = scene.subjects.filter((other) => other.area.element !== element && other.kind !== 'cell')
  return scene.texts.some((run) => {
    if (plain(run.text) !== wanted || !contains(whole, centerOf(run.bounds))) return false
    if (controls.some(({ area }) => isInside(area.box, run))) return false
    return isCaptionPlace(run.bounds, box, controls)
  })
}

/** A caption above is at most so many times its height away. */
const MAX_GAP_ABOVE = 1.5

/** Whether words are directly above a box, or beside it with no control between them. */
function isCaptionPlace(words: Rect, box: Rect, controls: readonly Subject[]): boolean {
  const gap = box.y - (words.y + words.height)
  const shared = Math.min(words.x + words.width, box.x + box.width) - Math.max(words.x, box.x)
  if (gap > -words.height / 2 && gap <= words.height * MAX_GAP_ABOVE && shared * 2 >= Math.min(words.width, box.width))
    return true
  const middle = words.y + words.height / 2
  if (middle < box.y - SLACK_PX || middle > box.y + box.height + SLACK_PX) return false
  const [from, to] = words.x < box.x ? [words.x + words.width, box.x] : [box.x + box.width, words.x]
  return !controls.some(
    ({ area: { box: other } }) =>
      other.x < to && other.x + other.width > from && middle >= other.y && middle <= other.y + other.height,
  )
}

/** What a scope holds: all of the screen, one window, or one element with what is in it. */
export type Scope = Window | ElementArea | undefined

const isIn = (scope: Scope, { area }: Subject): boolean =>
  scope === undefined || ('uid' in scope ? area.window === scope.uid : isAround(scope, area))

/**
 * Whether no other control in a scope would be taken for the subject by its name: one that looks like it and has the name, or
 * one that is cut off where the subject is.
 */
export function isOnlyOne(scene: Scene, subject: Subject, scope: Scope): boolean {
  const { key, group, area, kind } = subject
  if (key === '') return false
  if (group === 'press' && kind !== 'cell') {
    const isFramed = scope === undefined || ('uid' in scope && scope.frame !== 'none')
    // A title that begins with the name reads like it where it is cut off.
    const isTitle = scope === undefined && [...scene.titles].some((title) => title.startsWith(key))
    if ((isFramed && scene.signs.has(key)) || isTitle) return false
  }
  const start = elidedStart(scene, subject)
  return !scene.subjects.some(
    (other) =>
      other.area !== area &&
      other.group === group &&
      isIn(scope, other) &&
      (other.key === key || (start !== undefined && other.key.startsWith(start))) &&
      !isAround(area, other.area) &&
      !isAround(other.area, area),
  )
}

/** The start of the name that is all that can be read of it, if it ends with an ellipsis. */
function elidedStart(scene: Scene, { area, key }: Subject): string | undefined {
  for (const { text } of runsWithin(scene, area)) {
    const start = plain(text)
    if (/…\s*$/.test(text) && start !== '' && key !== start && key.startsWith(start)) return start
  }
  return undefined
}

/** How an instruction names a control and what it asks for. */
export interface ControlPhrase {
  readonly noun: string
  /** Each asks for one click on the control. */
  readonly verbs: readonly string[]
}

const ROW_HEADER: ControlPhrase = { noun: 'row header', verbs: ['Click'] }
const CLOSED_LIST: ControlPhrase = { noun: 'drop-down list', verbs: ['Click', 'Open'] }

/** The words for a kind by its row. Kinds without verbs get no instructions. No two kinds have the same noun. */
function controlPhraseOf(kind: RoleKind): ControlPhrase | undefined {
  const { noun, verbs } = rowOfKind(kind)
  return verbs.length > 0 ? { noun, verbs } : undefined
}

/** Whether a header item heads a row: one beside cells, or one that says so. */
const isRowHeader = ({ role }: Element, parent: Element | undefined): boolean =>
  roleKind(role) === 'headeritem' &&
  (/^row/i.test(role) ||
    (parent !== undefined &&
      roleKind(parent.role) === 'row' &&
      parent.children.some((child) => roleKind(child.role) === 'cell')))

const MENUS = rolesWhere(({ is }) => is.includes('menu') || is.includes('menuKeys'))

/** The kind that a control looks like: a box or an option in a menu is a menu item. */
export function shownKind({ role }: Element, parent: Element | undefined): RoleKind {
  const kind = roleKind(role)
  const isTicked = kind === 'checkbox' || kind === 'radio'
  return isTicked && parent !== undefined && MENUS.has(roleKind(parent.role)) ? 'menuitem' : kind
}

/** The words for a control in its parent. */
export function phraseOf(element: Element, parent: Element | undefined): ControlPhrase | undefined {
  if (isRowHeader(element, parent)) return ROW_HEADER
  const kind = shownKind(element, parent)
  const opens =
    kind === 'combo' && element.expanded !== true && !element.children.some(({ role }) => roleKind(role) === 'edit')
  return opens ? CLOSED_LIST : controlPhraseOf(kind)
}

/** Controls that people confuse when they have the same name. */
type LookGroup = 'field' | 'slider' | 'press'

const FIELDS = rolesWhere(({ is, text }) => is.includes('entry') || text === 'lines')

/** The group of a kind. Menus count, though no instruction is about them. Undefined for what nobody would click. */
function lookGroupOf(kind: RoleKind): LookGroup | undefined {
  if (FIELDS.has(kind)) return 'field'
  if (kind === 'slider') return 'slider'
  return kind === 'menu' || controlPhraseOf(kind) ? 'press' : undefined
}

/** Kinds of which one that is alone is not “the only” one while another of its row is visible. */
const ALIKE: readonly (readonly RoleKind[])[] = [
  [...FIELDS],
  ['checkbox', 'radio', 'toggle'],
  ['button', 'splitbutton'],
  ['listitem', 'treeitem', 'menuitem', 'row', 'cell', 'day'],
]

/** The kinds that look like a kind without their names. */
export const kindsLike = (kind: RoleKind): readonly RoleKind[] => ALIKE.find((kinds) => kinds.includes(kind)) ?? [kind]

/** Containers that an instruction may name, to tell apart what is in them. */
export const LOCATED: ReadonlySet<RoleKind> = rolesWith('located')

/** “third” of a list: for people, longer counts are work. */
export const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
] as const
