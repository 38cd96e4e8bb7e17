/** Traits that only some roles have, of its behaviour first, then of how it looks and how a person speaks of it. */
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
  /** Has a menu for what does not fit into it. */
  | 'hasMore'
  /** Its text is typed, and clicked between its letters. */
  | 'typed'
  /** A field of one line. */
  | 'entry'
  /** Exists to be pressed or chosen. */
  | 'pressed'
  /** Dragged or only looked at: a press does nothing. */
  | 'passive'
  /** Sends or confirms something, in contrast to what opens or chooses. */
  | 'submits'
  /** Runs a command. */
  | 'runsCommand'
  /** Has options that are selected by name or index. */
  | 'chooser'
  /** Switched on and off. */
  | 'switch'
  /** Has a number that keys change by steps. */
  | 'stepped'
  /** Chosen among others. */
  | 'choice'
  /** Shown only for a moment, or only a matter of what is in view. */
  | 'passing'
  /** A container of rows or text that toolkits put into a scroll pane. */
  | 'scrollPane'
  /** Reacts to a click without taking the focus. */
  | 'clicked'
  /** Where in it a click happens decides what it does. */
  | 'positional'
  /** Its content opens with a click on it. */
  | 'opens'
  /** Horizontal or vertical. */
  | 'oriented'
  /** Has a card of its own as a popup. */
  | 'card'
  /** Its rows are clipped at its border. */
  | 'clipsRows'
  /** Buttons in it have no border. */
  | 'flatButtons'
  /** A field in it shares its frame and focus ring. */
  | 'framesField'
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
  /** Has a caption beside or above it. */
  | 'captioned'
  /** An instruction names it, to tell apart what is in it. */
  | 'located'

/** Words of a description that name a role. */
export type RoleWord =
  | 'button'
  | 'field'
  | 'check box'
  | 'radio'
  | 'link'
  | 'tab'
  | 'menu'
  | 'drop-down'
  | 'slider'
  | 'picture'
  | 'text'
  | 'window'

/** How a sketch draws a role. */
export interface RoleSketch {
  /** If there is space: a box, its text only, or a line. */
  readonly draw: 'box' | 'words' | 'line'
  /** How it writes the label: in brackets, in brackets and centred, or as it is. */
  readonly label: 'bracketed' | 'centred' | 'plain'
  /** Whether it shows the parts by themselves or merges them into it. */
  readonly parts: 'shown' | 'merged'
}

/** What is true of a role. A new role does not compile until it has all fields. */
export interface RoleRow {
  /** The usual spelling, then its aliases. Case, blanks, dashes and underscores do not matter. */
  readonly spellings: string
  /** What its elements are for, in words, for authors of scenarios. */
  readonly purpose: string
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
  readonly sketch: RoleSketch
  /** The words of a description that ask for it. */
  readonly words: readonly RoleWord[]
  /** How an instruction names it; empty for what no instruction is about. */
  readonly noun: string
  /** What an instruction asks for: each is one click on it. Empty for what is not clicked. */
  readonly verbs: readonly string[]
  /** The role of ARIA, or a word like one, in outlines with refs. Empty: they have the role as it is written. */
  readonly aria: string
  /** The role of agent-desktop. */
  readonly agentDesktop: string
  readonly is: readonly RoleTrait[]
}
