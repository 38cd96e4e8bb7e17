import type { Metrics } from '../../desktop/style/metrics.ts'
import type { DesktopStyle } from '../../desktop/style/style.ts'
import type { Family } from '../canvas/faces.ts'
import type { ShadowStyle } from '../frame/mark.ts'

export type ThemeName = 'light' | 'dark' | 'high-contrast'

/** The look of a desktop in one style and shade. */
export interface Theme extends Colours, StyleTokens {
  readonly style: DesktopStyle
  readonly name: ThemeName
  readonly metrics: Metrics
  /** By part, the first painted first. None in high contrast. */
  readonly shadows: Shadows
}

/** Colours as `#rrggbb` or `#rrggbbaa`. Styles add those of their own parts in files of their own. */
export interface Colours {
  /** The wallpaper: one colour per row, from the top to the bottom of each monitor. */
  readonly wallpaper: { readonly top: string; readonly bottom: string }
  readonly panel: {
    readonly bar: string
    readonly edge: string
    readonly button: string
    readonly active: string
    readonly text: string
    readonly muted: string
    /** Around the buttons. Undefined: none. */
    readonly outline?: string
  }
  readonly window: {
    readonly surface: string
    readonly title: string
    readonly titleInactive: string
    readonly titleText: string
    readonly titleTextInactive: string
    readonly edge: string
    readonly close: string
    readonly maximize: string
    readonly minimize: string
    readonly idle: string
    /** Below the title bar. Undefined: none. */
    readonly titleLine?: string
  }
  readonly text: string
  readonly muted: string
  readonly disabled: string
  readonly accent: string
  readonly onAccent: string
  /** Around the focused control. */
  readonly ring: string
  readonly link: string
  readonly danger: string
  /** Over a window behind its modal dialog. Undefined: none. */
  readonly scrim?: string
  /** Backgrounds: of bars, fields, buttons, unfocused selections, every other row. */
  readonly bar: string
  readonly field: string
  readonly fieldDisabled: string
  readonly button: string
  readonly buttonDisabled: string
  readonly raised: string
  readonly selected: string
  readonly stripe: string
  readonly track: string
  readonly thumb: string
  readonly tooltip: string
  readonly tooltipText: string
  readonly terminal: string
  readonly onTerminal: string
  /** Lines: between areas, around controls, around controls that must stand out. */
  readonly line: string
  /** The strip above the columns of a table. Undefined: that of bars. */
  readonly header?: string
  /** The card of a group, below its name. Undefined: a frame with the name in its upper edge. */
  readonly group?: { readonly fill: string; readonly edge: string }
  /** Behind trees: their background, and the tint over the wallpaper behind one at the edge of the active window. */
  readonly sidebar?: { readonly fill: string; readonly glass: string }
  /** Of the icons of rows. Undefined: the accent colour. */
  readonly rowIcon?: string
  /** Of the icon and the count of the selected item of a tree, whose name is strong. Undefined: as of the others. */
  readonly selectedBranch?: string
  /** Of selected rows in a list without the focus, whose text is as usual. Undefined: as with the focus. */
  readonly unfocusedRow?: string
  /** Below each row of a table. Undefined: none. */
  readonly rowLine?: string
  readonly border: string
  readonly strong: string
  /** The lower edge that raises a button from the surface. Undefined: none. */
  readonly lip?: string
  /** Around menus, dialogs and toasts. */
  readonly cardEdge: string
  /** Selected text in a field. */
  readonly highlight: string
  /** Of text and signs on a selected row, and on the current item of a menu or list that is open. */
  readonly onRow: string
  readonly onItem: string
}

export interface Shadows {
  readonly window: readonly ShadowStyle[]
  readonly inactiveWindow: readonly ShadowStyle[]
  readonly card: readonly ShadowStyle[]
  readonly tooltip: readonly ShadowStyle[]
}

/** The uses of text that a style gives a size and a weight. */
export type TextUse =
  | 'text'
  | 'field'
  | 'strong'
  | 'button'
  | 'defaultButton'
  | 'small'
  | 'caption'
  | 'second'
  | 'menu'
  | 'header'
  | 'group'
  | 'title'
  | 'dialogTitle'
  | 'heading'
  | 'tab'
  | 'selectedTab'
  | 'tooltip'
  | 'panel'

/** The size of a text in pixels, the largest that it has in a high control, and its weight. */
export interface TextToken {
  readonly size: number
  readonly weight: number
}

/** What a style has in common in all shades, beside its sizes. */
export interface StyleTokens {
  readonly type: Readonly<Record<TextUse, TextToken>> & { readonly family: Family }
  /** The size of the box or circle of a check box or radio button, and the gap before its name. */
  readonly sign: { readonly size: number; readonly gap: number }
  /** The track of a switch, and the gap before its name. */
  readonly toggle: { readonly width: number; readonly height: number; readonly gap: number }
  /** The heights of the track of a progress bar and of its filled part. */
  readonly progress: { readonly track: number; readonly part: number }
  /** Whether a field shows its icon, at its end. */
  readonly hasFieldIcons: boolean
  /** Whether icons of controls are lines, also those that are filled in the default style. */
  readonly hasLineIcons: boolean
  /** The diameter of the knob of a slider. */
  readonly knob: number
  /** From the left of a menu item to its name; its icon is in the middle of that. */
  readonly menuIndent: number
}
