import assert from 'node:assert/strict'
import { act, screenSize } from '../../osworld/driver.ts'
import { assertField, fillField } from '../../osworld/field.ts'
import {
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
} from '../../osworld/tree-driver.ts'
import { walkXml, type XmlElement } from '../../probe/xml.ts'
import { check } from '../check.ts'

/** An element for messages. */
const shown = (tree: Tree, element: XmlElement): string =>
  `${element.tag} "${attributeOf(tree, element, 'name') ?? ''}"`

check('osworld:tree:well-formed', async (context) => {
  const { elements } = await readTree(context)
  assert.ok(elements.length > 1, 'the tree is empty')
})

check('osworld:tree:root', async (context) => {
  const { root, platform } = await readTree(context)
  assert.equal(root.tag, platform === 'Linux' ? 'desktop-frame' : 'desktop')
})

check('osworld:tree:tags', async (context) => {
  const { elements } = await readTree(context)
  for (const { tag } of elements) assert.match(tag, /^[^\sA-Z]+$/, 'a tag has blanks or capitals')
})

const KINDS = [
  ...['state', 'attributes', 'component', 'document', 'document/attributes', 'text', 'value', 'action', 'class'],
  ...['role', 'control', 'cols', 'id'],
]

check('osworld:tree:namespaces', async (context) => {
  const { elements, platform } = await readTree(context)
  const known = KINDS.map((kind) => namespaceOf(platform, kind))
  const used = new Set(
    elements.flatMap(({ attributes }) => attributes.map(({ uri }) => uri)).filter((uri) => uri !== ''),
  )
  assert.ok(used.size > 0, 'no attribute has a namespace')
  assert.deepEqual(
    [...used].filter((uri) => !known.includes(uri)),
    [],
  )
})

check('osworld:tree:names', async (context) => {
  const tree = await readTree(context)
  for (const element of tree.elements.slice(1))
    assert.notEqual(attributeOf(tree, element, 'name'), undefined, `${element.tag} has no attribute name`)
})

check('osworld:tree:states', async (context) => {
  const { elements, platform } = await readTree(context)
  const uri = namespaceOf(platform, 'state')
  const states = elements.flatMap(({ attributes }) => attributes.filter((one) => one.uri === uri))
  const values = platform === 'Linux' ? ['true'] : ['true', 'false']
  assert.ok(states.length > 0, 'no element has a state')
  for (const { local, value } of states) assert.ok(values.includes(value), `the state ${local} is "${value}"`)
})

check('osworld:tree:checked', async (context) => {
  const { box } = await readControl(context, 'toggle')
  const { x, y } = centreOf(box)
  const seen: boolean[] = [isChecked(await readControl(context, 'toggle'))]
  for (let clicks = 0; clicks < 2; clicks++) {
    await act(context, `pyautogui.click(${x}, ${y})`)
    seen.push(isChecked(await controlThat(context, 'toggle', (now) => isChecked(now) !== seen.at(-1))))
  }
  assert.deepEqual(seen, [seen[0], !seen[0], seen[0]], 'the state checked does not follow the clicks')
})

check('osworld:tree:focused', async (context) => {
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
})

check('osworld:tree:tuples', async (context) => {
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
})

check('osworld:tree:positions', async (context) => {
  const tree = await readTree(context)
  if (tree.platform !== 'Linux') return
  const placed = tree.elements.filter((one) => attributeOf(tree, one, 'screencoord', 'component') !== undefined)
  assert.ok(placed.length > 0, 'no element has a position')
  for (const element of placed)
    assert.ok(
      hasState(tree, element, 'visible') && hasState(tree, element, 'showing'),
      `${shown(tree, element)} has a position and is not visible and showing`,
    )
})

check('osworld:tree:boxes', async (context) => {
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
})

check('osworld:tree:value', async (context) => {
  const { tree, element } = await readControl(context, 'slider')
  const [value, min, max, step] = ['value', 'min', 'max', 'step'].map((local) => {
    const text = attributeOf(tree, element, local, 'value')
    assert.match(text ?? '', /^-?\d+(\.\d+)?(e[+-]?\d+)?$/, `val:${local} of the slider is ${text}`)
    return Number(text)
  })
  assert.ok(min! < max! && min! <= value! && value! <= max! && step! >= 0, `${value} is not from ${min} to ${max}`)
})

check('osworld:tree:text', async (context) => {
  const text = context.random.word(9)
  await fillField(context, text)
  await assertField(context, text)
})

check('osworld:tree:characters', async (context) => {
  const { elements } = await readTree(context)
  for (const { tag, text } of elements) assert.doesNotMatch(text, /[\ufffc\ufffd]/, `a text of ${tag}`)
})

check('osworld:tree:markup', async (context) => {
  // The original types > for <, so that the client rewrites it; the text does without.
  await fillField(context, `R&D > "it's"; &amp; ]]>`)
})

const [MAX_DEPTH, MAX_CHILDREN] = [50, 1024]

check('osworld:tree:limits', async (context) => {
  const { root } = await readTree(context)
  for (const { element, depth } of walkXml(root)) {
    assert.ok(depth <= MAX_DEPTH, `${element.tag} is ${depth} levels deep`)
    assert.ok(element.children.length <= MAX_CHILDREN, `${element.tag} has ${element.children.length} children`)
  }
})

check('osworld:tree:actions', async (context) => {
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
})

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

check('osworld:tree:kept', async (context) => {
  for (const name of ['field', 'toggle', 'slider'] as const) {
    const { tree, element } = await readControl(context, name)
    assert.ok(isKept(tree, element), `agents leave out the ${name}, which is a ${shown(tree, element)}`)
  }
})

check('osworld:tree:steady', async (context) => {
  assert.equal(await readMarkup(context), await readMarkup(context), 'two reads differ')
})
