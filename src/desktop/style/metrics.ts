/** A family of proportional letters. */
export type TextFamily = 'ui' | 'humanist'

/** No style has a higher title bar, so that windows with written bounds have room for it in any style. */
export const MAX_TITLE_HEIGHT_PX = 32

/** The name of a window button. */
export type WindowButton = 'close' | 'maximize' | 'minimize'

/** The sizes of a desktop style, in pixels of the desktop. Layout, hit tests and paint share one record per style. */
export interface Metrics {
  /** The language of the texts that a layout makes. Absent: English. */
  readonly language?: string
  readonly title: TitleMetrics
  /** How far inside the outer bounds of a window a drag resizes it, and the size of the corners that resize two sides. */
  readonly resize: { readonly edge: number; readonly corner: number }
  readonly panel: PanelMetrics
  readonly notification: NotificationMetrics
  /** Absent in a style whose dialogs have the same look as other windows. */
  readonly dialog?: DialogMetrics
  /** Absent in a style whose forms are columns. */
  readonly form?: FormMetrics
  readonly text: TextMetrics
  readonly control: ControlMetrics
  readonly row: RowMetrics
  /** The indentation of each level of a tree. */
  readonly treeIndent: number
  readonly bar: BarMetrics
  readonly space: SpaceMetrics
  readonly popup: PopupMetrics
  readonly radius: RadiusMetrics
  readonly pointer: 'white' | 'black'
  /** The bars, the launcher and the icons of a desktop with a panel. Absent in a style that has only the panel. */
  readonly shell?: ShellMetrics
}

/** The radii of corners. */
export interface RadiusMetrics {
  readonly window: number
  /** Of menus and toasts, of dialogs, and of tool tips. */
  readonly card: number
  readonly dialog: number
  readonly tooltip: number
  readonly control: number
  /** Of fields, lists and tables, and of the rows in them. */
  readonly list: number
  readonly row: number
  /** Of the box of a check box. */
  readonly sign: number
}

export interface TitleMetrics {
  readonly height: number
  /** The buttons, from the outer end of the title bar inward. */
  readonly buttons: readonly WindowButton[]
  readonly side: 'left' | 'right'
  readonly buttonWidth: number
  readonly buttonHeight: number
  /** From the middle of a button to the middle of the next. */
  readonly step: number
  /** From the end of the title bar to the middle of the first button. */
  readonly inset: number
  /** The height in dialogs whose content is laid out. Undefined: as in other windows. */
  readonly dialogHeight?: number
  /** The buttons of a dialog. */
  readonly dialogButtons?: readonly WindowButton[]
  /** The band that the title of a window shares with its tool bar. Absent in styles that have two. */
  readonly header?: HeaderMetrics
}

/** A title and a tool bar in one band. */
export interface HeaderMetrics {
  readonly height: number
  /** From the end of the band to the middle of the first window button. */
  readonly inset: number
  /** Kept free at the ends of the band, at one of them for the window buttons. */
  readonly start: number
  readonly end: number
  /** From the sidebar of a window to what is in the band beside it. */
  readonly afterSide: number
  /** Whether the title is before all tools, or between those at the start and those at the end. */
  readonly title: 'start' | 'between'
  /** The font size of the title. */
  readonly titleSize: number
  /** The width of a search field in the band. */
  readonly search: number
}

/** The row of buttons at the end of dialogs. */
export interface DialogMetrics {
  /** Whether its buttons have equal widths and fill it. */
  readonly fills: boolean
  /** Whether its first button is the last from the left. */
  readonly isReversed: boolean
  /** Whether tabs are raised from the title bar. */
  readonly raisesTabs: boolean
  /** Tabs with icons at the start of the content: pages of settings, in the band of the title. Absent: as all tabs. */
  readonly iconTabs?: IconTabMetrics
  /** Between the title bar and tabs at the start of the content. Absent: as above any content. */
  readonly tabTop?: number
}

/** A row of tabs in the middle of its dialog, each with its name below its icon. */
export interface IconTabMetrics {
  readonly minWidth: number
  readonly height: number
  readonly gap: number
  /** Beside a name, both sides together. */
  readonly padding: number
}

/** The rows of a form, each with a name and its control. */
export interface FormMetrics {
  /** Rows in cards, with the control at the end of the row, or names that end at one line, before the controls. */
  readonly look: 'cards' | 'labels'
  /** The height of a row, and of one with a check box or radio button, and what is left of it if space is short. */
  readonly row: number
  readonly minRow: number
  readonly choice: number
  readonly minChoice: number
  /** Whether a dialog is as high as the rows of its form need. */
  readonly growsDialog: boolean
  /** Above a form that is the page of a tab. */
  readonly top: number
  /** From the sides of the form to its content. */
  readonly padding: number
  /** Between cards, or between groups of check boxes and other rows. */
  readonly gap: number
  /** Between a name and its control. */
  readonly labelGap: number
  /** The width of fields, and of the track of a switch. */
  readonly control: number
  readonly toggle: number
}

export interface NotificationMetrics {
  readonly margin: number
  readonly gap: number
  /** Where notifications are on the primary monitor; further ones are above it, or below it at the top. */
  readonly place: 'bottom right' | 'top right' | 'bottom'
  /** Absent in a style whose notifications have no application, picture and button that closes them. */
  readonly banner?: BannerMetrics
}

export interface BannerMetrics {
  /** A card with its buttons below the text, or a pill with all in one row. */
  readonly look: 'card' | 'pill'
  /** The width of a card, and the maximum width of a pill. */
  readonly width: number
  readonly padding: number
  /** The height of the row of the application; 0 without one. */
  readonly appRow: number
  /** The side of the picture. */
  readonly picture: number
  /** The font size of the text below its title. */
  readonly text: number
  /** The height of a line of text, and of buttons. */
  readonly line: number
  readonly button: number
  /** The side of the button that closes it; 0 without one. */
  readonly close: number
  /** Whether three dots, which cannot be pressed, are beside that button. */
  readonly hasMore?: true
  /** Whether the line of the name ends with the time, always that of a new notification. */
  readonly hasTime?: true
}

export interface PanelMetrics {
  readonly height: number
  /** The minimum width of a button if there is space for all. */
  readonly minButton: number
  readonly maxButton: number
  /** Between the edge of a button and its title. */
  readonly padding: number
  readonly gap: number
  readonly clock: number
}

export interface TextMetrics {
  /** The family of everything but monospaced text. */
  readonly family: TextFamily
  /** Font sizes of content, of second lines and bars, and of headings. */
  readonly body: number
  readonly small: number
  readonly heading: number
  /** The height of a line of content, and of a heading. */
  readonly line: number
  readonly headingLine: number
  /** The size of text in fields. */
  readonly field: number
  /** How much wider bold letters are than plain ones, as a factor. */
  readonly bold: number
  /** The same for Arabic and Hebrew letters. Absent: as other letters. */
  readonly boldRtl?: number
  /** Whether each part of formatted text begins where the painted part before it ends. */
  readonly isJoined: boolean
}

export interface ControlMetrics {
  /** The height of buttons, fields and boxes. */
  readonly height: number
  /** The height of buttons in bars. */
  readonly inBar: number
  readonly minButton: number
  /** Beside the name of a button, both sides together; in bars; and what an icon adds. */
  readonly padding: number
  readonly paddingInBar: number
  readonly icon: number
  readonly field: number
  readonly maxField: number
  /** The side of the sign in a search field. Undefined: it has none, and fields are as in the default style. */
  readonly searchSign?: 'start' | 'end'
  /** The minimum width of a field in a bar. */
  readonly minFieldInBar: number
  readonly minCombo: number
  /** Beside the options of a combo box. */
  readonly comboPadding: number
  /** Beside the names of check boxes and radio buttons, and of switches. */
  readonly sign: number
  readonly toggle: number
  /** The height of lines with a check box, radio button, switch or slider. */
  readonly line: number
}

export interface RowMetrics {
  /** The height of the items of lists, trees and tables. */
  readonly list: number
  readonly tree: number
  readonly table: number
  readonly header: number
  /** Of spreadsheets. */
  readonly sheet: number
  readonly sheetHeader: number
}

export interface BarMetrics {
  readonly menu: number
  /** Beside the name of a menu in a menu bar. */
  readonly menuPadding: number
  readonly tool: number
  readonly toolPadding: number
  readonly toolGap: number
  readonly status: number
  /** After a progress bar at the end of a status bar. */
  readonly statusEnd: number
  readonly tab: number
  /** The maximum width of tabs that share the width of their strip. Undefined: they are as wide as their names. */
  readonly maxTab?: number
  readonly minTab: number
  /** Around a row of tabs without pages. */
  readonly tabMargin: number
  readonly tabPadding: number
  /** Whether what does not fit into a tool bar or a row of tabs is in a menu; otherwise the tool bar scrolls. */
  readonly hasMore: boolean
}

export interface SpaceMetrics {
  /** The padding of windows, and the gap between their parts. */
  readonly window: number
  readonly gap: number
  /** Above the content of a dialog, for its name. */
  readonly dialogTop: number
  readonly group: number
  readonly groupGap: number
  readonly page: number
}

export interface PopupMetrics {
  readonly row: number
  readonly separator: number
  readonly padding: number
  /** The estimated width of a character. Absent, names and shortcuts are measured. */
  readonly character?: number
  /** The signs of keys in shortcuts. Absent, shortcuts are shown as they are written. */
  readonly keySigns?: KeySigns
  /** Beside a name: the check mark before it, the arrow after it. */
  readonly rowMargin: number
  readonly minWidth: number
  /** The height of a tool tip, and the space beside its text, both sides together. */
  readonly tooltip: number
  readonly tooltipPadding: number
  /** The font size of a tool tip. */
  readonly tooltipSize: number
}

/** How shortcuts are written without plus signs. Modifiers and keys have the names of `parseChord`. */
export interface KeySigns {
  /** In the order in which they are written, before the key. */
  readonly modifiers: readonly (readonly [modifier: string, sign: string])[]
  /** All other keys are written in words. */
  readonly keys: Readonly<Record<string, string>>
}

/** What a shell consists of. Each part is a kind that any style can have. */
export interface ShellMetrics {
  /** From front to back. The first has the clock, and the flyouts are beside it. */
  readonly bars: readonly ShellBar[]
  /** A menu with pinned applications, the whole work area with the open windows, or a panel below a field. */
  readonly launcher: 'start menu' | 'overview' | 'search panel'
  /** A shortcut that opens the launcher, beside the ones that open it in every style. */
  readonly launcherKey?: string
  /** Where the calendar opens beside its bar. All other flyouts are at the end. */
  readonly calendar: 'end' | 'middle'
  /** Absent in a style that shows no files on the desktop. */
  readonly icons?: DesktopIconMetrics
}

/** A bar along an edge of the monitor. */
export interface ShellBar {
  readonly kind: 'taskbar' | 'top bar' | 'menu bar' | 'dock'
  readonly edge: 'top' | 'bottom'
  /** The space that it takes from maximised windows. */
  readonly height: number
}

/** The icons of files on the desktop, in columns. */
export interface DesktopIconMetrics {
  /** The size of a cell. */
  readonly width: number
  readonly height: number
  /** Above the first icon of a column. */
  readonly top: number
  /** Where the first column is. */
  readonly side: 'left' | 'right'
  /** Whether the machine and its bin are before the files. */
  readonly hasPlaces: boolean
}
