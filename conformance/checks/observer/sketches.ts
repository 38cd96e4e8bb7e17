import assert from 'node:assert/strict'
import { inside, isEmpty, nodesOf } from '../../compare/tree.ts'
import {
  findElement,
  getFrontWindow,
  getTree,
  loadScenario,
  parseSuccess,
  showScenario,
  toQuery,
} from '../../observer/driver.ts'
import { Sketch } from '../../observer/shapes.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { check } from '../check.ts'

const draw = async (http: HttpProbe, size: object = {}) =>
  parseSuccess(await http.get(`/api/sketch${toQuery({ ...size })}`), Sketch)

const NAMED: ReadonlySet<string> = new Set(['Edit', 'Button'])

check('observer:sketch:small', async (context) => {
  await showScenario(context)
  const { http } = context
  const { bounds } = await getFrontWindow(http)
  // Lists and texts may show their value instead of their name.
  const named = nodesOf((await getTree(http)).tree).filter(({ role, name }) => NAMED.has(role) && name !== '')
  const shown = named.filter((node) => !isEmpty(node.bounds) && inside(bounds, node.bounds))
  const { sketch } = await draw(http)
  const missing = shown.filter(({ name }) => !sketch.includes(name)).map(({ name }) => name)
  assert.deepEqual(missing, [], `these names cannot be read:\n${sketch}`)
})

check('observer:sketch:absent', async (context) => {
  await showScenario(context)
  for (const size of [{}, { grid_width: 160, grid_height: 60 }]) {
    const { sketch } = await draw(context.http, size)
    for (const name of ['Away', 'Empty']) assert.ok(!sketch.includes(name), `"${name}" is drawn:\n${sketch}`)
  }
})

check('observer:sketch:lines', async (context) => {
  await loadScenario(context, 'edges')
  for (const size of [
    { grid_width: 40, grid_height: 12 },
    { grid_width: 120, grid_height: 40 },
  ]) {
    const { sketch, grid_width } = await draw(context.http, size)
    const torn = sketch.split('\n').filter((line) => /^\s*(two|three)\b/.test(line))
    assert.deepEqual(torn, [], `a value continues on its own line:\n${sketch}`)
    const legend = sketch.split('\n').findIndex((line) => line.trim().startsWith('LEGEND'))
    const grid = sketch.split('\n').slice(0, legend < 0 ? undefined : legend)
    for (const line of grid) assert.ok([...line].length <= grid_width, `a line is too wide:\n${line}`)
  }
})

/** Control characters but for tab, line feed and carriage return, in any text of a value. */
function controlIn(value: unknown): string | undefined {
  if (typeof value === 'string') return CONTROL.test(value) ? JSON.stringify(value) : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inside] of Object.entries(value)) {
    const found = controlIn(key) ?? controlIn(inside)
    if (found !== undefined) return found
  }
  return undefined
}
const CONTROL = /(?![\t\n\r])\p{Cc}/u

check('observer:text:control', async (context) => {
  await loadScenario(context, 'controls')
  try {
    await assertClean(context.http)
  } finally {
    // Texts that are not shown as they are do not fit what other checks compute from them, such as hashes.
    await loadScenario(context)
  }
})

/** Fails when an answer about the screen has a control character. */
async function assertClean(http: HttpProbe): Promise<void> {
  const { element_id } = await findElement(http, 'Window/Text')
  const answers = [
    await http.get('/api/windows'),
    await http.get('/api/structure'),
    await http.get('/api/observe'),
    await http.get('/api/description'),
    await http.get(`/api/find_element${toQuery({ selector: 'Window/Text' })}`),
    await http.get(`/api/sketch${toQuery({ grid_width: 120, grid_height: 40 })}`),
    await http.get(`/api/sketch${toQuery({ grid_width: 30, grid_height: 8 })}`),
    await http.post('/api/element/click', { element_id, dry_run: true }),
    await http.post('/api/assert_state', { predicate: [{ kind: 'text_visible', regex: 'Alarm.*' }] }),
  ]
  for (const answer of answers) {
    assert.equal(answer.status, 200, `${answer.what} answers ${answer.status}`)
    const found = controlIn(answer.json())
    assert.ok(found === undefined, `${answer.what} has a control character in ${found}`)
  }
}
