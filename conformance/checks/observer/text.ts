import assert from 'node:assert/strict'
import * as z from 'zod'
import { inside, isEmpty, type Placed, place } from '../../compare/tree.ts'
import {
  actOnElement,
  fillNameField,
  getFrontWindow,
  getTree,
  getWindows,
  parseSuccess,
  showScenario,
  toQuery,
} from '../../observer/driver.ts'
import { Description, Sketch } from '../../observer/shapes.ts'
import { check } from '../check.ts'

check('observer:description:window', async ({ http }) => {
  const window = await getFrontWindow(http)
  const { window_uid, title, process } = window
  const { accessibility } = parseSuccess(await http.get(`/api/description${toQuery({ window_uid })}`), Description)
  const { element_count } = await getTree(http, { window_uid })
  const lines = accessibility.split('\n').map((line) => line.replace(/\s*:\s*/, ': '))
  for (const fact of [`Application: ${process}`, `Window: ${title}`])
    assert.ok(lines.includes(fact), `no line contains "${fact}":\n${accessibility}`)
  const count = `[${element_count} elements total`
  assert.ok(accessibility.includes(count), `no line contains "${count}":\n${accessibility}`)
})

check('observer:description:mode', async ({ http }) => {
  const plain = parseSuccess(await http.get('/api/description'), Description)
  for (const mode of ['accessibility', 'ocr', 'vlm', 'combined']) {
    const { accessibility } = parseSuccess(await http.get(`/api/description${toQuery({ mode })}`), Description)
    assert.equal(accessibility, plain.accessibility, `mode=${mode}`)
  }
})

check('observer:description:text', async ({ http }) => {
  const shape = Description.extend({ description: z.string().min(1) })
  parseSuccess(await http.get('/api/description'), shape)
})

check('observer:description:combined', async ({ http }) => {
  const shape = Description.extend({ description: z.string() })
  const { description, accessibility } = parseSuccess(await http.get('/api/description'), shape)
  const first = accessibility.split('\n')[0]!
  assert.ok(description.includes(first), `the description does not start with the accessibility text: ${first}`)
})

check('observer:description:follows', async (context) => {
  const { http } = context
  await showScenario(context)
  const look = async () => parseSuccess(await http.get('/api/description'), Description).accessibility
  await look()
  const value = context.random.word(12)
  await fillNameField(http, value)
  const accessibility = await look()
  assert.ok(accessibility.includes(value), `the new value "${value}" is not in the text:\n${accessibility}`)
})

/** The lines of the grid, without the legend below it. */
const gridLines = (sketch: string): readonly string[] => {
  const lines = sketch.split('\n')
  const legend = lines.findIndex((line) => line.trim().startsWith('LEGEND'))
  return legend < 0 ? lines : lines.slice(0, legend)
}

check('observer:sketch:size', async ({ http, random }) => {
  const grid_width = random.int(40, 120)
  const grid_height = random.int(12, 48)
  const answer = await http.get(`/api/sketch${toQuery({ grid_width, grid_height })}`)
  const { sketch, ...echo } = parseSuccess(answer, Sketch)
  assert.equal(echo.grid_width, grid_width)
  assert.equal(echo.grid_height, grid_height)
  const lines = gridLines(sketch)
  for (const line of lines) assert.ok([...line].length <= grid_width, `a line is ${[...line].length} wide:\n${line}`)
  const drawn = lines.filter((line) => line.trim() !== '')
  assert.ok(drawn.length > 0 && drawn.length <= grid_height, `${drawn.length} lines are drawn`)
})

check('observer:sketch:default', async ({ http }) => {
  const { sketch, grid_width, grid_height } = parseSuccess(await http.get('/api/sketch'), Sketch)
  assert.deepEqual({ grid_width, grid_height }, { grid_width: 72, grid_height: 24 })
  assert.match(sketch, /\+-+/, 'no box is drawn with + and -')
  assert.match(sketch, /\|/, 'no box is drawn with |')
  assert.doesNotMatch(gridLines(sketch).join('\n'), /[┌┐└┘│]/, 'boxes are drawn with Unicode characters')
})

check('observer:sketch:names', async ({ http }) => {
  const { window_uid, bounds } = await getFrontWindow(http)
  const { tree } = await getTree(http, { window_uid })
  const { sketch } = parseSuccess(
    await http.get(`/api/sketch${toQuery({ window_uid, grid_width: 120, grid_height: 48 })}`),
    Sketch,
  )
  // Items of a closed list are in the tree, but not on the screen.
  const isFolded = (parent: Placed | undefined) => /ComboBox|Menu/.test(parent?.node.role ?? '')
  const shown = place(tree)
    .filter(({ node, parent }) => !isEmpty(node.bounds) && inside(bounds, node.bounds) && !isFolded(parent))
    .map(({ node }) => node)
    .filter((node) => node.children.length === 0 && /^\w{3,12}$/.test(node.name))
  const missing = shown.filter((node) => !sketch.includes(node.name)).map((node) => node.name)
  assert.ok(
    missing.length <= shown.length * 0.1,
    `${missing.length} of ${shown.length} names cannot be read: ${missing.join(', ')}`,
  )
})

check('observer:sketch:follows', async (context) => {
  const { http } = context
  await showScenario(context)
  const look = async () => parseSuccess(await http.get('/api/sketch'), Sketch).sketch
  await fillNameField(http)
  const before = await look()
  await actOnElement(http, 'click', { selector: 'Button[name="Save"]' })
  assert.notEqual(await look(), before, 'the sketch of another screen is the same')
})

check(
  'observer:sketch:bounded',
  async ({ http }) => {
    const startedAt = performance.now()
    const answer = await http.get(`/api/sketch${toQuery({ grid_width: 100_000_000, grid_height: 100_000_000 })}`)
    assert.ok(performance.now() - startedAt < 3000, 'it takes longer than three seconds')
    assert.ok(answer.status === 400 || answer.bytes.length < 10_000_000, `it answers ${answer.bytes.length} bytes`)
  },
  { pool: 'dangerous' },
)

check('observer:description:index', async ({ http }) => {
  for (const { index, title } of await getWindows(http)) {
    const { accessibility } = parseSuccess(
      await http.get(`/api/description${toQuery({ window_index: index })}`),
      Description,
    )
    assert.ok(accessibility.includes(title), `window_index=${index} describes another window than "${title}"`)
  }
})

check('observer:description:once', async (context) => {
  await showScenario(context)
  const { accessibility } = parseSuccess(await context.http.get('/api/description'), Description)
  const roots = accessibility.split('\n').filter((line) => /\bWindow\s+"Desk"/.test(line))
  assert.equal(roots.length, 1, `the root is there ${roots.length} times:\n${accessibility}`)
})

check('observer:sketch:window', async ({ http }) => {
  for (const { index, title } of await getWindows(http)) {
    const { window } = parseSuccess(await http.get(`/api/sketch${toQuery({ window_index: index })}`), Sketch)
    assert.equal(window, title, `window_index=${index}`)
  }
})
