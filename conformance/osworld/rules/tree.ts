import assert from 'node:assert/strict'
import { assertAgree } from '../../compare/differences.ts'
import { walkXml, type XmlElement } from '../../probe/xml.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { sources } from '../document.ts'
import { act, screenSize, textOfSuccess } from '../driver.ts'
import { assertField, fillField } from '../field.ts'
import { changeTree, replaceInTree } from '../sabotage.ts'
import {
  activate,
  activeWindows,
  attributeOf,
  boxOf,
  type Control,
  centreOf,
  controlThat,
  hasState,
  isChecked,
  namespaceOf,
  readControl,
  readMarkup,
  readTree,
  readTuple,
  type Tree,
  titlesOf,
} from '../tree-driver.ts'

/** An element for messages. */
const shown = (tree: Tree, element: XmlElement): string =>
  `${element.tag} "${attributeOf(tree, element, 'name') ?? ''}"`

const KINDS = [
  ...['state', 'attributes', 'component', 'document', 'document/attributes', 'text', 'value', 'action', 'class'],
  ...['role', 'control', 'cols', 'id'],
]

const [MAX_DEPTH, MAX_CHILDREN] = [50, 1024]

const KEPT_ENDS = [
  ...['item', 'button', 'heading', 'label', 'scrollbar', 'searchbox', 'textbox', 'link', 'tabelement', 'textfield'],
  ...['textarea', 'menu'],
]

const KEPT = [
  ...['alert', 'canvas', 'check-box', 'combo-box', 'entry', 'icon', 'image', 'paragraph', 'scroll-bar', 'section'],
  ...['slider', 'static', 'table-cell', 'terminal', 'text'],
  ...[
    'netuiribbontab',
    'start',
    'trayclockwclass',
    'traydummysearchcontrol',
    'uiimage',
    'uiproperty',
    'uiribbonbutton',
  ],
]

/** Whether the filter of agents keeps an element. */
function isKept(tree: Tree, element: XmlElement): boolean {
  const { tag, text } = element
  const box = boxOf(tree, element)
  const state = (name: string) => hasState(tree, element, name)
  return (
    (tag.startsWith('document') || KEPT_ENDS.some((end) => tag.endsWith(end)) || KEPT.includes(tag)) &&
    state('visible') &&
    (tree.platform !== 'Linux' || state('showing')) &&
    ['enabled', 'editable', 'expandable', 'checkable'].some(state) &&
    ((attributeOf(tree, element, 'name') ?? '') !== '' || text !== '') &&
    box !== undefined &&
    Math.min(box.x, box.y) >= 0 &&
    Math.min(box.width, box.height) > 0
  )
}

/** The accessibility tree. */
export const treeRules = defineRules('tree', ['tree:well-formed'], {
  'well-formed': {
    level: 'MUST',
    text: 'AT is a well-formed XML document.',
    source: sources.tree,
    basis: { states: 'GET /accessibility answers AT, an XML document.' },
    covers: ['OW-R8'],
    check: async (context) => {
      const { elements } = await readTree(context)
      assert.ok(elements.length > 1, 'the tree is empty')
    },
    sabotage: {
      'leaves the tree open': replaceInTree('</desktop-frame>', ''),
    },
  },

  root: {
    level: 'MUST',
    text: 'The root is desktop-frame on Linux, and desktop elsewhere.',
    source: sources.tree,
    basis: { states: 'The root tag is desktop-frame on Linux, and desktop on Windows and macOS.' },
    covers: ['OW-T1'],
    check: async (context) => {
      const { root, platform } = await readTree(context)
      assert.equal(root.tag, platform === 'Linux' ? 'desktop-frame' : 'desktop', 'tag')
    },
    sabotage: {
      'calls its root desktop': replaceInTree(/(<\/?)desktop-frame/g, '$1desktop'),
    },
  },

  tags: {
    level: 'MUST',
    text: 'Tags are names of roles or classes without blanks and capitals.',
    source: sources.tree,
    basis: {
      states: 'Tags are AT-SPI role names with hyphens for blanks, lower-case class names, or role descriptions.',
    },
    covers: ['OW-T2'],
    check: async (context) => {
      const { elements } = await readTree(context)
      for (const { tag } of elements) assert.match(tag, /^[^\sA-Z]+$/, 'a tag has blanks or capitals')
    },
    sabotage: {
      'writes tags in capitals': replaceInTree(/(<\/?)check-box/g, '$1Check-Box'),
    },
  },

  namespaces: {
    level: 'MUST',
    text: 'Every qualified attribute belongs to a documented namespace of the platform.',
    source: sources.tree,
    basis: { states: 'The namespaces are below https://accessibility.ubuntu.example.org/ns/, or windows, or macos.' },
    covers: ['OW-T3'],
    check: async (context) => {
      const { elements, platform } = await readTree(context)
      const known = KINDS.map((kind) => namespaceOf(platform, kind))
      const used = new Set(
        elements.flatMap(({ attributes }) => attributes.map(({ uri }) => uri)).filter((uri) => uri !== ''),
      )
      assert.ok(used.size > 0, 'no attribute has a namespace')
      assert.deepEqual(
        [...used].filter((uri) => !known.includes(uri)),
        [],
        'namespaces that the document does not have',
      )
    },
    sabotage: {
      'has a namespace of its own': replaceInTree('example.org/ns/action"', 'example.org/ns/deeds"'),
    },
  },

  names: {
    level: 'MUST',
    text: 'Every element below the root has a name, which may be empty.',
    source: sources.tree,
    basis: { states: 'The name of an element is its attribute name.' },
    covers: ['OW-T4'],
    check: async (context) => {
      const tree = await readTree(context)
      for (const element of tree.elements.slice(1))
        assert.notEqual(attributeOf(tree, element, 'name'), undefined, `${element.tag} has no attribute name`)
    },
    sabotage: {
      'leaves out names of programs': replaceInTree(/<application name="[^"]*"/g, '<application'),
    },
  },

  states: {
    level: 'MUST',
    text: 'States are "true", on Windows also "false".',
    source: sources.tree,
    basis: { states: 'On Linux a state is "true" and is left out when it is not set; Windows writes true and false.' },
    covers: ['OW-T5'],
    check: async (context) => {
      const { elements, platform } = await readTree(context)
      const uri = namespaceOf(platform, 'state')
      const states = elements.flatMap(({ attributes }) => attributes.filter((one) => one.uri === uri))
      const values = platform === 'Linux' ? ['true'] : ['true', 'false']
      assert.ok(states.length > 0, 'no element has a state')
      for (const { local, value } of states) assert.ok(values.includes(value), `the state ${local} is "${value}"`)
    },
    sabotage: {
      'writes states as numbers': replaceInTree('st:sensitive="true"', 'st:sensitive="1"'),
      'writes states that are not set': replaceInTree('st:sensitive="true"', 'st:sensitive="false"'),
    },
  },

  checked: {
    level: 'MUST',
    text: 'The state checked comes and goes as a check box is clicked.',
    source: sources.tree,
    basis: { states: 'A state is an attribute of the element while it is set.' },
    covers: ['OW-T5'],
    needs: ['tree:tuples', 'tree:names', 'program:prefix', 'tree:states'],
    check: async (context) => {
      const { box } = await readControl(context, 'toggle')
      const { x, y } = centreOf(box)
      const seen: boolean[] = [isChecked(await readControl(context, 'toggle'))]
      for (let clicks = 0; clicks < 2; clicks++) {
        await act(context, `pyautogui.click(${x}, ${y})`)
        seen.push(isChecked(await controlThat(context, 'toggle', (now) => isChecked(now) !== seen.at(-1))))
      }
      assert.deepEqual(seen, [seen[0], !seen[0], seen[0]], 'the state checked does not follow the clicks')
    },
    sabotage: {
      'has no state checked': replaceInTree(/ st:checked="true"/g, ''),
    },
  },

  focused: {
    level: 'SHOULD',
    text: 'A clicked field has the state focused, and no other field has.',
    source: sources.tree,
    basis: { because: 'The document lists no states; agents and the terminal route look for focused.' },
    covers: ['OW-T5'],
    needs: ['tree:tuples', 'tree:names', 'program:prefix', 'tree:states'],
    check: async (context) => {
      const { x, y } = centreOf((await readControl(context, 'field')).box)
      await act(context, `pyautogui.click(${x}, ${y})`)
      const isFocused = ({ tree, element }: Control) => hasState(tree, element, 'focused')
      const { tree, element } = await controlThat(context, 'field', isFocused)
      assert.ok(hasState(tree, element, 'focused'), 'the clicked field is not focused')
      const others = tree.elements.filter(
        (one) => one !== element && one.tag === element.tag && hasState(tree, one, 'focused'),
      )
      assert.deepEqual(
        others.map((one) => shown(tree, one)),
        [],
        'another field is focused too',
      )
    },
    sabotage: {
      'has no state focused': replaceInTree(/ st:focused="true"/g, ''),
      'focuses every field': changeTree((xml) =>
        xml.replace(/ st:focused="true"/g, '').replace(/<entry /g, '<entry st:focused="true" '),
      ),
    },
  },

  tuples: {
    level: 'MUST',
    text: 'Positions and sizes are texts like "(10, 20)", which Python evaluates to a tuple of two integers.',
    source: sources.tree,
    basis: { states: 'cp:screencoord and cp:size are the texts of Python tuples with a comma and a blank.' },
    covers: ['OW-T6'],
    check: async (context) => {
      const tree = await readTree(context)
      let seen = 0
      for (const element of tree.elements)
        for (const local of ['screencoord', 'size']) {
          const text = attributeOf(tree, element, local, 'component')
          if (text === undefined) continue
          seen++
          assert.notEqual(readTuple(text), undefined, `cp:${local} of ${shown(tree, element)} is "${text}"`)
        }
      assert.ok(seen > 0, 'no element has a position')
    },
    sabotage: {
      'writes tuples without a blank': replaceInTree(/"\((\d+), (\d+)\)"/g, '"($1,$2)"'),
      'writes positions with fractions': replaceInTree(/screencoord="\((\d+), /, 'screencoord="($1.0, '),
    },
  },

  positions: {
    level: 'MUST',
    text: 'On Linux only elements that are visible and showing have a position and a size.',
    source: sources.tree,
    basis: { states: 'On Linux the position is written only when the element is visible and showing.' },
    covers: ['OW-T6'],
    needs: ['tree:states'],
    check: async (context) => {
      const tree = await readTree(context)
      if (tree.platform !== 'Linux') return
      const placed = tree.elements.filter((one) => attributeOf(tree, one, 'screencoord', 'component') !== undefined)
      assert.ok(placed.length > 0, 'no element has a position')
      for (const element of placed)
        assert.ok(
          hasState(tree, element, 'visible') && hasState(tree, element, 'showing'),
          `${shown(tree, element)} has a position and is not visible and showing`,
        )
    },
    sabotage: {
      'gives hidden elements a position': replaceInTree(/(<frame[^>]*?) st:showing="true"/, '$1'),
    },
  },

  boxes: {
    level: 'MUST',
    text: 'An element has both a position and a size, or neither; the box of a control on the screen is within the screen.',
    source: sources.tree,
    basis: { states: 'Both are read from the extents of the element, in pixels of the screen.' },
    covers: ['OW-T6'],
    needs: ['tree:tuples', 'tree:names', 'program:prefix'],
    check: async (context) => {
      const { width, height } = await screenSize(context)
      const tree = await readTree(context)
      for (const element of tree.elements)
        assert.equal(
          attributeOf(tree, element, 'screencoord', 'component') === undefined,
          attributeOf(tree, element, 'size', 'component') === undefined,
          `${shown(tree, element)} has only one of position and size`,
        )
      for (const name of ['field', 'toggle', 'slider'] as const) {
        const { box } = await readControl(context, name)
        const isInside = box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height
        assert.ok(isInside && box.width > 0 && box.height > 0, `the ${name} is at ${JSON.stringify(box)}`)
      }
    },
    sabotage: {
      'gives positions without sizes': replaceInTree(/ cp:size="[^"]*"/, ''),
    },
  },

  value: {
    level: 'MUST',
    text: 'A slider has val:value, min and max as numbers, with the value in between.',
    source: sources.tree,
    basis: { states: 'Elements with a value have val:value, min, max and step.' },
    covers: ['OW-T7'],
    needs: ['tree:tuples', 'tree:names', 'program:prefix'],
    check: async (context) => {
      const { tree, element } = await readControl(context, 'slider')
      const [value, min, max, step] = ['value', 'min', 'max', 'step'].map((local) => {
        const text = attributeOf(tree, element, local, 'value')
        assert.match(text ?? '', /^-?\d+(\.\d+)?(e[+-]?\d+)?$/, `val:${local} of the slider is ${text}`)
        return Number(text)
      })
      assert.ok(min! < max! && min! <= value! && value! <= max! && step! >= 0, `${value} is not from ${min} to ${max}`)
    },
    sabotage: {
      'has no smallest value': replaceInTree(/ val:min="[^"]*"/g, ''),
    },
  },

  text: {
    level: 'MUST',
    text: 'The text of a field is the text of its element.',
    source: sources.tree,
    basis: { states: 'The text of an element is its content; on Windows unless it equals the name.' },
    covers: ['OW-T8'],
    needs: ['tree:tuples', 'tree:names', 'program:prefix'],
    check: async (context) => {
      const text = context.random.word(9)
      await fillField(context, text)
      await assertField(context, text)
    },
    sabotage: {
      'shows the names of fields as their texts': replaceInTree(/(<entry name="([^"]*)"[^>]*>)[^<]*/g, '$1$2'),
    },
  },

  characters: {
    level: 'MUST',
    text: 'Texts contain neither U+FFFC nor U+FFFD.',
    source: sources.tree,
    basis: { states: 'U+FFFC and U+FFFD are removed from texts.' },
    covers: ['OW-T8'],
    check: async (context) => {
      const { elements } = await readTree(context)
      for (const { tag, text } of elements) assert.doesNotMatch(text, /[\ufffc\ufffd]/, `a text of ${tag}`)
    },
    sabotage: {
      'keeps object characters': replaceInTree('</label>', '\ufffc</label>'),
    },
  },

  markup: {
    level: 'SHOULD',
    text: 'A text with ampersands, quotes and signs of markup is read back unchanged.',
    source: sources.expected,
    basis: { because: 'XML has to escape them; the document leaves that to its library.' },
    covers: ['OW-T8'],
    needs: ['tree:tuples', 'tree:names', 'program:prefix'],
    check: async (context) => {
      // The original types > for <, so that the client rewrites it; the text does without.
      await fillField(context, `R&D > "it's"; &amp; ]]>`)
    },
    sabotage: {
      'escapes texts twice': replaceInTree(/&(amp|lt|gt|quot);/g, '&amp;$1;'),
    },
  },

  limits: {
    level: 'MUST',
    text: 'The tree is at most 50 levels deep, and an element has at most 1024 children.',
    source: sources.tree,
    basis: { states: 'The depth is limited to 50 and the width to 1024.' },
    covers: ['OW-T9'],
    check: async (context) => {
      const { root } = await readTree(context)
      for (const { element, depth } of walkXml(root)) {
        assert.ok(depth <= MAX_DEPTH, `${element.tag} is ${depth} levels deep`)
        assert.ok(element.children.length <= MAX_CHILDREN, `${element.tag} has ${element.children.length} children`)
      }
    },
    sabotage: {
      'has a tree without end': replaceInTree(
        '</application>',
        `${'<panel name="">'.repeat(MAX_DEPTH)}${'</panel>'.repeat(MAX_DEPTH)}</application>`,
      ),
      'has a row of one element too many': replaceInTree(
        '</application>',
        `<panel name="">${'<panel name=""/>'.repeat(MAX_CHILDREN + 1)}</panel></application>`,
      ),
    },
  },

  actions: {
    level: 'MUST',
    text: 'Attributes of actions end in _desc or _kb, and both are there for each action.',
    source: sources.tree,
    basis: { states: 'Actions are act:NAME_desc and act:NAME_kb.' },
    covers: ['OW-T10'],
    check: async (context) => {
      const { elements, platform } = await readTree(context)
      const uri = namespaceOf(platform, 'action')
      for (const { tag, attributes } of elements) {
        const names = attributes.filter((one) => one.uri === uri).map(({ local }) => local)
        for (const name of names) {
          const [, action] = /^(.+)_(desc|kb)$/.exec(name) ?? []
          assert.notEqual(action, undefined, `${tag} has an attribute act:${name}`)
          for (const end of ['desc', 'kb'])
            assert.ok(names.includes(`${action}_${end}`), `${tag} has act:${name} without act:${action}_${end}`)
        }
      }
    },
    sabotage: {
      'leaves out keys of actions': replaceInTree(/ act:\w+_kb="[^"]*"/, ''),
    },
  },

  kept: {
    level: 'MUST',
    text: 'Agents keep the field, the check box and the slider when they filter the tree.',
    source: sources.agents,
    basis: {
      states:
        'Agents keep certain tags, showing and visible, enabled or editable, with a name and a box on the screen.',
    },
    covers: ['OW-T11', 'OW-T2', 'OW-T5'],
    needs: ['tree:tuples', 'tree:names', 'program:prefix', 'tree:states'],
    check: async (context) => {
      for (const name of ['field', 'toggle', 'slider'] as const) {
        const { tree, element } = await readControl(context, name)
        assert.ok(isKept(tree, element), `agents leave out the ${name}, which is a ${shown(tree, element)}`)
      }
    },
    sabotage: {
      'disables its controls': replaceInTree(/(<slider[^>]*?) st:enabled="true"/g, '$1'),
      'calls a check box a widget': replaceInTree(/(<\/?)check-box/g, '$1widget'),
    },
  },

  windows: {
    level: 'SHOULD',
    text: 'One window of the desktop is active, the one that was activated last.',
    source: sources.tree,
    basis: { because: 'The document looks for the state active of a frame, and does not say when it is set.' },
    covers: ['OW-T5'],
    needs: ['tree:states', 'tree:well-formed', 'window:activate'],
    check: async (context) => {
      const [one, other] = titlesOf(context)
      for (const title of [other, one]) {
        textOfSuccess(await activate(context, title))
        assert.deepEqual(await activeWindows(context, title), [title], 'the active windows')
      }
    },
    sabotage: {
      'has no active window': replaceInTree(/ st:active="true"/g, ''),
    },
  },

  steady: {
    level: 'SHOULD',
    text: 'Two reads of an unchanged desktop are equal.',
    source: sources.expected,
    basis: { because: 'Agents compare trees to learn what an action changed.' },
    covers: ['OW-R8'],
    check: async (context) => {
      assertAgree({ 'the first read': await readMarkup(context), 'the second read': await readMarkup(context) })
    },
    sabotage: {
      'counts its reads': countsReads(),
    },
  },
})

function countsReads(): SabotageBehavior {
  let reads = 0
  return changeTree((xml) => `${xml}<!-- ${reads++} -->`)
}
