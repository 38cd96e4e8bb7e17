import assert from 'node:assert/strict'
import { check } from '../../check.ts'
import { nodesOf } from '../../compare/tree.ts'
import { act, elementNamed, fillIn, load, stage, treeOf } from './desk.ts'

const has = async (http: Parameters<typeof treeOf>[0], name: string) =>
  nodesOf((await treeOf(http)).tree).some((node) => node.name === name)

check('observer:scenario:load', async (bench) => {
  const { state, states, scenario } = await load(bench)
  assert.ok(states.includes(state), `the state ${state} is none of ${states.join(', ')}`)
  assert.ok(scenario.length > 0)
  await elementNamed(bench.http, 'Save')
})

check('observer:scenario:reaction', async (bench) => {
  await stage(bench)
  const { http } = bench
  await act(http, 'click', { selector: 'Button[name="Save"]' })
  assert.equal(await has(http, 'All changes saved'), false, 'the reaction fired although its condition does not hold')
  await fillIn(http)
  assert.equal((await elementNamed(http, 'Name')).value, 'Ada')
  await act(http, 'click', { selector: 'Button[name="Save"]' })
  assert.equal(await has(http, 'All changes saved'), true, 'the reaction did not fire')
})

check('observer:scenario:reset', async (bench) => {
  await stage(bench)
  const before = await treeOf(bench.http)
  await fillIn(bench.http)
  await act(bench.http, 'click', { selector: 'Button[name="Save"]' })
  await stage(bench)
  const after = await treeOf(bench.http)
  assert.equal(after.tree_hash, before.tree_hash)
})
