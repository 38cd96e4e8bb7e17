import assert from 'node:assert/strict'
import { type Placed, place, roleIndex } from '../../compare/tree.ts'
import {
  assertRefusal,
  findElement,
  getFrontWindow,
  getTree,
  getWindows,
  parseSuccess,
  showScenario,
  toQuery,
} from '../../observer/driver.ts'
import { FoundElement, type Node } from '../../observer/shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

/** Roles and names that a selector can spell without any escape. */
const isPlain = (node: Node) => /^\w+$/.test(node.role) && /^[\w .:,-]{1,60}$/.test(node.name)

/** Loads the suite's scenario when the profile has one, else uses the current screen. */
async function anyTree(context: TestContext): Promise<{ readonly uid: string; readonly placed: readonly Placed[] }> {
  if (context.profile.has('scenarios')) await showScenario(context)
  const { window_uid } = await getFrontWindow(context.http)
  return { uid: window_uid, placed: place((await getTree(context.http, { window_uid })).tree) }
}

/** Fails unless the selector finds exactly the expected nodes, in any order. No expected node means ElementNotFound. */
async function assertFinds(
  context: TestContext,
  uid: string,
  selector: string,
  expected: readonly Placed[],
): Promise<void> {
  const answer = await context.http.get(`/api/find_element${toQuery({ selector, window_uid: uid })}`)
  if (expected.length === 0) return void assertRefusal(answer, 'ElementNotFound')
  const { all_matches, ambiguous_matches } = parseSuccess(answer, FoundElement)
  const ids = expected.map(({ node }) => node.id)
  const found = all_matches.map((match) => match.element_id)
  // Servers may list only the first matches; the reference server lists ten.
  if (ids.length <= 10) assert.deepEqual([...found].sort(), [...ids].sort(), `${selector} finds other elements`)
  for (const id of found) assert.ok(ids.includes(id), `${selector} finds ${id}`)
  assert.ok(ambiguous_matches === ids.length || ids.length > 10, `${selector} counts ${ambiguous_matches} matches`)
}

/** A few nodes of a tree that pass, chosen by the seed. */
function some(
  { random }: TestContext,
  placed: readonly Placed[],
  passes: (one: Placed) => boolean,
  count = 4,
): readonly Placed[] {
  const chosen = random.shuffle(placed.filter(passes)).slice(0, count)
  return chosen.length > 0 ? chosen : fail('prerequisite: no element of the screen is suitable')
}

const below = (root: Placed, placed: readonly Placed[]) =>
  placed.filter(
    (one) => one !== root && one.path.length > root.path.length && root.path.every((step, at) => one.path[at] === step),
  )

check('observer:find:element', async (context) => {
  const { uid, placed } = await anyTree(context)
  for (const { node } of some(context, placed, ({ node, parent }) => parent !== undefined && isPlain(node))) {
    const found = await findElement(context.http, `//${node.role}[name="${node.name}"]`, uid)
    assert.equal(found.window_uid, uid)
    const same = placed.find((one) => one.node.id === found.element_id)
    assert.deepEqual(found.bounds, same?.node.bounds)
    assert.deepEqual([same?.node.role, same?.node.name], [node.role, node.name])
  }
})

check('observer:find:matches', async (context) => {
  const { uid, placed } = await anyTree(context)
  for (const { node } of some(context, placed, ({ node, parent }) => parent !== undefined && isPlain(node))) {
    const found = await findElement(context.http, `//${node.role}`, uid)
    const count = placed.filter((one) => one.parent && one.node.role === node.role).length
    assert.equal(found.all_matches[0]!.element_id, found.element_id)
    assert.ok(
      found.ambiguous_matches === count || count > 10,
      `${count} ${node.role} counted as ${found.ambiguous_matches}`,
    )
  }
})

check('observer:find:canonical', async (context) => {
  const { uid, placed } = await anyTree(context)
  for (const { node } of some(context, placed, ({ node, parent }) => parent !== undefined && isPlain(node), 6)) {
    const found = await findElement(context.http, `${placed[0]!.node.role} ${node.role}[name="${node.name}"]`, uid)
    assert.equal((await findElement(context.http, found.selector, uid)).element_id, found.element_id, found.selector)
  }
})

check('observer:find:missing', async ({ http }) => {
  assertRefusal(await http.get('/api/find_element'), 'BadRequest')
})

check('observer:find:invalid', async ({ http }) => {
  for (const selector of ['Button[', 'Button[name=]', 'Button[name="a"', '[[]]'])
    assertRefusal(await http.get(`/api/find_element${toQuery({ selector })}`), 'BadRequest')
})

check('observer:selector:path', async (context) => {
  const { uid, placed } = await anyTree(context)
  const deep = some(context, placed, ({ path, node }) => path.length >= 2 && isPlain(node))
  for (const roles of deep.flatMap(waysTo)) await assertFinds(context, uid, roles.join('/'), sameRoles(placed, roles))
})

check('observer:selector:child', async (context) => {
  const { uid, placed } = await anyTree(context)
  const deep = some(context, placed, ({ path, node }) => path.length >= 2 && isPlain(node))
  for (const roles of deep.flatMap(waysTo)) await assertFinds(context, uid, roles.join(' > '), sameRoles(placed, roles))
})

const rolesTo = (one: Placed): readonly string[] =>
  one.parent ? [...rolesTo(one.parent), one.node.role] : [one.node.role]
/** The roles on the way to an element, and the same without a generation, which lead elsewhere or nowhere. */
const waysTo = (one: Placed): readonly (readonly string[])[] => [rolesTo(one), rolesTo(one).toSpliced(1, 1)]
const sameRoles = (placed: readonly Placed[], roles: readonly string[]) =>
  placed.filter((one) => JSON.stringify(rolesTo(one)) === JSON.stringify(roles))

check('observer:selector:descendant', async (context) => {
  const { uid, placed } = await anyTree(context)
  const root = placed[0]!
  for (const { node } of some(context, placed, ({ path, node }) => path.length >= 2 && isPlain(node)))
    await assertFinds(
      context,
      uid,
      `${root.node.role} ${node.role}`,
      below(root, placed).filter((one) => one.node.role === node.role),
    )
})

/** Checks `//*[predicate]` against the nodes the predicate means. */
async function assertPredicate(
  context: TestContext,
  predicate: (one: Placed) => string,
  means: (node: Node, like: Node) => boolean,
) {
  const { uid, placed } = await anyTree(context)
  for (const like of some(context, placed, ({ node, parent }) => parent !== undefined && isPlain(node), 5))
    await assertFinds(
      context,
      uid,
      `//${like.node.role}${predicate(like)}`,
      below(placed[0]!, placed).filter((one) => one.node.role === like.node.role && means(one.node, like.node)),
    )
}

check('observer:selector:name', async (context) => {
  await assertPredicate(
    context,
    ({ node }) => `[name="${node.name}"]`,
    (node, like) => node.name === like.name,
  )
  await assertPredicate(
    context,
    ({ node }) => `[name="${node.name.slice(1)}"]`,
    (node, like) => node.name === like.name.slice(1),
  )
})

check('observer:selector:name-regex', async (context) => {
  await assertPredicate(
    context,
    ({ node }) => `[name~="${node.name.slice(0, 2)}.*"]`,
    (node, like) => node.name.startsWith(like.name.slice(0, 2)),
  )
  await assertPredicate(
    context,
    ({ node }) => `[name~="${node.name.slice(0, 2)}"]`,
    (node, like) => node.name === like.name.slice(0, 2),
  )
})

check('observer:selector:value', async (context) => {
  const { uid, placed } = await anyTree(context)
  const isValue = ({ node }: Placed) => /^[\w .]{1,60}$/.test(node.value ?? '')
  for (const { node } of some(context, placed, isValue))
    await assertFinds(
      context,
      uid,
      `//${node.role}[value="${node.value}"]`,
      placed.filter((one) => one.parent && one.node.role === node.role && one.node.value === node.value),
    )
})

check('observer:selector:value-regex', async (context) => {
  const { uid, placed } = await anyTree(context)
  const isValue = ({ node }: Placed) => /^\w{2}[\w ]{0,60}$/.test(node.value ?? '')
  for (const { node } of some(context, placed, isValue)) {
    const start = node.value!.slice(0, 2)
    const like = (fits: (value: string) => boolean) =>
      placed.filter((one) => one.parent && one.node.role === node.role && fits(one.node.value ?? ''))
    const whole = like((value) => value.startsWith(start) && !value.includes('\n'))
    await assertFinds(context, uid, `//${node.role}[value~="${start}.*"]`, whole)
    const part = like((value) => value === start)
    await assertFinds(context, uid, `//${node.role}[value~="${start}"]`, part)
  }
})

check('observer:selector:mixed', async (context) => {
  const { uid, placed } = await anyTree(context)
  const root = placed[0]!
  const isDeep = ({ path, node }: Placed) => path.length >= 2 && isPlain(node) && /^\w{2}/.test(node.name)
  for (const { node, path } of some(context, placed, isDeep)) {
    const child = placed.find((one) => one.path.length === 1 && one.path[0] === path[0])!
    if (!/^\w+$/.test(child.node.role)) continue
    const start = node.name.slice(0, 2)
    const holders = placed.filter((one) => one.path.length === 1 && one.node.role === child.node.role)
    const expected = holders
      .flatMap((holder) => below(holder, placed))
      .filter((one) => one.node.role === node.role && one.node.name.startsWith(start))
    const selector = `${root.node.role} > ${child.node.role} ${node.role}[name~="${start}.*"]`
    await assertFinds(context, uid, selector, expected)
  }
})

check('observer:selector:role', async (context) => {
  const { uid, placed } = await anyTree(context)
  for (const { node } of some(context, placed, ({ node, parent }) => parent !== undefined && isPlain(node)))
    await assertFinds(
      context,
      uid,
      `//*[role="${node.role}"]`,
      placed.filter((one) => one.parent && one.node.role === node.role),
    )
})

check('observer:selector:shortcut', async (context) => {
  const { uid, placed } = await anyTree(context)
  const shortcuts = ['ctrl+shift+f12', ...placed.flatMap(({ node }) => node.keyboard_shortcut ?? [])]
  for (const shortcut of new Set(shortcuts))
    await assertFinds(
      context,
      uid,
      `//*[keyboard_shortcut="${shortcut}"]`,
      placed.filter((one) => one.parent && one.node.keyboard_shortcut === shortcut),
    )
})

check('observer:selector:enabled', async (context) => {
  for (const enabled of [true, false])
    await assertPredicate(
      context,
      () => `[enabled=${enabled}]`,
      (node) => node.enabled === enabled,
    )
})

check('observer:selector:focused', async (context) => {
  for (const focused of [true, false])
    await assertPredicate(
      context,
      () => `[focused=${focused}]`,
      (node) => node.focused === focused,
    )
})

/** Checks a selector for the n-th sibling of a role against the tree. */
async function assertPlaces(context: TestContext, spell: (role: string, index: number) => string): Promise<void> {
  const { uid, placed } = await anyTree(context)
  const root = placed[0]!.node.role
  for (const one of some(context, placed, ({ node, parent }) => parent !== undefined && isPlain(node), 6)) {
    const index = roleIndex(one)
    await assertFinds(
      context,
      uid,
      `${root} ${spell(one.node.role, index)}`,
      placed.filter((other) => other.parent && other.node.role === one.node.role && roleIndex(other) === index),
    )
  }
}

check('observer:selector:index', (context) => assertPlaces(context, (role, index) => `${role}[index=${index}]`))
check('observer:selector:nth', (context) => assertPlaces(context, (role, index) => `${role}:nth-of-type(${index + 1})`))

check('observer:find:counts-all', async (context) => {
  const { uid, placed } = await anyTree(context)
  const { ambiguous_matches } = await findElement(context.http, '//*', uid)
  assert.equal(ambiguous_matches, placed.length - 1, 'elements of the window below its root')
})

check('observer:find:unknown-pseudo', async (context) => {
  const { uid } = await anyTree(context)
  for (const pseudo of [':not(Button)', ':nth-child(2)', `:${context.random.word()}(1)`]) {
    const answer = await context.http.get(
      `/api/find_element${toQuery({ selector: `Window Edit${pseudo}`, window_uid: uid })}`,
    )
    assert.ok([400, 404].includes(answer.status), `${pseudo} is passed over: ${answer.text.slice(0, 200)}`)
  }
})

check('observer:find:quotes', async (context) => {
  await showScenario(context)
  const { tree } = await getTree(context.http)
  const quoted = tree.children.find(({ name }) => name.includes('"') && name.includes('\\'))
  const { id, role, name } = quoted ?? fail('prerequisite: no name has a quote and a backslash')
  const spelt = `//${role}[name="${name.replaceAll(/[\\"]/g, '\\$&')}"]`
  const found = await findElement(context.http, spelt)
  assert.equal(found.element_id, id, spelt)
  assert.equal((await findElement(context.http, found.selector)).element_id, id, found.selector)
})

check('observer:find:window', async ({ http }) => {
  for (const { index, window_uid } of await getWindows(http)) {
    const { tree } = await getTree(http, { window_uid })
    const selector = tree.role
    if (!/^\w+$/.test(selector)) continue
    for (const where of [{ window_uid }, { window_index: index }]) {
      const found = parseSuccess(await http.get(`/api/find_element${toQuery({ selector, ...where })}`), FoundElement)
      assert.deepEqual([found.window_uid, found.bounds], [window_uid, tree.bounds], JSON.stringify(where))
    }
  }
})
