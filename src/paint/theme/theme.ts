import type { PointerEffect } from '../../desktop/apply/pointer-effect.ts'
import type { NamePlacement } from '../../desktop/caption.ts'
import type { Monitor, Window } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import type { AppKind } from '../../desktop/model/pictures.ts'
import type { RoleKind } from '../../desktop/model/role.ts'
import type { Metrics, ShellMetrics } from '../../desktop/style/metrics.ts'
import type { DesktopStyle } from '../../desktop/style/style.ts'
import type { DrawOp } from '../frame/draw-op.ts'
import type { IconName } from '../icons.ts'
import type { Pointed, PointerFeedback } from '../pointed.ts'
import type { Colours, Shadows, ShellColours, ShellTokens, StyleTokens, ThemeName } from './tokens.ts'

/** The look of a desktop in one style and shade. */
export interface Theme extends Colours, StyleTokens {
  readonly style: DesktopStyle
  readonly name: ThemeName
  readonly metrics: Metrics
  /** By part, the first painted first. None in high contrast. */
  readonly shadows: Shadows
  readonly chrome: StyleChrome
  /** The look of the shell. Absent in a style without one. */
  readonly shell?: ShellTheme
}

/** The kinds of the parts of a shell, by which they are painted. */
type ShellKinds = Pick<ShellMetrics, 'bars' | 'launcher'>

/** The look of a shell in one shade. */
export interface ShellTheme extends Omit<ShellTokens, 'colours' | 'isDarkInside'>, ShellKinds {
  readonly colours: ShellColours
  /** That of the content of the launcher and of flyouts. Absent: the one around it. */
  readonly inside?: Theme
}

/** The context of a control. Its appearance depends only on this and the control itself. */
export interface PaintContext {
  readonly theme: Theme
  /** The drawing functions of the theme's style. */
  readonly chrome: StyleChrome
  /** The kind of its parent. */
  readonly parent: RoleKind
  /** The tone of its background: `selected` rows are filled with the accent colour. */
  readonly tone: Tone
  /** Whether its index among its siblings is odd. */
  readonly odd: boolean
  readonly naming: NamePlacement
  /** The id of the current item of the list, tree, table or menu around it. */
  readonly current: string | undefined
  /** The bounds of the popup card that it shares with others. */
  readonly card: Rect | undefined
  /** Whether it starts at the left edge of its window, where elements without a frame are indented. */
  readonly flush?: boolean | undefined
  /** Whether it is a list, tree or table that reaches from side to side of its parent. */
  readonly isWide?: boolean | undefined
  /** The id of the tree at the edge of the window, behind which the window paints, in styles that have such. */
  readonly sidebar?: string | undefined
  /** In the header of a table: for each column `r` if its cells are numbers, otherwise `l`. */
  readonly columns?: string | undefined
  /** Whether it is in a table with the look of a spreadsheet. */
  readonly sheet?: boolean | undefined
  /** Whether the list, tree or table around it has the focus. Undefined outside of them. */
  readonly rowsFocused?: boolean | undefined
  /** What the pointer does to it and in it. Undefined where it does nothing, and in the default style. */
  readonly pointed?: Pointed | undefined
}

/**
 * `selected` is a selected row, `item` the current item of an open menu or list, `accent` a default button, `band` the header or footer
 * of a web page.
 */
export type Tone = 'plain' | 'selected' | 'item' | 'accent' | 'destructive' | 'bar' | 'dark' | 'terminal' | 'band'

/** The state of a button that its face shows: the default one that Enter presses, or one without a border in a bar. */
export interface ButtonState extends PointerFeedback {
  readonly isDefault: boolean
  readonly isFlat: boolean
  readonly radius: number
}

/** The state of a row that its background shows. */
export interface RowState extends Partial<PointerFeedback> {
  readonly isSelected: boolean
  /** Whether the keyboard is at it. */
  readonly isCurrent: boolean
  /** Whether it is in an open menu or list, where the current row is filled. */
  readonly isInPopup: boolean
  /** The colour of every other row of a table. */
  readonly stripe?: string | undefined
  /** Whether it is a cell of a row, which has the mark of the row. */
  readonly isCell?: boolean
  readonly isTableRow?: boolean
  /** Whether its list does not have the focus, where the style shows that. */
  readonly isUnfocused?: boolean
}

/** The drawing functions that differ per style. Each returns operations, the lowest first. */
export interface StyleChrome {
  readonly wallpaper: (monitor: Monitor, theme: Theme) => readonly DrawOp[]
  /** The title bar of a window, without the surface below it. `pointed` is the button below the pointer. */
  readonly titleBar: (
    window: Window,
    theme: Theme,
    active: boolean,
    pointed?: PointerEffect['button'],
  ) => readonly DrawOp[]
  /** Around the focused part of an element. Fields of some styles show the focus by their face instead. */
  readonly focusRing: (area: Rect, radius: number, theme: Theme, element?: Element) => readonly DrawOp[]
  readonly buttonFace: (element: Element, setting: PaintContext, feedback: ButtonState) => readonly DrawOp[]
  /** The colour of the words and icon on a button. */
  readonly buttonInk: (element: Element, setting: PaintContext, feedback: ButtonState) => string
  /** The background of a field, box or list. */
  readonly fieldFace: (element: Element, setting: PaintContext, radius: number) => readonly DrawOp[]
  /** The box of a check box, or the circle of a radio button, with its sign. */
  readonly sign: (element: Element, theme: Theme, square: Rect, feedback: SignState) => readonly DrawOp[]
  /** The track and the knob of a switch. */
  readonly toggle: (element: Element, theme: Theme, track: Rect, feedback: PointerFeedback) => readonly DrawOp[]
  /** The track, the filled part of it and the knob of a slider, whose middle is given. */
  readonly slider: (element: Element, theme: Theme, feedback: SliderState) => readonly DrawOp[]
  /** The arrow at the end of a box. */
  readonly comboArrow: (element: Element, setting: PaintContext, area: Rect, icon: IconName) => readonly DrawOp[]
  /** Behind a row of tabs with the bounds `tabs`, whose lowest edge is `bottom`. */
  readonly tabStrip: (bounds: Rect, bottom: number, theme: Theme, tabs: Rect) => readonly DrawOp[]
  /** A tab with the bounds `strip`, whose name is in the middle of `words`. */
  readonly tab: (element: Element, setting: PaintContext, strip: Rect, words: Rect) => readonly DrawOp[]
  readonly rowBack: (area: Rect, theme: Theme, state: RowState) => readonly DrawOp[]
  /** The thumb of a scroll bar; it is wider in some styles while the pointer is on the bar. */
  readonly scrollThumb: (thumb: Rect, upright: boolean, colour: string, isHovered: boolean) => readonly DrawOp[]
  /** The raised card of a menu, a toast, a dialog or a tool tip, with its shadow. */
  readonly card: (bounds: Rect, theme: Theme, kind: CardKind) => readonly DrawOp[]
  /** Behind the buttons at the bottom of a dialog. */
  readonly dialogFooter: (element: Element, setting: PaintContext) => readonly DrawOp[]
  /** The picture of an application in a square. None in a style without such pictures. */
  readonly appPicture: (area: Rect, app: PicturedApp) => readonly DrawOp[]
}

/** An application: what it is for, and its name, which gives others a colour. */
export interface PicturedApp {
  readonly kind?: AppKind | undefined
  readonly name: string
}

export interface SignState extends PointerFeedback {
  readonly shape: 'box' | 'circle'
}

export interface SliderState extends PointerFeedback {
  readonly bounds: Rect
  readonly x: number
  readonly y: number
  readonly upright: boolean
  readonly knob: Rect
}

export type CardKind = 'menu' | 'toast' | 'dialog' | 'tooltip'
