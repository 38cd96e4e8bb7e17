import type { Family } from '../canvas/faces.ts'
import type { ShadowStyle } from '../frame/draw-op.ts'

export type ThemeName = 'light' | 'dark' | 'high-contrast'

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
  /** Whether it is over the content behind a Dialog in the window only, and not over a window behind one of its own. */
  readonly isOwnerClear?: true
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
  readonly controls: ControlColours
  /** Of the values of a chart, the first for the first. Undefined: those of the window buttons and other controls. */
  readonly chart?: readonly string[]
}

/** The colours of badges, cards and destructive buttons. */
export interface ControlColours {
  readonly badge: string
  readonly onBadge: string
  /** Around badges. Undefined: none. */
  readonly badgeEdge?: string
  readonly card: string
  readonly cardLine: string
  /** The face of a destructive button. Undefined: that of other buttons. */
  readonly destructive?: string
  /** The face below the pointer, where a tint of it would not be seen. */
  readonly destructiveHovered?: string
  readonly onDestructive: string
  /** Around a destructive button. Undefined: none. */
  readonly destructiveEdge?: string
  /** Around the discs of people. Undefined: none, and the disc has the colour of the name. */
  readonly avatarEdge?: string
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
  /** Whether controls show what the pointer does to them. */
  readonly hasPointerStates: boolean
  /** Whether the shadows of windows have round corners. */
  readonly hasRoundShadows: boolean
  /** Whether rows show counts in a disc, and otherwise as a text. */
  readonly hasCountDiscs: boolean
  /** Whether unread rows have the value at their end in the accent colour. */
  readonly hasMarkedValues: boolean
  /** Whether tables have texts at the end of rows, such as dates, in the second colour. */
  readonly hasSoftValues: boolean
  /** Whether the items of open menus show their icons. */
  readonly hasMenuIcons: boolean
}

/** The colours of the shell of a style. */
export interface ShellColours {
  /** The bar with the clock, its edge beside the desktop, and the words on it. */
  readonly bar: string
  readonly edge: string | undefined
  readonly text: string
  /** A chosen button on the bar, and a field on it. */
  readonly active: string
  readonly activeEdge: string
  /** Behind a button that the pointer is on, or is pressed on. */
  readonly hover: string
  readonly pressed: string
  readonly field: string
  readonly fieldEdge: string
  /** The words in the field of the bar. */
  readonly muted: string
  readonly accent: string
  /** The upper dots of the launcher button. */
  readonly startTop: string
  /** The mark of an open window that is not active. */
  readonly running: string
  readonly dock: string
  readonly dockEdge: string
  /** The surface of flyouts. */
  readonly flyout: string
  /** The launcher: its surface, and the edge, words and headings that flyouts also have. */
  readonly launcher: string
  readonly launcherEdge: string | undefined
  readonly launcherText: string
  readonly launcherMuted: string
  /** A field, a tile and their edge, a button that the pointer is on, the footer and lines of a launcher or flyout. */
  readonly launcherField: string
  readonly launcherFieldEdge: string
  readonly launcherHover: string
  readonly launcherFooter: string
  readonly launcherLine: string
  /** Words on the accent. */
  readonly onAccent: string
  /** Around the focused button. */
  readonly ring: string
  /** A selected icon of the desktop, and its edge. */
  readonly selected: string
  readonly selectedEdge: string | undefined
  /** An icon of the desktop that the pointer is on. */
  readonly hoveredIcon: string
  /** Behind the words of a selected icon. Undefined: nothing. */
  readonly labelFill?: string
}

/** What the shell of a style has in common in all shades. Its parts are drawn by their kind, alike in all styles. */
export interface ShellTokens {
  readonly colours: Readonly<Record<ThemeName, ShellColours>>
  /** Whether the content of the launcher and of flyouts is dark in the light theme. */
  readonly isDarkInside: boolean
  /** The radius of the corners of flyouts, and of the tiles in them. */
  readonly flyoutRadius: number
  readonly tileRadius: number
  /** The size of the icons on the desktop, and the weight of their names. */
  readonly icon: { readonly size: number; readonly weight: number }
  readonly folder: FolderColours
}

/** The colours of the picture of a folder, each from the upper to the lower edge. */
export interface FolderColours {
  readonly back: readonly [string, string]
  readonly front: readonly [string, string]
  readonly rim: string
  /** A label on the front. Absent: none. */
  readonly label?: readonly [string, string]
}
