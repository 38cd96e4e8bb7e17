import type { Kind } from '../desktop/model/role.ts'

/** Further traits of how a role is painted or sketched. */
export type LookTrait =
  /** Has a card of its own as a popup. */
  | 'card'
  /** Its rows are clipped at its border. */
  | 'clipsRows'
  /** Buttons in it have no border. */
  | 'flatButtons'
  /** A field in it shares its frame and focus ring. */
  | 'framesField'
  /** Its children look like menu items. */
  | 'menu'
  /** In a sketch, hides elements below it. */
  | 'opaque'
  /** In a sketch, without a name it is only a group. */
  | 'glass'
  /** Needs no label in a sketch while it has neither name nor value. */
  | 'silent'
  /** Without a name it is labelled by its parts. */
  | 'namedByParts'
  /** Shows its label in its middle at any size. */
  | 'plainFace'
  /** Its content identifies it, so it has no key of its own in a sketch. */
  | 'keyless'
  /** One of many similar items; a sketch drops it before a control. */
  | 'alike'
  /** Its value is written as a percentage. */
  | 'percentage'
  /** Listed in the keyboard order of a sketch. */
  | 'tabStop'

/** How a role is painted and sketched. A new role does not compile before it has a row. */
export interface LookRow {
  /** How a sketch draws it if there is space: a box, its text only, or a line. */
  readonly sketch: 'box' | 'words' | 'line'
  /** How a sketch writes its label: in brackets, in brackets and centred, or as it is. */
  readonly label: 'bracketed' | 'centred' | 'plain'
  /** Whether a sketch shows its parts by themselves or merges them into it. */
  readonly parts: 'shown' | 'merged'
  readonly is: readonly LookTrait[]
}

/** One row for each role. */
const LOOK_TABLE: Readonly<Record<Kind, LookRow>> = {
  window: { sketch: 'box', label: 'plain', parts: 'shown', is: ['opaque'] },
  dialog: { sketch: 'box', label: 'plain', parts: 'shown', is: ['opaque'] },
  pane: { sketch: 'box', label: 'plain', parts: 'shown', is: ['glass', 'silent'] },
  group: { sketch: 'box', label: 'plain', parts: 'shown', is: ['glass', 'silent'] },
  button: { sketch: 'box', label: 'centred', parts: 'merged', is: ['namedByParts', 'plainFace', 'tabStop'] },
  splitbutton: { sketch: 'box', label: 'centred', parts: 'merged', is: ['plainFace', 'tabStop'] },
  toggle: { sketch: 'words', label: 'plain', parts: 'merged', is: ['namedByParts', 'plainFace', 'tabStop'] },
  edit: { sketch: 'box', label: 'bracketed', parts: 'merged', is: ['tabStop'] },
  document: { sketch: 'box', label: 'bracketed', parts: 'shown', is: ['clipsRows', 'opaque', 'tabStop'] },
  text: { sketch: 'words', label: 'plain', parts: 'merged', is: ['silent'] },
  checkbox: { sketch: 'words', label: 'plain', parts: 'merged', is: ['namedByParts', 'tabStop'] },
  radio: { sketch: 'words', label: 'plain', parts: 'merged', is: ['namedByParts', 'tabStop'] },
  combo: { sketch: 'box', label: 'bracketed', parts: 'merged', is: ['framesField', 'plainFace', 'tabStop'] },
  list: { sketch: 'box', label: 'plain', parts: 'shown', is: ['clipsRows', 'opaque'] },
  listitem: { sketch: 'words', label: 'plain', parts: 'shown', is: ['glass', 'silent', 'keyless', 'alike'] },
  slider: { sketch: 'box', label: 'plain', parts: 'merged', is: ['plainFace', 'percentage', 'tabStop'] },
  spinner: { sketch: 'box', label: 'bracketed', parts: 'merged', is: ['plainFace', 'tabStop'] },
  progress: { sketch: 'box', label: 'plain', parts: 'merged', is: ['plainFace', 'percentage'] },
  scrollbar: { sketch: 'line', label: 'plain', parts: 'merged', is: ['silent', 'percentage'] },
  scrollarea: { sketch: 'box', label: 'plain', parts: 'shown', is: ['glass', 'silent'] },
  menubar: { sketch: 'words', label: 'plain', parts: 'shown', is: ['menu'] },
  menu: { sketch: 'box', label: 'plain', parts: 'shown', is: ['card', 'menu'] },
  menuitem: { sketch: 'words', label: 'plain', parts: 'shown', is: ['menu', 'namedByParts', 'keyless', 'tabStop'] },
  toolbar: { sketch: 'words', label: 'plain', parts: 'shown', is: ['flatButtons'] },
  statusbar: { sketch: 'words', label: 'plain', parts: 'shown', is: ['flatButtons'] },
  tabs: { sketch: 'box', label: 'plain', parts: 'shown', is: [] },
  tab: { sketch: 'words', label: 'plain', parts: 'shown', is: ['namedByParts', 'keyless', 'tabStop'] },
  tree: { sketch: 'box', label: 'plain', parts: 'shown', is: ['clipsRows', 'opaque'] },
  treeitem: { sketch: 'words', label: 'plain', parts: 'shown', is: ['keyless', 'alike'] },
  table: { sketch: 'box', label: 'plain', parts: 'shown', is: ['clipsRows', 'opaque'] },
  header: { sketch: 'words', label: 'plain', parts: 'shown', is: ['silent', 'keyless'] },
  headeritem: { sketch: 'words', label: 'plain', parts: 'shown', is: ['keyless'] },
  row: { sketch: 'words', label: 'plain', parts: 'shown', is: ['glass', 'silent', 'keyless', 'alike'] },
  cell: { sketch: 'words', label: 'plain', parts: 'shown', is: ['glass', 'silent', 'keyless', 'alike'] },
  link: { sketch: 'words', label: 'plain', parts: 'merged', is: ['namedByParts', 'tabStop'] },
  image: { sketch: 'box', label: 'plain', parts: 'merged', is: ['silent', 'plainFace'] },
  separator: { sketch: 'line', label: 'plain', parts: 'shown', is: [] },
  splitter: { sketch: 'line', label: 'plain', parts: 'shown', is: [] },
  tooltip: { sketch: 'words', label: 'plain', parts: 'shown', is: ['card', 'opaque'] },
  toast: { sketch: 'box', label: 'plain', parts: 'shown', is: ['card', 'opaque'] },
  date: { sketch: 'box', label: 'bracketed', parts: 'merged', is: ['framesField', 'plainFace', 'tabStop'] },
  calendar: { sketch: 'box', label: 'plain', parts: 'shown', is: ['clipsRows', 'flatButtons', 'opaque'] },
  day: { sketch: 'words', label: 'plain', parts: 'shown', is: ['alike'] },
  titlebar: { sketch: 'words', label: 'plain', parts: 'shown', is: ['flatButtons'] },
  expander: { sketch: 'box', label: 'plain', parts: 'shown', is: [] },
  other: { sketch: 'box', label: 'plain', parts: 'shown', is: ['glass', 'silent'] },
}

/** The kinds whose row fits. */
export const kindsThatLook = (fits: (row: LookRow) => boolean): ReadonlySet<Kind> =>
  new Set((Object.entries(LOOK_TABLE) as [Kind, LookRow][]).filter(([, row]) => fits(row)).map(([kind]) => kind))

/** The kinds that have a trait. */
export const kindsWithLook = (trait: LookTrait): ReadonlySet<Kind> => kindsThatLook(({ is }) => is.includes(trait))
