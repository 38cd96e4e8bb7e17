import assert from 'node:assert/strict'
import { nodesOf } from '../../compare/tree.ts'
import { actOnElement, findElement, getTree, loadScenario, parseSuccess, toQuery } from '../../observer/driver.ts'
import { FoundElement } from '../../observer/shapes.ts'
import { notOffered } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { check } from '../check.ts'

/** The names of the elements that a selector finds, sorted. */
async function namesFound(http: HttpProbe, selector: string): Promise<readonly string[]> {
  const { all_matches } = await findElement(http, selector)
  return all_matches.map(({ name }) => name).sort()
}

check('observer:selector:steps', async (context) => {
  await loadScenario(context, 'edges')
  const { http } = context
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

check('observer:selector:quoted', async (context) => {
  await loadScenario(context, 'edges')
  const selector = '//Button[enabled="false"]'
  const answer = await context.http.get(`/api/find_element${toQuery({ selector })}`)
  if (answer.status !== 200) return
  const found = parseSuccess(answer, FoundElement).all_matches.map(({ name }) => name)
  assert.ok(!found.includes('In/Out > all'), `${selector} finds a button that is enabled`)
})

check('observer:selector:selected', async (context) => {
  await loadScenario(context, 'edges')
  const { http } = context
  await actOnElement(http, 'click', { selector: 'CheckBox[name="Box"]' })
  const isSelected = (node: object) => 'selected' in node && node.selected === true
  const selected = nodesOf((await getTree(http)).tree).filter(isSelected)
  if (selected.length === 0) notOffered('no tree reports the selected state')
  const { all_matches } = await findElement(http, '//CheckBox[selected=true]')
  assert.deepEqual(
    all_matches.map(({ element_id }) => element_id),
    selected.map(({ id }) => id),
  )
})
