/** Traits that only some roles have. */
export type RoleTrait =
  /** Its content may be larger than itself and scrolls. */
  | 'scrolls'
  /** Stays in place while its parent scrolls. */
  | 'fixed'
  /** A container whose own name is shown. */
  | 'titled'
  /** Too small to hold captions. */
  | 'cramped'
  /** Always shown as part of a combo box or date picker. */
  | 'fieldPart'
  /** If one of these contains all rows, it is the body of a popup. */
  | 'popupBody'
  /** Its children may lie outside its own bounds. */
  | 'looseParts'
  /** Its open popups handle the keys of a menu. */
  | 'menuKeys'
  /** An item in any container, never part of a label. */
  | 'separate'
  /** Contains more than its label: a page, items, a menu. */
  | 'moreThanLabel'
  /** May be part of the label of its parent. */
  | 'labels'
  /** In a menu it is a checkable menu item. */
  | 'ticked'
  /** Has menu items as its children. */
  | 'menu'
  /** Scrolls if its laid out content does not fit. */
  | 'overflows'
  /** Shows its own name on its face. */
  | 'showsName'
  /** Names the fields that are part of it. */
  | 'namesParts'
  /** Its children need captions of their own, so it needs no room for one above it. */
  | 'holdsCaptions'
  /** Has no meaning of its own. A pruned tree omits it if it is empty and has no name. */
  | 'grouping'

/** The meaning of a role to the desktop. A new role does not compile until it has all fields. */
export interface RoleRow {
  /** The usual spelling, then its aliases. Case, blanks, dashes and underscores do not matter. */
  readonly spellings: string
  /** Whether it takes the focus; `alone` if no container does so for it. */
  readonly focus: 'always' | 'alone' | 'never'
  /** The elements that are popups while it is expanded. */
  readonly popup: 'children' | 'itself' | 'both' | 'never'
  /** Its kind of container. */
  readonly container: 'window' | 'page' | 'items' | 'bar' | 'none'
  /** Its kind of item, if the user can choose among the items of its container. */
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
