import type { Requirements } from '../../requirement.ts'

const TREE = 'OSWorld, control server, accessibility tree'
const AGENTS = 'OSWorld, agents'
const EXPECTED = 'what most agents expect'

/** The accessibility tree as XML. */
export const treeRequirements = {
  'osworld:tree:well-formed': {
    level: 'MUST',
    text: 'AT is a well-formed XML document.',
    source: TREE,
    basis: { states: 'GET /accessibility answers AT, an XML document.' },
    covers: ['OW-R8'],
  },
  'osworld:tree:root': {
    level: 'MUST',
    text: 'The root is desktop-frame on Linux, and desktop elsewhere.',
    source: TREE,
    basis: { states: 'The root tag is desktop-frame on Linux, and desktop on Windows and macOS.' },
    covers: ['OW-T1'],
  },
  'osworld:tree:tags': {
    level: 'MUST',
    text: 'Tags are names of roles or classes without blanks and capitals.',
    source: TREE,
    basis: {
      states: 'Tags are AT-SPI role names with hyphens for blanks, lower-case class names, or role descriptions.',
    },
    covers: ['OW-T2'],
  },
  'osworld:tree:namespaces': {
    level: 'MUST',
    text: 'Every qualified attribute belongs to a documented namespace of the platform.',
    source: TREE,
    basis: { states: 'The namespaces are below https://accessibility.ubuntu.example.org/ns/, or windows, or macos.' },
    covers: ['OW-T3'],
  },
  'osworld:tree:names': {
    level: 'MUST',
    text: 'Every element below the root has a name, which may be empty.',
    source: TREE,
    basis: { states: 'The name of an element is its attribute name.' },
    covers: ['OW-T4'],
  },
  'osworld:tree:states': {
    level: 'MUST',
    text: 'States are "true", on Windows also "false".',
    source: TREE,
    basis: { states: 'On Linux a state is "true" and is left out when it is not set; Windows writes true and false.' },
    covers: ['OW-T5'],
  },
  'osworld:tree:checked': {
    level: 'MUST',
    text: 'The state checked comes and goes as a check box is clicked.',
    source: TREE,
    basis: { states: 'A state is an attribute of the element while it is set.' },
    covers: ['OW-T5'],
  },
  'osworld:tree:focused': {
    level: 'SHOULD',
    text: 'A clicked field has the state focused, and no other field has.',
    source: TREE,
    basis: { because: 'The document lists no states; agents and the terminal route look for focused.' },
    covers: ['OW-T5'],
  },
  'osworld:tree:tuples': {
    level: 'MUST',
    text: 'Positions and sizes are texts like "(10, 20)", which Python evaluates to a tuple of two integers.',
    source: TREE,
    basis: { states: 'cp:screencoord and cp:size are the texts of Python tuples with a comma and a blank.' },
    covers: ['OW-T6'],
  },
  'osworld:tree:positions': {
    level: 'MUST',
    text: 'On Linux only elements that are visible and showing have a position and a size.',
    source: TREE,
    basis: { states: 'On Linux the position is written only when the element is visible and showing.' },
    covers: ['OW-T6'],
  },
  'osworld:tree:boxes': {
    level: 'MUST',
    text: 'An element has both a position and a size, or neither; the box of a control on the screen is within the screen.',
    source: TREE,
    basis: { states: 'Both are read from the extents of the element, in pixels of the screen.' },
    covers: ['OW-T6'],
  },
  'osworld:tree:value': {
    level: 'MUST',
    text: 'A slider has val:value, min and max as numbers, with the value in between.',
    source: TREE,
    basis: { states: 'Elements with a value have val:value, min, max and step.' },
    covers: ['OW-T7'],
  },
  'osworld:tree:text': {
    level: 'MUST',
    text: 'The text of a field is the text of its element.',
    source: TREE,
    basis: { states: 'The text of an element is its content; on Windows unless it equals the name.' },
    covers: ['OW-T8'],
  },
  'osworld:tree:characters': {
    level: 'MUST',
    text: 'Texts contain neither U+FFFC nor U+FFFD.',
    source: TREE,
    basis: { states: 'U+FFFC and U+FFFD are removed from texts.' },
    covers: ['OW-T8'],
  },
  'osworld:tree:markup': {
    level: 'SHOULD',
    text: 'A text with ampersands, quotes and signs of markup is read back unchanged.',
    source: EXPECTED,
    basis: { because: 'XML has to escape them; the document leaves that to its library.' },
    covers: ['OW-T8'],
  },
  'osworld:tree:limits': {
    level: 'MUST',
    text: 'The tree is at most 50 levels deep, and an element has at most 1024 children.',
    source: TREE,
    basis: { states: 'The depth is limited to 50 and the width to 1024.' },
    covers: ['OW-T9'],
  },
  'osworld:tree:actions': {
    level: 'MUST',
    text: 'Attributes of actions end in _desc or _kb, and both are there for each action.',
    source: TREE,
    basis: { states: 'Actions are act:NAME_desc and act:NAME_kb.' },
    covers: ['OW-T10'],
  },
  'osworld:tree:kept': {
    level: 'MUST',
    text: 'Agents keep the field, the check box and the slider when they filter the tree.',
    source: AGENTS,
    basis: {
      states:
        'Agents keep certain tags, showing and visible, enabled or editable, with a name and a box on the screen.',
    },
    covers: ['OW-T11', 'OW-T2', 'OW-T5'],
  },
  'osworld:tree:windows': {
    level: 'SHOULD',
    text: 'One window of the desktop is active, the one that was activated last.',
    source: TREE,
    basis: { because: 'The document looks for the state active of a frame, and does not say when it is set.' },
    covers: ['OW-T5'],
  },
  'osworld:tree:steady': {
    level: 'SHOULD',
    text: 'Two reads of an unchanged desktop are equal.',
    source: EXPECTED,
    basis: { because: 'Agents compare trees to learn what an action changed.' },
    covers: ['OW-R8'],
  },
} as const satisfies Requirements
