/** Further traits of a role, for which most roles have no answer of their own. */
export type RoleTrait =
  /** Its content may be longer than itself and is scrolled. */
  | 'scrolls'
  /** Stays in place while what holds it is scrolled. */
  | 'fixed'
  /** A container whose own name is shown. */
  | 'titled'
  /** Too small to hold captions. */
  | 'cramped'
  /** Always shown as part of a combo box or date picker. */
  | 'fieldPart'
  /** One of these around all rows is the body of a popup. */
  | 'popupBody'
  /** Its children may lie outside its own bounds. */
  | 'looseParts'
  /** Open popups of it take the keys of a menu. */
  | 'menuKeys'
  /** An item of its own, whatever holds it; never part of a label. */
  | 'separate'
  /** Holds more than its label: a page, items, a menu. */
  | 'moreThanLabel'
  /** May be part of the label of what holds it. */
  | 'labels'
  /** Within a menu it is a menu item with a tick. */
  | 'ticked'
  /** Has menu items as its children. */
  | 'menu'
  /** Scrolls when what a layout put into it does not fit. */
  | 'overflows'
  /** Shows its own name on its face. */
  | 'showsName'
  /** Names the fields that are part of it. */
  | 'namesParts'
  /** Its children need captions of their own, so it needs no room for one above it. */
  | 'holdsCaptions'
  /** Says nothing itself; a pruned tree leaves it out when it is empty and has no name. */
  | 'grouping'

/** What a role means to the desktop. A new role does not compile before each field has its answer. */
export interface RoleRow {
  /** The usual spelling, then its aliases. Case, blanks, dashes and underscores do not matter. */
  readonly spellings: string
  /** Whether it takes the keyboard; `alone` when no container does so for it. */
  readonly focus: 'always' | 'alone' | 'never'
  /** What comes up as a popup while it is expanded. */
  readonly popup: 'children' | 'itself' | 'both' | 'never'
  /** What it is as a container. */
  readonly container: 'window' | 'page' | 'items' | 'bar' | 'none'
  /** What it is when its container lets the user choose among its items. */
  readonly item: 'row' | 'cell' | 'none'
  /** Which texts label it besides its name: those of its parts, always or only while it has no name. */
  readonly label: 'parts' | 'parts when nameless' | 'name'
  /** Whether it needs a caption: a field that does not show its own name, or an area that shows many things. */
  readonly caption: 'field' | 'area' | 'none'
  /** Where captions of its children have room. */
  readonly captions: 'above' | 'beside' | 'none'
  /** Whether text is edited in it: one line, several, or none. */
  readonly text: 'line' | 'lines' | 'none'
  readonly is: readonly RoleTrait[]
}
