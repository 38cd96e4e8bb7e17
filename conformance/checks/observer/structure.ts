import assert from 'node:assert/strict'
import { hashTree, inside, isEmpty, nodesOf, overlap, withoutHashes } from '../../compare/tree.ts'
import {
  fillNameField,
  getFrontWindow,
  getTree,
  getWindows,
  parseSuccess,
  showScenario,
  toQuery,
} from '../../observer/driver.ts'
import { LegacyRefusal, Monitors, type Node, Structure } from '../../observer/shapes.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

check('observer:structure:count', async ({ http }) => {
  for (const { window_uid } of await getWindows(http)) {
    const { tree, element_count, node_count } = await getTree(http, { window_uid })
    const nodes = nodesOf(tree).length
    assert.equal(node_count, nodes)
    assert.equal(element_count, nodes)
  }
})

check('observer:structure:window', async (context) => {
  if (context.profile.has('scenarios')) await showScenario(context)
  const { http } = context
  for (const { index, window_uid, title } of await getWindows(http)) {
    const byIndex = await getTree(http, { window_index: index })
    const byUid = await getTree(http, { window_uid })
    for (const found of [byIndex, byUid]) {
      assert.equal(found.window_uid, window_uid)
      assert.equal(found.window, title)
      assert.equal(found.tree_hash, byIndex.tree_hash)
    }
  }
})

check('observer:structure:default', async ({ http }) => {
  const front = await getFrontWindow(http)
  assert.equal((await getTree(http)).window_uid, front.window_uid)
})

check('observer:structure:ids', async ({ http }) => {
  for (const { window_uid } of await getWindows(http)) {
    const ids = nodesOf((await getTree(http, { window_uid })).tree).map((node) => node.id)
    assert.deepEqual(
      ids.filter((id, place) => ids.indexOf(id) !== place),
      [],
      'an id repeats',
    )
  }
})

check('observer:structure:bounds', async ({ http }) => {
  for (const window of await getWindows(http)) {
    const { tree } = await getTree(http, { window_uid: window.window_uid })
    assert.ok(inside(window.bounds, tree.bounds), `the root of "${window.title}" sticks out of its window`)
  }
})

check('observer:structure:focus', async ({ http }) => {
  for (const { window_uid } of await getWindows(http)) {
    const focused = nodesOf((await getTree(http, { window_uid })).tree).filter((node) => node.focused)
    assert.ok(focused.length <= 1, `${focused.length} elements are focused`)
  }
})

check('observer:structure:bad-index', async ({ http }) => {
  for (const window_index of ['abc', '1.5', '1e']) {
    const answer = await http.get(`/api/structure${toQuery({ window_index })}`)
    assert.equal(answer.status, 400, `window_index=${window_index} answers ${answer.status}`)
    answer.json(LegacyRefusal)
  }
})

check('observer:structure:large-index', async ({ http }) => {
  const front = await getFrontWindow(http)
  assert.equal((await getTree(http, { window_index: 999 })).window_uid, front.window_uid)
})

check('observer:structure:hash', async ({ http }) => {
  for (const { window_uid } of await getWindows(http)) {
    const { tree, tree_hash } = await getTree(http, { window_uid })
    assert.equal(tree_hash, hashTree(tree))
  }
})

/** A window with its whole tree and the same tree through filters. */
async function filtered({ http }: TestContext, filters: Readonly<Record<string, string | number | boolean>>) {
  const { window_uid } = await getFrontWindow(http)
  const whole = await getTree(http, { window_uid })
  const answer = await http.get(`/api/structure${toQuery({ window_uid, depth: 64, prune_empty: true, ...filters })}`)
  const { tree, node_count } = parseSuccess(answer, Structure)
  const left = tree ? nodesOf(tree) : []
  assert.equal(node_count, left.length)
  return { whole: nodesOf(whole.tree), left, leaves: left.filter((node) => node.children.length === 0) }
}

const idsOf = (nodes: readonly Node[]) => nodes.map((node) => node.id).sort()

check('observer:structure:roles', async (context) => {
  const { tree } = await getTree(context.http)
  const roles = [
    ...new Set(
      nodesOf(tree)
        .slice(1)
        .map((node) => node.role),
    ),
  ]
  const wanted = context.random.shuffle(roles).slice(0, 2)
  const { whole, left } = await filtered(context, { roles: wanted.join(',') })
  const kept = whole.filter((node) => wanted.includes(node.role))
  const expected = whole.filter((node) => nodesOf(node).some((below) => kept.includes(below)))
  assert.deepEqual(idsOf(left), idsOf(expected))
})

check('observer:structure:exclude-roles', async (context) => {
  const { tree } = await getTree(context.http)
  const leaves = nodesOf(tree).filter((node) => node.children.length === 0)
  const { role } = context.random.pick(leaves)
  const { whole, left } = await filtered(context, { exclude_roles: role })
  const expected = whole.filter((node) => nodesOf(node).some((below) => below.role !== role))
  assert.deepEqual(idsOf(left), idsOf(expected))
})

check('observer:structure:name-regex', async (context) => {
  const { tree } = await getTree(context.http)
  const named = nodesOf(tree).filter((node) => /^\w{3,}/.test(node.name))
  const start = context.random.pick(named).name.slice(0, 3)
  const { whole, left } = await filtered(context, { name_regex: `^${start}` })
  const expected = whole.filter((node) => nodesOf(node).some((below) => below.name.startsWith(start)))
  assert.deepEqual(idsOf(left), idsOf(expected))
})

check('observer:structure:visible-only', async (context) => {
  const { leaves } = await filtered(context, { visible_only: true })
  const { monitors } = parseSuccess(await context.http.get('/api/monitors'), Monitors)
  assert.ok(leaves.length > 0, 'no element is left')
  for (const { name, bounds } of leaves) {
    assert.ok(!isEmpty(bounds), `"${name}" is empty`)
    if (monitors.length > 0)
      assert.ok(
        monitors.some((monitor) => overlap(monitor.bounds, bounds)),
        `"${name}" lies off the screen`,
      )
  }
})

check('observer:structure:max-text', async ({ http }) => {
  const { window_uid } = await getFrontWindow(http)
  const { tree } = await getTree(http, { window_uid })
  const cut = nodesOf((await getTree(http, { window_uid, max_text_len: 5 })).tree)
  nodesOf(tree).forEach((node, place) => {
    for (const field of ['name', 'value'] as const) {
      const whole = node[field]
      const short = cut[place]![field]
      if (whole === null || [...whole].length <= 5) assert.equal(short, whole)
      else assert.ok(short?.startsWith(whole.slice(0, 5)) && [...short].length <= 6, `${field} is ${short}`)
    }
  })
})

check('observer:structure:pages', async ({ http, random }) => {
  const { window_uid } = await getFrontWindow(http)
  const whole = nodesOf((await getTree(http, { window_uid })).tree)
  const max_nodes = random.int(2, Math.max(2, Math.floor(whole.length / 2)))
  const seen: Node[] = []
  let page_cursor: string | undefined
  do {
    const answer = await http.get(`/api/structure${toQuery({ window_uid, depth: 64, max_nodes, page_cursor })}`)
    const { tree, next_cursor, truncated } = parseSuccess(answer, Structure)
    const page = tree ? nodesOf(tree).filter((node) => node.id !== 'page-root') : []
    assert.ok(page.length <= max_nodes, `a page holds ${page.length} nodes`)
    assert.equal(truncated, next_cursor !== null, 'truncated and next_cursor disagree')
    seen.push(...page)
    assert.ok(seen.length <= whole.length, 'the pages repeat nodes')
    page_cursor = next_cursor ?? undefined
  } while (page_cursor !== undefined)
  const flat = (nodes: readonly Node[]) => nodes.map((node) => ({ ...withoutHashes(node), children: [] }))
  assert.deepEqual(flat(seen), flat(whole))
})

check('observer:structure:nonsense', async ({ http }) => {
  for (const parameters of [{ max_nodes: 0 }, { max_nodes: -1 }, { max_text_len: -1 }]) {
    const { status } = await http.get(`/api/structure${toQuery(parameters)}`)
    assert.equal(status, 400, `${JSON.stringify(parameters)} answers ${status}`)
  }
})

check('observer:structure:filters-alone', async (context) => {
  await showScenario(context)
  const { http } = context
  const leavesOf = async (parameters: Parameters<typeof toQuery>[0]) =>
    nodesOf((await getTree(http, parameters)).tree).filter(({ children }) => children.length === 0)
  const without = await leavesOf({ exclude_roles: 'Button' })
  assert.ok(!without.some(({ role }) => role === 'Button'), 'exclude_roles leaves Buttons in the tree')
  const only = await leavesOf({ roles: 'Button' })
  assert.ok(!only.some(({ role }) => role === 'ListItem'), 'roles=Button leaves items of lists in the tree')
})

check('observer:structure:stale-cursor', async (context) => {
  await showScenario(context)
  const { http } = context
  const page = (page_cursor?: string) => http.get(`/api/structure${toQuery({ max_nodes: 5, page_cursor })}`)
  const { next_cursor } = parseSuccess(await page(), Structure)
  assert.ok(next_cursor, 'prerequisite: one page holds the whole tree')
  await fillNameField(http, context.random.word())
  const answer = await page(next_cursor)
  assert.ok(answer.status >= 400, `the cursor of another tree is followed: ${answer.text.slice(0, 200)}`)
})
