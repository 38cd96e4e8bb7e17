import { isLabel, isNextTo } from '../../desktop/caption.ts'
import { subtitleLines } from '../../desktop/model/control-metrics.ts'
import type { Desktop, Window } from '../../desktop/model/desktop.ts'
import { type Element, type Path, valueText } from '../../desktop/model/element.ts'
import {
  centerOf,
  contains,
  intersect,
  isEmptyRect,
  type Rect,
  translate,
  unite,
} from '../../desktop/model/geometry.ts'
import { roleKind, rolesWhere, rolesWith } from '../../desktop/model/role.ts'
import { glyphAdvice } from '../../desktop/model/unicode.ts'
import { visibilityOf } from '../../desktop/tree/visibility.ts'
import { shownBounds } from '../../desktop/visible-bounds.ts'
import { isScrollable } from '../../desktop/widgets/scrolling.ts'
import { createPainter } from '../painter.ts'
import type { Picture } from '../picture.ts'
import { charactersWithoutGlyph } from '../text/fonts.ts'
import type { ThemeName } from '../theme/tokens.ts'

/** The ratio of the luminances of two colours, from 1 to 21 (WCAG 2, "contrast ratio"). Colours are 0xbbggrr. */
export function contrastRatio(one: number, other: number): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const luminanceOf = (colour: number): number =>
  0.2126 * linear(colour & 255) + 0.7152 * linear((colour >> 8) & 255) + 0.0722 * linear((colour >> 16) & 255)

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/**
 * The contrast of the text in a part of a picture: that of its most frequent colour, the background, with the colour
 * that differs most from it. Undefined when the part has one colour.
 */
export function measureContrast(picture: Picture, part: Rect): number | undefined {
  const area = intersect(part, { x: 0, y: 0, width: picture.width, height: picture.height })
  if (!area) return undefined
  const pixels = picture.pixels()
  const counts = new Map<number, number>()
  for (let y = area.y; y < area.y + area.height; y++)
    for (let x = area.x; x < area.x + area.width; x++) {
      const at = (y * picture.width + x) * 4
      const colour = pixels[at]! | (pixels[at + 1]! << 8) | (pixels[at + 2]! << 16)
      counts.set(colour, (counts.get(colour) ?? 0) + 1)
    }
  if (counts.size < 2) return undefined
  let background = 0
  let most = 0
  for (const [colour, count] of counts) if (count > most) [background, most] = [colour, count]
  let highest = 1
  for (const colour of counts.keys()) highest = Math.max(highest, contrastRatio(background, colour))
  return highest
}

/** An element that is neither hidden nor folded away, with its position in the tree. */
interface LintedElement {
  readonly element: Element
  readonly path: Path
  /** Its ancestors, outermost first. */
  readonly above: readonly Element[]
  /** The part that its ancestors do not clip. Undefined when they clip it completely. */
  readonly shown: Rect | undefined
  /** Whether it is above the rest of its window: in a popup, a dialog or a toast. */
  readonly isRaised: boolean
  readonly isControl: boolean
}

/** A window and what the rules look at. */
interface LintedWindow {
  readonly desktop: Desktop
  readonly window: Window
  /** The window alone, with its painted text. */
  readonly picture: Picture
  readonly elements: readonly LintedElement[]
}

/** Kinds that people click, type in or choose. */
const CONTROLS = rolesWhere(({ focus, item }) => focus !== 'never' || item === 'row')
const DIALOGS: ReadonlySet<string> = new Set(['dialog', 'toast', 'tooltip'])

/** Prepares a window for the rules. */
export function lintedWindow(desktop: Desktop, window: Window, theme: ThemeName): LintedWindow {
  const elements: LintedElement[] = []
  const look = (element: Element, path: Path, above: readonly Element[], isRaised: boolean): void => {
    elements.push({
      element,
      path,
      above,
      shown: shownBounds(window.tree, path),
      isRaised,
      isControl: CONTROLS.has(roleKind(element.role)),
    })
    element.children.forEach((child, index) => {
      const visibility = visibilityOf(element, child)
      if (child.traits?.hidden || visibility === 'folded') return
      const isAbove = isRaised || visibility === 'popup' || DIALOGS.has(roleKind(child.role))
      look(child, [...path, index], [...above, element], isAbove)
    })
  }
  if (!window.tree.traits?.hidden) look(window.tree, [], [], false)
  return { desktop, window, picture: createPainter({ theme }).window(desktop, window.uid), elements }
}

/** The innermost element that shows a painted text, by the middle of its bounds on the screen. */
function elementAt({ elements }: LintedWindow, bounds: Rect): LintedElement | undefined {
  const middle = centerOf(bounds)
  const around = elements.filter(({ shown }) => shown && !isEmptyRect(shown) && contains(shown, middle))
  const raised = around.filter(({ isRaised }) => isRaised)
  return (raised.length > 0 ? raised : around).reduce<LintedElement | undefined>(
    (inner, each) => (inner && inner.path.length > each.path.length ? inner : each),
    undefined,
  )
}

/** A mistake of appearance. */
export interface LintFinding {
  readonly code: LintCode
  readonly window: string
  /** The id of the element. Undefined for the title of the window. */
  readonly element: string | undefined
  readonly message: string
}

export type LintCode = keyof typeof RULES

/** The rules by code, with a sentence each for people. */
export const RULES = {
  overlap: { about: 'two controls or texts cover each other', find: findOverlaps },
  clipped: { about: 'a control is cut off and cannot be scrolled into view', find: findClipped },
  contrast: { about: 'a text is hard to read on its background (WCAG)', find: findWeakContrast },
  name: { about: 'a control has no name', find: findNameless },
  'same-name': { about: 'controls of two items have the same names', find: findSameNames },
  'cut-text': { about: 'a text ends with an ellipsis', find: findCutText },
  glyphs: { about: 'a text has characters that no installed font has', find: findBoxes },
} as const satisfies Readonly<Record<string, { about: string; find: (screen: LintedWindow) => readonly Found[] }>>

interface Found {
  readonly element: Element | undefined
  readonly message: string
}

/** Finds mistakes of appearance in a window of a desktop. */
export function lintWindow(desktop: Desktop, window: Window, theme: ThemeName = 'light'): readonly LintFinding[] {
  const screen = lintedWindow(desktop, window, theme)
  return Object.entries(RULES).flatMap(([code, { find }]) =>
    find(screen).map(({ element, message }) => ({
      code: code as LintCode,
      window: window.uid,
      element: element?.id,
      message: element ? `${nameOf(element)} ${message}` : `the window ${JSON.stringify(window.title)} ${message}`,
    })),
  )
}

const TEXTS = rolesWhere(({ text }) => text !== 'none')
/** Controls that other controls lie in: their parts are compared instead. */
const MAX_OVERLAP_PX = 2
/** The maximum number of elements that are compared with each other. */
const MAX_COMPARED = 2000

function findOverlaps({ elements }: LintedWindow): readonly Found[] {
  const parts = elements
    .filter(({ element, shown, isControl }) => shown && (isControl || roleKind(element.role) === 'text'))
    .filter(({ element }) => element.children.length === 0 || TEXTS.has(roleKind(element.role)))
    .slice(0, MAX_COMPARED)
  const found: Found[] = []
  parts.forEach((one, index) => {
    for (const other of parts.slice(index + 1)) {
      if (one.isRaised !== other.isRaised || isAncestor(one, other) || isAncestor(other, one)) continue
      const common = intersect(one.shown!, other.shown!)
      if (!common || common.width <= MAX_OVERLAP_PX || common.height <= MAX_OVERLAP_PX) continue
      found.push({
        element: other.element,
        message: `covers ${nameOf(one.element)} by ${common.width} × ${common.height} pixels`,
      })
    }
  })
  return found
}

const isAncestor = (one: LintedElement, other: LintedElement): boolean => other.above.includes(one.element)

function findClipped({ desktop, window, elements }: LintedWindow): readonly Found[] {
  const screens = desktop.monitors.map(({ bounds }) => bounds)
  return elements.flatMap(({ element, above, shown, isControl, isRaised }) => {
    if (!isControl || isEmptyRect(element.bounds)) return []
    if (above.some(isScrollable)) return []
    const inWindow = shown && (isRaised ? shown : intersect(shown, window.bounds))
    const visible = inWindow && screens.map((screen) => intersect(inWindow, screen)).reduce(joined)
    if (!visible) return [{ element, message: 'lies outside its window or the screens' }]
    const [wide, high] = [element.bounds.width - visible.width, element.bounds.height - visible.height]
    if (wide <= MAX_OVERLAP_PX && high <= MAX_OVERLAP_PX) return []
    return [{ element, message: `is cut off by ${Math.max(0, wide)} × ${Math.max(0, high)} pixels` }]
  })
}

const joined = (one: Rect | undefined, other: Rect | undefined): Rect | undefined =>
  one && other ? unite(one, other) : (one ?? other)

const MIN_RATIO = 4.5
const MIN_RATIO_OF_LARGE = 3
/** The smooth edges of thin letters have less contrast than their colour: a share that is allowed below a limit. */
const TOLERANCE = 0.1
/** The height of a line of large text: 24 pixels of font size. */
const LARGE_PX = 29

function findWeakContrast(screen: LintedWindow): readonly Found[] {
  const { picture, window, desktop } = screen
  if (window.busy) return []
  return (picture.text ?? []).flatMap(({ text, bounds }): readonly Found[] => {
    const at = elementAt(screen, translate(bounds, window.bounds.x, window.bounds.y))
    // The title of a window that is not active is muted on purpose.
    if ((!at || at.path.length === 0) && desktop.active !== window.uid) return []
    if (at && [...at.above, at.element].some(({ enabled }) => !enabled)) return []
    if (!/[\p{L}\p{N}]/u.test(text)) return []
    if (isColouredByStyle(screen, at?.element, translate(bounds, window.bounds.x, window.bounds.y))) return []
    const ratio = measureContrast(picture, bounds)
    const least = bounds.height >= LARGE_PX ? MIN_RATIO_OF_LARGE : MIN_RATIO
    if (ratio === undefined || ratio >= least * (1 - TOLERANCE)) return []
    return [
      {
        element: at?.element,
        message: `shows ${JSON.stringify(text)} with a contrast of ${ratio.toFixed(1)}:1; at least ${least}:1 is readable`,
      },
    ]
  })
}

/**
 * Whether a system style chose both colours of a text. Authors choose those of terminals and pictures, and what lies on
 * what.
 */
function isColouredByStyle({ desktop, elements }: LintedWindow, element: Element | undefined, area: Rect): boolean {
  if (desktop.style === undefined || element?.traits?.terminal) return false
  return !elements.some(
    ({ element: other, above, shown }) =>
      other !== element &&
      shown !== undefined &&
      intersect(shown, area) !== undefined &&
      (roleKind(other.role) === 'image' ||
        (element !== undefined && !above.includes(element) && isCovering(other, element))),
  )
}

/** Whether two elements that are not in each other share a place that the author chose. */
const isCovering = (other: Element, element: Element): boolean =>
  other.place === undefined &&
  element.place === undefined &&
  other.children.length === 0 &&
  element.children.length === 0

const PRESSED = rolesWith('showsName')
const FIELDS = rolesWhere(({ caption, focus }) => caption === 'field' && focus === 'always')
const NAMING = rolesWith('namesParts')

function findNameless({ elements }: LintedWindow): readonly Found[] {
  return elements.flatMap(({ element, above }) => {
    const kind = roleKind(element.role)
    if (element.name.trim() !== '' || !(PRESSED.has(kind) || FIELDS.has(kind))) return []
    const parent = above.at(-1)
    if (parent && NAMING.has(roleKind(parent.role))) return []
    if (parent?.children.some((text) => isLabel(text) && isNextTo(text, element))) return []
    if (element.children.some(({ name }) => name.trim() !== '')) return []
    return [{ element, message: 'has no name' }]
  })
}

/**
 * Controls of different items, or items that can be chosen, whose roles and names are equal up to the window: a selector such as
 * `Group "Tea"/Button "Remove"` finds both.
 */
function findSameNames({ elements }: LintedWindow): readonly Found[] {
  const first = new Map<string, LintedElement>()
  const reported = new Set<string>()
  return elements.flatMap((each): readonly Found[] => {
    const { element, above, shown, isControl } = each
    const item = itemAround(each)
    if (!item || !shown || !isControl || element.name === '' || roleKind(element.role) === 'cell') return []
    const names = JSON.stringify([...above, element].map(({ role, name }) => [role, name]))
    const other = first.get(names)
    if (!other) first.set(names, each)
    const otherItem = other && itemAround(other)
    if (!otherItem || otherItem.id === item.id || reported.has(names)) return []
    reported.add(names)
    const items = `${otherItem.id} and ${item.id}`
    const what = element === item ? `is the name of ${items}` : `is in ${items}, which have the same name`
    return [{ element, message: `${what}; give each item a name of its own` }]
  })
}

/** The item or row around an element, or the element itself if it is one. */
const itemAround = ({ element, above }: LintedElement): Element | undefined =>
  [...above, element].findLast(({ role, traits }) => traits?.instance?.item !== undefined || roleKind(role) === 'row')

function findBoxes(screen: LintedWindow): readonly Found[] {
  const { picture, window } = screen
  return (picture.text ?? []).flatMap(({ text, bounds }): readonly Found[] => {
    const missing = charactersWithoutGlyph(text)
    const [first] = missing
    if (first === undefined) return []
    const at = elementAt(screen, translate(bounds, window.bounds.x, window.bounds.y))
    return [
      { element: at?.element, message: `shows boxes for ${JSON.stringify(missing.join(''))}; ${glyphAdvice(first)}` },
    ]
  })
}

const ELLIPSIS = '…'

function findCutText(screen: LintedWindow): readonly Found[] {
  const { picture, window } = screen
  return (picture.text ?? []).flatMap(({ text, bounds }): readonly Found[] => {
    if (!text.endsWith(ELLIPSIS)) return []
    const start = text.slice(0, -1)
    const at = elementAt(screen, translate(bounds, window.bounds.x, window.bounds.y))
    const owner = at && [at.element, ...at.above.toReversed()].find((each) => textsOf(each).some(isLonger(start)))
    if (owner && (isPreview(owner, start) || (roleKind(owner.role) === 'cell' && at?.above.some(isSpreadsheet))))
      return []
    if (owner && owner !== window.tree) return [{ element: owner, message: `shows only ${JSON.stringify(text)}` }]
    if (!isLonger(start)(window.title)) return []
    return [{ element: undefined, message: `shows only ${JSON.stringify(text)} of its title` }]
  })
}

/** Whether a text is one of the lines below a name, which are a preview and may be cut. */
const isPreview = (element: Element, start: string): boolean =>
  subtitleLines(element).some(isLonger(start)) && !isLonger(start)(element.name)

const isSpreadsheet = ({ traits }: Element): boolean => traits?.look === 'spreadsheet'

const textsOf = (element: Element): readonly string[] => [
  element.name,
  valueText(element) ?? '',
  `${element.name}: ${valueText(element) ?? ''}`,
  element.traits?.placeholder ?? '',
  element.description ?? '',
]

/** Whether a text contains more than a painted part of it. */
const isLonger =
  (start: string) =>
  (text: string): boolean => {
    const at = text.indexOf(start)
    return at >= 0 && at + start.length < text.trimEnd().length && !text.startsWith(`${start}${ELLIPSIS}`, 0)
  }

/** An element as messages name it: its role with its name, or its id. */
const nameOf = ({ role, name, id }: Element): string => (name === '' ? `${role} "${id}"` : `${role} "${name}"`)
