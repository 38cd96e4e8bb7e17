import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertStatus, fail } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { defineRules } from '../../suite/rules.ts'
import { forEachWithKey, type SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import {
  actOnElement,
  fillNameField,
  getElementByName,
  getFrontWindow,
  getTree,
  getValue,
  getWindows,
  loadScenario,
  parseSuccess,
  showScenario,
  toQuery,
  tryLoadScenario,
} from '../driver.ts'
import { acceptRefused, hasInBody, onRequestBody, onSuccessOf } from '../sabotage.ts'
import { CODES, Refusal, ScenarioLoaded } from '../shapes.ts'
import { nodesOf } from '../tree.ts'

const has = async (http: HttpProbe, name: string) =>
  nodesOf((await getTree(http)).tree).some((node) => node.name === name)

const press = (http: HttpProbe, name: string, more: object = {}) =>
  actOnElement(http, 'click', { selector: `Button[name="${name}"]`, ...more })

const typed = async (http: HttpProbe, text: string) => {
  await actOnElement(http, 'click', { selector: 'Edit[name="Field"]' })
  parseSuccess(await http.post('/api/action', { action: 'type', value: text }), z.looseObject({}))
}

/** The window of that title. */
const titled = async (http: HttpProbe, title: string): Promise<string> =>
  (await getWindows(http)).find((window) => window.title === title)?.window_uid ??
  fail(`prerequisite: no window is called "${title}"`)

/** Fails when a loaded scenario cannot be looked at. */
async function assertPlayed(context: TestContext, name: string, title: string): Promise<void> {
  const loaded = await tryLoadScenario(context, name)
  if (loaded.status === CODES.ScenarioInvalid) return
  assertStatus(loaded, 200, `${name}.yaml is neither loaded nor ScenarioInvalid`)
  loaded.json(ScenarioLoaded)
  const { http } = context
  assert.equal((await getFrontWindow(http)).title, title, `${name}.yaml is loaded, and something else is on the screen`)
  const looks = ['structure', 'observe', 'description', `find_element${toQuery({ selector: '//Button' })}`]
  for (const look of looks) {
    assertStatus(await http.get(`/api/${look}`), 200, `${name}.yaml is loaded, and`)
  }
  await actOnElement(http, 'click', { selector: '//Button', dry_run: true })
}

/** A click on a button is done in a dry run. */
const ignoresClicks = (name: string): SabotageBehavior =>
  onRequestBody((body) => {
    if (String(body.selector).includes(`"${name}"`)) body.dry_run = true
  })

/** Scenarios. */
export const scenarioRules = defineRules('scenario', ['scenario:load'], {
  load: {
    level: 'MUST',
    text: 'A loaded scenario starts in its initial state, which is one of its states.',
    source: sources.scenario,
    basis: { states: 'Loading answers with the scenario, its state and its states; initial_state names the first.' },
    covers: ['O-E38'],
    tier: 'full',
    check: async (context) => {
      const { state, states, scenario } = await loadScenario(context)
      assert.ok(states.includes(state), `the state ${state} is not one of ${states.join(', ')}`)
      assert.ok(scenario.length > 0, 'the scenario has no name')
      await getElementByName(context.http, 'Save')
    },
    sabotage: {
      'starts in another state': onSuccessOf('POST /api/scenario/load', (json) => {
        json.state = 'other'
      }),
    },
  },

  reaction: {
    level: 'MUST',
    text: 'Reactions set values and change the state when their conditions hold, and only then.',
    source: sources.scenario,
    basis: {
      states:
        'Reactions fire in the order of declaration when on and when hold; set and transition_to define their effect.',
    },
    covers: ['O-R8', 'O-E38'],
    tier: 'full',
    needs: ['scenario:reset'],
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      await actOnElement(http, 'click', { selector: 'Button[name="Save"]' })
      assert.equal(
        await has(http, 'All changes saved'),
        false,
        'the reaction fired although its condition does not hold',
      )
      await fillNameField(http)
      assert.equal((await getElementByName(http, 'Name')).value, 'Ada', 'the value of Name')
      await actOnElement(http, 'click', { selector: 'Button[name="Save"]' })
      assert.equal(await has(http, 'All changes saved'), true, 'the reaction did not fire')
    },
    sabotage: {
      'types nothing': onRequestBody((body) => {
        if (body.action === 'type') body.value = ''
      }),
    },
  },

  reset: {
    level: 'MUST',
    text: 'Loading again starts from the beginning.',
    source: sources.scenario,
    basis: { states: 'Loading answers with the state, which is initial_state.' },
    covers: ['O-E38'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const before = await getTree(context.http)
      await fillNameField(context.http)
      await actOnElement(context.http, 'click', { selector: 'Button[name="Save"]' })
      await showScenario(context)
      const after = await getTree(context.http)
      assert.equal(after.tree_hash, before.tree_hash, 'tree_hash after the call')
    },
    sabotage: {
      'loads without starting again': loadOnce(),
    },
  },

  stays: {
    level: 'SHOULD',
    text: 'A scenario that cannot be loaded leaves the old one on the screen.',
    source: sources.scenario,
    basis: { because: 'The document does not specify the screen after a failed load.' },
    covers: ['O-E38', 'O-X14'],
    tier: 'full',
    check: async (context) => {
      await loadScenario(context)
      const before = await getTree(context.http)
      await context.http.post('/api/scenario/load', { path: `no-such-${context.random.word()}.yaml` })
      assert.equal(
        (await getTree(context.http)).tree_hash,
        before.tree_hash,
        'the previous scenario is no longer loaded',
      )
    },
    sabotage: {
      'clears the screen for a scenario it cannot load': clearsScreen(),
    },
  },

  spellings: {
    level: 'MUST',
    text: 'on, match and a key that is true introduce reactions alike.',
    source: sources.scenario,
    basis: { states: 'on, match and true, which is what YAML 1.1 makes of on, are all accepted.' },
    covers: ['O-R8'],
    tier: 'full',
    needs: ['scenario:reset'],
    check: async (context) => {
      await loadScenario(context, 'reactions')
      for (const name of ['First', 'Second', 'Third']) {
        await press(context.http, name)
        assert.equal(await getValue(context.http, 'Log'), `clicked ${name.toLowerCase()}`, 'the value of Log')
      }
    },
    sabotage: {
      'knows one spelling of reactions': ignoresClicks('Second'),
    },
  },

  first: {
    level: 'MUST',
    text: 'Of several reactions that fit, the first of the file fires, and no other.',
    source: sources.scenario,
    basis: { states: 'Reactions fire in declaration order; the first match wins.' },
    covers: ['O-R8'],
    tier: 'full',
    needs: ['scenario:reaction'],
    check: async (context) => {
      await loadScenario(context, 'reactions')
      await typed(context.http, 'hello you')
      const value = await getValue(context.http, 'Field')
      assert.notEqual(value, 'never', 'the second reaction that fits has fired')
      assert.ok(value?.startsWith('greeted'), `the first reaction that fits has not fired: "${value}"`)
    },
    sabotage: {
      'lets the last reaction win': sees('greeted', 'never'),
    },
  },

  group: {
    level: 'MUST',
    text: '{text} is the first group of text_regex.',
    source: sources.scenario,
    basis: { states: '{text} is the first capture group of text_regex.' },
    covers: ['O-R8'],
    tier: 'full',
    needs: ['scenario:reaction'],
    check: async (context) => {
      await loadScenario(context, 'reactions')
      const word = context.random.word()
      await typed(context.http, `hello ${word}`)
      assert.equal(await getValue(context.http, 'Field'), `greeted ${word}`, 'the value of Field')
    },
    sabotage: {
      'fills in the whole text': sees('greeted ', 'greeted hello '),
    },
  },

  'all-conditions': {
    level: 'MUST',
    text: 'A reaction fires only when all its conditions hold, value and value_not_empty alike.',
    source: sources.scenario,
    basis: { states: 'when is a list of conditions on the value of an id, or that it is not empty.' },
    covers: ['O-R8'],
    tier: 'full',
    needs: ['scenario:reaction'],
    check: async (context) => {
      await loadScenario(context, 'reactions')
      const { http } = context
      const sleeps = async () => {
        await actOnElement(http, 'click', { selector: 'Text' })
        return has(http, 'Asleep')
      }
      await press(http, 'First')
      assert.equal(await sleeps(), false, 'it fires although a field is empty')
      await press(http, 'Second')
      await typed(http, 'hello you')
      assert.equal(await sleeps(), false, 'it fires although a value is another')
      await press(http, 'First')
      assert.equal(await sleeps(), true, 'it does not fire although both conditions hold')
    },
    sabotage: {
      'fires when one condition holds': sees('"name":"Plain"', '"name":"Asleep"'),
    },
  },

  windows: {
    level: 'MUST',
    text: 'Reactions name and set elements of any window of the state.',
    source: sources.scenario,
    basis: { states: 'A state has windows; target_id and the id of set name their elements.' },
    covers: ['O-R8'],
    tier: 'full',
    needs: ['scenario:reset'],
    check: async (context) => {
      await loadScenario(context, 'reactions')
      const window_uid = await titled(context.http, 'Rear')
      await press(context.http, 'There', { window_uid })
      const { tree } = await getTree(context.http, { window_uid })
      assert.equal(nodesOf(tree).find(({ name }) => name === 'Far')?.value, 'clicked there', 'the value of Far')
    },
    sabotage: {
      'plays in the first window only': sees('clicked there', 'untouched'),
    },
  },

  'same-place': {
    level: 'SHOULD',
    text: 'A click in one window sets off no reaction of an element at the same place in another.',
    source: sources.scenario,
    basis: { because: 'The document has reactions name an element; positions in a tree repeat from window to window.' },
    covers: ['O-R8'],
    tier: 'full',
    check: async (context) => {
      await loadScenario(context, 'reactions')
      await press(context.http, 'There', { window_uid: await titled(context.http, 'Rear') })
      const { tree } = await getTree(context.http, { window_uid: await titled(context.http, 'Front') })
      const log = nodesOf(tree).find(({ name }) => name === 'Log')
      assert.equal(log?.value, 'empty', 'the reaction of an element of another window has fired')
    },
    sabotage: {
      'looks for places in the first window': sees('"value":"empty"', '"value":"clicked first"'),
    },
  },

  nowhere: {
    level: 'SHOULD',
    text: 'A click outside all windows triggers no reaction to clicks on elements.',
    source: sources.scenario,
    basis: {
      because: 'The document does not cover it; a reaction without a target concerns any element, and none was hit.',
    },
    covers: ['O-R8', 'O-E6'],
    tier: 'full',
    check: async (context) => {
      await loadScenario(context, 'edges')
      const { http } = context
      parseSuccess(await http.post('/api/action', { action: 'click_at', x: 20, y: 20 }), z.looseObject({}))
      assert.equal(
        await getValue(http, 'Clicks'),
        'none',
        'a click outside all windows counts as a click on an element',
      )
    },
    sabotage: {
      'clicks something everywhere': sees('"value":"none"', '"value":"some"'),
    },
  },

  dangling: {
    level: 'SHOULD',
    text: 'A scenario that names a state it does not have, or bounds with a missing member, is ScenarioInvalid.',
    source: sources.scenario,
    basis: {
      because:
        'The document does not specify the validation; otherwise such a scenario fails later, far from the cause.',
    },
    covers: ['O-E38', 'O-X14'],
    tier: 'full',
    check: async (context) => {
      for (const name of ['initial', 'transition', 'bounds']) {
        const answer = await tryLoadScenario(context, `broken/${name}`)
        assertStatus(answer, CODES.ScenarioInvalid, `broken/${name}.yaml`)
        assert.equal(answer.json(Refusal).error.code, 'ScenarioInvalid', 'code')
      }
    },
    sabotage: {
      'plays what leads nowhere': acceptRefused('ScenarioInvalid', hasInBody('broken/transition')),
    },
  },

  scalars: {
    level: 'SHOULD',
    text: 'Numbers, dates and yes without quotes are texts, or the scenario is ScenarioInvalid.',
    source: sources.scenario,
    basis: { because: 'The document does not cover them; answering 500 to every observation is neither.' },
    covers: ['O-E38', 'O-X14'],
    tier: 'full',
    check: async (context) => {
      await assertPlayed(context, 'broken/scalars', '2024')
    },
    sabotage: {
      'crashes on numbers': {
        changeResponse: (response) => {
          if (/"window":"2024"/.test(response.body.toString())) response.status = 500
        },
      },
    },
  },

  deep: {
    level: 'SHOULD',
    text: 'A tree of twelve hundred levels is played, or it is ScenarioInvalid.',
    source: sources.scenario,
    basis: { because: 'The document sets no limit; a server that runs out of stack is neither.' },
    covers: ['O-E38', 'O-X14'],
    tier: 'full',
    pool: 'dangerous',
    check: async (context) => {
      await assertPlayed(context, 'broken/deep', 'Deep')
      await loadScenario(context)
    },
    sabotage: {
      'plays trees too deep to look at': {
        changeResponse: (response, request) => {
          if (!request.body.includes('broken/deep') || response.status !== 400) return
          response.status = 200
          response.json = { ok: true, scenario: 'deep', state: 'start', states: ['start'] }
        },
      },
    },
  },

  oracles: {
    level: 'MUST',
    text: 'A scenario may state the predicates of success and failure.',
    source: sources.scenario,
    basis: { states: 'oracles has predicates under success and failure.' },
    covers: ['O-E38'],
    tier: 'full',
    unchecked: 'the document has no endpoint that evaluates them or lists them',
  },
})

function loadOnce(): SabotageBehavior {
  const loaded = new Map<string, unknown>()
  let skip: unknown
  return {
    changeRequest: (request) => {
      if (request.path !== '/api/scenario/load') return
      skip = loaded.get(request.body.toString())
      if (skip !== undefined) Object.assign(request, { path: '/api/windows', method: 'GET', body: Buffer.alloc(0) })
    },
    changeResponse: (response, request) => {
      if (skip !== undefined && request.path === '/api/windows') response.json = skip
      if (request.path === '/api/scenario/load' && response.status === 200)
        loaded.set(request.body.toString(), response.json)
      skip = undefined
    },
  }
}

/** Clears the screen after a failed load. */
function clearsScreen(): SabotageBehavior {
  let cleared = false
  return {
    changeResponse: (response, request) => {
      if (request.path === '/api/scenario/load') cleared = response.status !== 200
      if (cleared)
        forEachWithKey(response.json, 'tree_hash', (holder) => {
          holder.tree_hash = 'sha1:00'
        })
    },
  }
}

/** Trees have another text. */
function sees(text: string, instead: string): SabotageBehavior {
  return {
    changeResponse: (response, request) => {
      if (!request.path.startsWith('/api/structure') || response.json === undefined) return
      response.json = JSON.parse(JSON.stringify(response.json).replaceAll(text, instead))
    },
  }
}
