import assert from 'node:assert/strict'
import { nodesOf } from '../../compare/tree.ts'
import { Found } from '../../contract/observer-shapes.ts'
import { notOffered } from '../../probe/failure.ts'
import type { Http } from '../../probe/http.ts'
import { check } from '../check.ts'
import { act, findIn, load, query, read, treeOf } from './client.ts'

/** The names of what a selector finds, in alphabetical order. */
async function namesFound(http: Http, selector: string): Promise<readonly string[]> {
  const { all_matches } = await findIn(http, selector)
  return all_matches.map(({ name }) => name).sort()
}

check('observer:selector:steps', async (bench) => {
  await load(bench, 'edges')
  const { http } = bench
  const odd = 'In/Out > all'
  for (const [selector, names] of [
    ['Pane[name="Inner pane"] Button[name="Inner"]', ['Inner', 'Inner']],
    ['Window[name="Edges"] > Button[name="Gray"]', ['Gray']],
    ['Window[name="Edges"]/Pane[name="Inner pane"]/Button', ['Inner', 'Inner']],
    [`Window/Button[name="${odd}"]`, [odd]],
    [`Window > Button[name="${odd}"]`, [odd]],
    [`Window Button[name="${odd}"]`, [odd]],
  ] as const)
    assert.deepEqual(await namesFound(http, selector), names, selector)
})

check('observer:selector:quoted', async (bench) => {
  await load(bench, 'edges')
  const selector = '//Button[enabled="false"]'
  const answer = await bench.http.get(`/api/find_element${query({ selector })}`)
  if (answer.status !== 200) return
  const found = read(answer, Found).all_matches.map(({ name }) => name)
  assert.ok(!found.includes('In/Out > all'), `${selector} finds a button that is enabled`)
})

check('observer:selector:selected', async (bench) => {
  await load(bench, 'edges')
  const { http } = bench
  await act(http, 'click', { selector: 'CheckBox[name="Box"]' })
  const isSelected = (node: object) => 'selected' in node && node.selected === true
  const selected = nodesOf((await treeOf(http)).tree).filter(isSelected)
  if (selected.length === 0) notOffered('no tree tells what is selected')
  const { all_matches } = await findIn(http, '//CheckBox[selected=true]')
  assert.deepEqual(
    all_matches.map(({ element_id }) => element_id),
    selected.map(({ id }) => id),
  )
})
