import { drawInteger, type Random } from '../base/random.ts'
import { plain } from '../desktop/caption.ts'
import type { Desktop, Window } from '../desktop/model/desktop.ts'
import { type Element, nodeAt, type Path, valueText, walk } from '../desktop/model/element.ts'
import { centerOf, contains, type Point } from '../desktop/model/geometry.ts'
import { type RoleKind, roleKind, rowOfKind } from '../desktop/model/role.ts'
import { DESKTOP_UID, DOCK_UID, MENU_BAR_UID, TASKBAR_UID, TOP_BAR_UID } from '../desktop/shell/shell-elements.ts'
import { querySelectorAll } from '../desktop/tree/select.ts'
import { type AttributeTest, formatStep, isRole, type SelectorStep } from '../desktop/tree/selector.ts'
import { visibilityOf } from '../desktop/tree/visibility.ts'
import type { ElementArea } from '../paint/annotations/areas.ts'
import type { CocoAnnotation } from '../paint/annotations/coco.ts'
import type { TextRun } from '../paint/picture.ts'
import { withoutGlyph } from '../scenario/variants/locales.ts'
import {
  type ControlPhrase,
  isAround,
  isNamePainted,
  isOnlyOne,
  isPaintedLine,
  kindKey,
  kindsLike,
  LOCATED,
  namedKey,
  ORDINALS,
  phraseOf,
  runsWithin,
  type Scene,
  type Subject,
  sceneOf,
  shownKind,
} from './scene.ts'

/** What tells the element of an instruction from all others. */
export type GroundingKind = 'name' | 'window' | 'shell' | 'container' | 'only' | 'position' | 'value' | 'cell'

/** An instruction in English and the one element that it means. */
export interface GroundingPair {
  readonly instruction: string
  readonly kind: GroundingKind
  /** Matches that element, and no other element of any window that is not minimised. */
  readonly selector: string
  readonly area: ElementArea
  /** A pixel of the picture where a click hits the element. */
  readonly point: Point
  /** Whether its whole name can be read, in it or in its caption. */
  readonly named: boolean
}

/** An element with less to see than this share, or narrower or lower than this, gets no instruction. */
const MIN_VISIBLE_SHARE = 0.3
const MIN_SIDE_PX = 6
const MAX_NAME_CHARACTERS = 60
/** Names that cannot be quoted in a sentence: with control characters, quotes, or signs that only a symbol font has. */
const UNQUOTABLE = /[\p{Cc}\p{Cf}\p{Co}“”]/u
/** Of a picture with a sheet, only so many cells get instructions. */
const MAX_CELLS = 8

/**
 * Instructions about the clickable elements of a picture. Each means exactly one element of all that is painted, and its
 * selector one of all that the trees hold. `random` chooses among wordings that are equally exact.
 */
export function groundingOf(
  desktop: Desktop,
  areas: readonly ElementArea[],
  annotations: readonly CocoAnnotation[],
  texts: readonly TextRun[],
  random: Random,
): readonly GroundingPair[] {
  const scene = sceneOf(desktop, areas, texts)
  const draw = drawFrom(random)
  const occluded = new Map(areas.map((area, index) => [area, annotations[index]!.occluded]))
  let cells = 0
  return scene.subjects.flatMap((subject) => {
    const { area, kind } = subject
    const phrase = phraseOf(area.element, subject.parent)
    if (!phrase || !area.clickable || !isLargeEnough(area, occluded.get(area)!)) return []
    if (kind === 'cell' && cells >= MAX_CELLS) return []
    const point = pointOf(area, areas)
    if (!point) return []
    const named = isNamePainted(scene, area)
    const made = chosenWordings({ scene, subject, phrase }, draw)
    if (kind === 'cell' && made.length > 0) cells++
    return made.map(({ words, kind: wording, selector }) => {
      const verb = phrase.verbs[draw(phrase.verbs.length)]!
      return { instruction: `${verb} ${words}`, kind: wording, selector, area, point, named }
    })
  })
}

/** Draws a number below a limit. */
type Draw = (limit: number) => number

function drawFrom(given: Random): Draw {
  let random = given
  return (limit) => {
    const [number, next] = drawInteger(random, 0, limit - 1)
    random = next
    return number
  }
}

const isLargeEnough = ({ box }: ElementArea, occluded: number): boolean =>
  1 - occluded >= MIN_VISIBLE_SHARE && box.width >= MIN_SIDE_PX && box.height >= MIN_SIDE_PX

/** The centre of an element or of one of its parts, where nothing else that is clickable is on top. */
function pointOf(area: ElementArea, areas: readonly ElementArea[]): Point | undefined {
  const isOn = (point: Point): boolean => {
    const top = areas.findLast(({ parts }) => parts.some((part) => contains(part, point)))
    return top === area || (top !== undefined && !top.clickable && isAround(area, top))
  }
  return [centerOf(area.box), ...area.parts.map(centerOf)].find(isOn)
}

/** A wording that may mean one element only. */
interface Wording {
  readonly kind: GroundingKind
  readonly words: string
  readonly selector: string
  /** The windows in which the selector must match one element; all of them by default. */
  readonly within?: readonly Window[]
}

/** An element that instructions are written about. */
interface Spoken {
  readonly scene: Scene
  readonly subject: Subject
  readonly phrase: ControlPhrase
}

/** One drawing in so many takes another than the shortest wording. */
const OTHER_IN = 3

/** One wording that names the element, and one each by its position, its content and its column, where these are proven. */
function chosenWordings(spoken: Spoken, draw: Draw): readonly Wording[] {
  const { scene, subject } = spoken
  const isGood = ({ selector, within }: Wording) => isProven(selector, within ?? scene.windows, subject.area)
  const naming = namingWordings(spoken, draw).filter(isGood)
  const other = naming.length > 1 && draw(OTHER_IN) === 0 ? 1 + draw(naming.length - 1) : 0
  const named = naming[other]
  const more = [positionOf(spoken, draw), valueWording(spoken), cellWording(spoken)]
  return [named, ...more.filter((wording) => wording && isGood(wording))].filter((wording) => wording !== undefined)
}

/** The wordings with the name of an element, the shortest first; without a name, that it is the only one. */
function namingWordings({ scene, subject, phrase: { noun } }: Spoken, draw: Draw): readonly Wording[] {
  const { area, window, kind } = subject
  const { element } = area
  const { counts } = scene
  if (!isRole(wordOf(element.role))) return []
  const found: Wording[] = []
  if (isQuotable(element.name) && kind !== 'cell') {
    const words = draw(2) === 0 ? `the ${noun} “${element.name}”` : `the “${element.name}” ${noun}`
    const named = stepOf(element, 'anywhere')
    if (counts.get(namedKey(element)) === 1 && isOnlyOne(scene, subject, undefined))
      found.push({ kind: 'name', words, selector: named })
    const isOneInWindow = counts.get(`${window.uid} ${namedKey(element)}`) === 1
    const place = SHELL_PLACES[window.uid]
    if (place && isOneInWindow && isOnlyOne(scene, subject, window))
      found.push({
        kind: 'shell',
        words: `${words} ${place}`,
        selector: stepOf(window.tree, 'anywhere') + stepOf(element, 'descendant'),
      })
    if (isOneInWindow && isTitlePainted(scene, window) && isOnlyOne(scene, subject, window))
      found.push({
        kind: 'window',
        words: `${words} in the window “${window.title}”`,
        selector: named,
        within: [window],
      })
    const holder = holderOf(scene, subject)
    if (holder && countBelow(holder.area.element, element) === 1 && isOnlyOne(scene, subject, holder.area))
      found.push({
        kind: 'container',
        words: `${words} in ${holder.words}`,
        selector: holder.selector + stepOf(element, 'descendant'),
      })
  }
  const alike = kindsLike(kind)
  const isAlone = !scene.subjects.some((other) => other !== subject && alike.includes(other.kind))
  if (isAlone && counts.get(kindKey(element)) === 1 && kind !== 'button')
    found.push({
      kind: 'only',
      words: `the only ${noun}`,
      selector: formatStep({ reach: 'anywhere', role: wordOf(element.role), tests: [] }),
    })
  return found
}

/** The parts of the shell that an instruction names. */
const SHELL_PLACES: Readonly<Record<string, string>> = {
  [DOCK_UID]: 'in the dock',
  [TASKBAR_UID]: 'in the taskbar',
  [MENU_BAR_UID]: 'in the menu bar',
  [TOP_BAR_UID]: 'in the top bar',
  [DESKTOP_UID]: 'on the desktop',
}

/** Whether people can tell which window has a title: it is painted as a whole in the frame, and in no other frame. */
function isTitlePainted({ windows, texts, areaAt }: Scene, window: Window): boolean {
  if (window.shell || window.frame === 'none' || !isQuotable(window.title)) return false
  const title = plain(window.title)
  if (windows.some((other) => other !== window && plain(other.title) === title)) return false
  const root = areaAt(window.uid, [])
  if (!root) return false
  const { x, width } = root.box
  return texts.some(
    ({ text, bounds }) => plain(text) === title && bounds.x >= x && bounds.x + bounds.width <= x + width,
  )
}

/** A container that an instruction can refer to. */
interface Holder {
  readonly area: ElementArea
  readonly words: string
  readonly selector: string
}

/** The innermost container around an element that an instruction can refer to. */
function holderOf(scene: Scene, { area, window }: Subject): Holder | undefined {
  for (let depth = area.path.length - 1; depth > 0; depth--) {
    const path = area.path.slice(0, depth)
    if (!LOCATED.has(roleKind(nodeAt(window.tree, path)!.role))) continue
    const holder = referenceTo(scene, window.uid, path)
    if (holder) return holder
  }
  return undefined
}

/** How an instruction refers to a visible container: by a name that can be read, or as the only one of its kind. */
function referenceTo(scene: Scene, window: string, path: Path): Holder | undefined {
  const area = scene.areaAt(window, path)
  if (!area || !isRole(wordOf(area.element.role))) return undefined
  const { element } = area
  const kind = roleKind(element.role)
  const { noun } = rowOfKind(kind)
  const alike = scene.areas.filter((other) => roleKind(other.element.role) === kind)
  const isNamed =
    isQuotable(element.name) &&
    scene.counts.get(namedKey(element)) === 1 &&
    alike.every((other) => other === area || plain(other.element.name) !== plain(element.name)) &&
    isNamePainted(scene, area)
  if (isNamed) return { area, words: `the ${noun} “${element.name}”`, selector: stepOf(element, 'anywhere') }
  if (alike.length > 1 || scene.counts.get(kindKey(element)) !== 1) return undefined
  const selector = formatStep({ reach: 'anywhere', role: wordOf(element.role), tests: [] })
  return { area, words: `the only ${noun}`, selector }
}

function countBelow(holder: Element, element: Element): number {
  const key = namedKey(element)
  let count = 0
  for (const each of walk(holder)) if (each !== holder && namedKey(each) === key) count++
  return count
}

/**
 * “item 3 of the list “Inbox””: the third of all items in it, as people count them down a column. Those of an open tree are
 * counted with those below them. All up to it are completely in view, the first of the list among them.
 */
function positionOf({ scene, subject, phrase: { noun } }: Spoken, draw: Draw): Wording | undefined {
  const { area, window, kind } = subject
  const holder = kind === 'cell' ? undefined : innermostContainer(scene, subject)
  if (!holder) return undefined
  const counted = itemsOf(holder.area.element, kind)
  const index = counted.indexOf(area.element)
  if (index < 0 || index >= ORDINALS.length || counted.length < 2) return undefined
  const subjects = counted.map((element) =>
    scene.subjects.find((each) => each.area.element === element && each.window === window),
  )
  const isAlike = subjects.every((each) => !each || (each.kind === kind && each.isRowHeader === subject.isRowHeader))
  const isWhole = subjects
    .slice(0, index + 1)
    .every((each) => each && each.area.pixels === each.area.bounds.width * each.area.bounds.height)
  const { bounds } = area.element
  const areBelow = subjects
    .slice(index + 1)
    .every((each) => !each || each.area.element.bounds.y >= bounds.y + bounds.height)
  if (!isAlike || !isWhole || !areBelow || !isColumn(counted.slice(0, index + 2))) return undefined
  const steps = stepsBetween(holder.area.element, area.path.slice(holder.area.path.length))
  if (steps === undefined) return undefined
  const counting = draw(2) === 0 ? `${noun} ${index + 1}` : `the ${ORDINALS[index]} ${noun}`
  return { kind: 'position', words: `${counting} of ${holder.words}`, selector: holder.selector + steps }
}

/** The innermost container around an element, if an instruction can refer to it. */
function innermostContainer(scene: Scene, { area, window }: Subject): Holder | undefined {
  for (let depth = area.path.length - 1; depth > 0; depth--) {
    const path = area.path.slice(0, depth)
    if (LOCATED.has(roleKind(nodeAt(window.tree, path)!.role))) return referenceTo(scene, window.uid, path)
  }
  return undefined
}

/** The elements below a holder that look like a kind, in order, without what is hidden, folded or in another of them. */
function itemsOf(holder: Element, kind: RoleKind): readonly Element[] {
  const alike = kindsLike(kind)
  const found: Element[] = []
  const visit = (parent: Element) => {
    for (const child of parent.children) {
      if (child.traits?.hidden || visibilityOf(parent, child) === 'folded') continue
      const isItem = alike.includes(shownKind(child, parent))
      if (isItem) found.push(child)
      if (!isItem || roleKind(child.role) === 'treeitem') visit(child)
    }
  }
  visit(holder)
  return found
}

const isColumn = (elements: readonly Element[]): boolean =>
  elements.slice(1).every(({ bounds }, place) => {
    const above = elements[place]!.bounds
    return bounds.y >= above.y + above.height
  })

/** The steps of a selector from an element down a path, by the index of each child among those of its role. */
function stepsBetween(from: Element, path: Path): string | undefined {
  let steps = ''
  let parent = from
  for (const position of path) {
    const child = parent.children[position]!
    if (!isRole(wordOf(child.role))) return undefined
    const index = parent.children.slice(0, position).filter(({ role }) => role === child.role).length
    steps += formatStep({ reach: 'child', role: wordOf(child.role), tests: [{ key: 'index', op: '=', value: index }] })
    parent = child
  }
  return steps
}

/** “the text field with the text “Anna””: its whole content can be read, and no other control that looks like it has the same. */
function valueWording({ scene, subject, phrase: { noun } }: Spoken): Wording | undefined {
  const { area, group, kind } = subject
  const value = valueText(area.element)
  if ((group !== 'field' && kind !== 'cell') || value === undefined || !isQuotable(value)) return undefined
  if (!isRole(wordOf(area.element.role)) || plain(value) === '' || withoutGlyph(value) !== undefined) return undefined
  const contentOf = (other: Subject) => plain(valueText(other.area.element) ?? '')
  const words = plain(value)
  const isShared = scene.subjects.some(
    (other) =>
      other !== subject &&
      other.group === group &&
      ([contentOf(other), other.key].includes(words) ||
        (!isAround(other.area, area) && isPaintedLine(scene, other.area, words))),
  )
  if (isShared || !runsWithin(scene, area).some(({ text }) => text === value)) return undefined
  return {
    kind: 'value',
    words: `the ${noun} with the text “${value}”`,
    selector: stepWith(area.element, 'anywhere', { key: 'value', op: '=', value }),
  }
}

/** “the cell in the column “C” and the row “6””, of the table unless it is the only one in view. */
function cellWording({ scene, subject }: Spoken): Wording | undefined {
  const { area, kind, parent, window } = subject
  const depth = area.path.findLastIndex(
    (_, at) => roleKind(nodeAt(window.tree, area.path.slice(0, at))!.role) === 'table',
  )
  if (kind !== 'cell' || depth < 0) return undefined
  const table = referenceTo(scene, window.uid, area.path.slice(0, depth))
  const steps = table && stepsBetween(table.area.element, area.path.slice(depth))
  if (!table || steps === undefined) return undefined
  const headers = scene.subjects.filter((each) => each.kind === 'headeritem' && isAround(table.area, each.area))
  const { x, width } = area.element.bounds
  const column = headers.find(
    (each) => !each.isRowHeader && each.area.element.bounds.x === x && each.area.element.bounds.width === width,
  )
  const row = headers.find((each) => each.isRowHeader && parent?.children.includes(each.area.element))
  if (!column || !row || column.area.box.width < width * MIN_VISIBLE_SHARE) return undefined
  const isClear = (header: Subject) =>
    isQuotable(header.area.element.name) &&
    isNamePainted(scene, header.area) &&
    headers.every((each) => each === header || each.isRowHeader !== header.isRowHeader || each.key !== header.key)
  if (!isClear(column) || !isClear(row)) return undefined
  const tables = scene.areas.filter(({ element }) => roleKind(element.role) === 'table')
  return {
    kind: 'cell',
    words: `the cell in the column “${column.area.element.name}” and the row “${row.area.element.name}”${tables.length > 1 ? ` of ${table.words}` : ''}`,
    selector: table.selector + steps,
  }
}

const isQuotable = (name: string): boolean =>
  plain(name) !== '' && name.length <= MAX_NAME_CHARACTERS && !UNQUOTABLE.test(name)

const wordOf = (role: string): string => role.replaceAll(' ', '_')

const stepWith = ({ role }: Element, reach: SelectorStep['reach'], test: AttributeTest): string =>
  formatStep({ reach, role: wordOf(role), tests: [test] })

const stepOf = (element: Element, reach: SelectorStep['reach']): string =>
  stepWith(element, reach, { key: 'name', op: '=', value: element.name })

/** Whether a selector matches the element of an area, and no other in these windows. */
function isProven(selector: string, windows: readonly Window[], { window, element }: ElementArea): boolean {
  let matches = 0
  for (const each of windows)
    for (const match of querySelectorAll(each.tree, selector)) {
      if (each.uid !== window || match.element !== element) return false
      matches++
    }
  return matches === 1
}
