import type { Metrics, TextMetrics } from '../style/metrics.ts'
import type { Element } from './element.ts'
import type { Rect } from './geometry.ts'
import { roleKind, rolesWith } from './role.ts'
import { textWidth } from './text-width.ts'
import type { FieldText } from './traits.ts'

/** The kinds with a text that is typed, and clicked between its letters. */
const FIELDS = rolesWith('typed')

/** The space for the sign in a search field. */
const SEARCH_SIGN_PX = 24

/** Whether a field searches: one with this role. */
export const isSearchBox = ({ role = '' }: Partial<Pick<Element, 'role'>>): boolean =>
  role.toLowerCase() === 'searchbox'

/**
 * The text of a field of a role in a style. Undefined for other elements, and in the default style. Fields are not
 * mirrored with their screen, so the sign is at their other side.
 */
export function fieldTextOf(role: string, { text, control }: Metrics, isMirrored = false): FieldText | undefined {
  const { searchSign } = control
  if (searchSign === undefined || !FIELDS.has(roleKind(role))) return undefined
  const { family, field: size } = text
  if (!isSearchBox({ role })) return { family, size }
  return { family, size, [(searchSign === 'start') !== isMirrored ? 'before' : 'after']: SEARCH_SIGN_PX }
}

/** The height of a badge with a count, and the diameter of one that is a dot. */
export const BADGE_PX = 16
export const DOT_PX = 8
/** The font size of a count. */
export const BADGE_FONT_PX = 11
/** Above the content of a card, for its name. */
export const TITLED_CARD_PX = 26
/** The discs of rows with lines below their name, and of others. */
const HIGH_AVATAR_PX = 36
const LOW_AVATAR_PX = 22
/** Above and below the content of a row, both together. */
const ROW_MARGIN_PX = 12
/** Counts are written bold, which is a little wider than the measured one. */
const BOLD = 1.1
const BADGE_PADDING_PX = 10
const BADGE_GAP_PX = 8

/** The height of a line below the name of an item. */
export const subtitleHeight = ({ small }: TextMetrics): number => Math.round(small * 1.5)

/** The diameter of the disc of an item. */
export const avatarSizeOf = (element: Element): number =>
  subtitleLines(element).length > 0 ? HIGH_AVATAR_PX : LOW_AVATAR_PX

/** The height of the item of a list: of its name, its lines, and its disc or small picture. */
export function itemHeight(element: Element, { row, text }: Metrics): number {
  const lines = subtitleLines(element).length
  const words = lines === 0 ? 0 : text.line + lines * subtitleHeight(text) + ROW_MARGIN_PX
  const hasLead = element.traits?.avatar !== undefined || element.traits?.picture !== undefined
  const disc = hasLead ? avatarSizeOf(element) + ROW_MARGIN_PX / 2 : 0
  return Math.max(row.list, words, disc)
}

/** The size of a badge. */
export function badgeSize(badge: string, { family }: TextMetrics): { readonly width: number; readonly height: number } {
  if (badge === DOT_BADGE) return { width: DOT_PX, height: DOT_PX }
  const words = Math.ceil(textWidth(badge, BADGE_FONT_PX, family) * BOLD) + BADGE_PADDING_PX
  return { width: Math.max(BADGE_PX, words), height: BADGE_PX }
}

/** What a badge adds to the width of a control: the badge and the gap before it. 0 without one. */
export const badgeWidth = (element: Element, { text }: Metrics): number =>
  hasBadge(element) ? badgeSize(element.traits!.badge!, text).width + BADGE_GAP_PX : 0

/** Whether a child of a tab is in the tab itself, as a button that closes it is, and not on its page. */
export const isInTab = ({ role, traits }: Element): boolean => roleKind(role) === 'button' && traits?.iconOnly === true

/** Buttons in a tab are squares, with a space after the last, in pixels. */
export const TAB_BUTTON = { size: 20, end: 8 } as const

/** The width that the buttons in a tab need beside its name. */
export function tabButtonsWidth({ children }: Element): number {
  const { length } = children.filter(isInTab)
  return length === 0 ? 0 : length * TAB_BUTTON.size + TAB_BUTTON.end
}

/** The badge that is a dot instead of a count. */
export const DOT_BADGE = 'dot'

/** Whether an element has a badge. An empty text is none. */
export const hasBadge = ({ traits }: Pick<Element, 'traits'>): boolean => (traits?.badge ?? '') !== ''

/** The lines below the name of an element. */
export const subtitleLines = ({ traits }: Pick<Element, 'traits'>): readonly string[] =>
  (traits?.subtitle ?? '') === '' ? [] : traits!.subtitle!.split('\n')

/** The description of an element without one of its own: its second line, then its count. Null without both. */
export function shownDescription(element: Pick<Element, 'traits'>): string | null {
  const count = element.traits?.badge
  const parts = [...subtitleLines(element), ...(count && count !== DOT_BADGE ? [count] : [])]
  return parts.length === 0 ? null : parts.join(', ')
}

/** A card of a form, and the tops of the lines between its rows. */
export interface FormCard {
  readonly bounds: Rect
  readonly lines: readonly number[]
  /** Whether its rows are check boxes or radio buttons. */
  readonly holdsChoices: boolean
}

/** Whether an element is a check box or radio button, or a pane of a form that contains some. */
export const holdsChoices = ({ role, children }: Element): boolean =>
  roleKind(role) === 'pane' ? children.some(holdsChoices) : roleKind(role) === 'checkbox' || roleKind(role) === 'radio'

const isShown = ({ place, traits }: Element): boolean => place !== undefined && !traits?.hidden

/** The cards of a form that is laid out. None in styles without them. */
export function formCardsOf(form: Element, { form: metrics }: Metrics): readonly FormCard[] {
  if (metrics?.look !== 'cards') return []
  const { x, width } = form.bounds
  const cards: FormCard[] = []
  let rows: Element[] = []
  for (const child of form.children.filter(isShown)) {
    const isPane = roleKind(child.role) === 'pane'
    if (!holdsChoices(child)) rows.push(...(isPane ? child.children.filter(isShown) : [child]))
    else {
      endRows()
      cards.push({ bounds: { ...child.bounds, x, width }, lines: isPane ? linesIn(child) : [], holdsChoices: true })
    }
  }
  endRows()
  return cards

  /** A card around the rows so far, which are equally high. */
  function endRows(): void {
    if (rows.length === 0) return
    const middles = rows.map(({ bounds }) => bounds.y + bounds.height / 2)
    const steps = middles.slice(1).map((middle, index) => middle - middles[index]!)
    const half = Math.min(metrics!.row, ...steps) / 2
    const [top, bottom] = [Math.round(middles[0]! - half), Math.round(middles.at(-1)! + half)]
    const lines = middles.slice(1).map((middle, index) => Math.round((middle + middles[index]!) / 2))
    cards.push({ bounds: { x, y: top, width, height: bottom - top }, lines, holdsChoices: false })
    rows = []
  }
}

/** Between the rows of a pane of check boxes and radio buttons, or of its first column. */
function linesIn(pane: Element): readonly number[] {
  const shown = pane.children.filter(isShown)
  const [first] = shown
  if (first && roleKind(first.role) === 'pane') return linesIn(first)
  return shown.slice(1).map(({ bounds }) => bounds.y)
}
