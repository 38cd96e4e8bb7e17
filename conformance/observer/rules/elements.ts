import assert from 'node:assert/strict'
import * as z from 'zod'
import { center } from '../../compare/rectangle.ts'
import { assertStatus, fail } from '../../probe/failure.ts'
import { defineRules } from '../../suite/rules.ts'
import { forEachWithKey } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import {
  actOnElement,
  assertRefusal,
  getElementByName,
  getFrontWindow,
  getTree,
  getValue,
  getWindows,
  parseSuccess,
  requireCapability,
  showScenario,
  toQuery,
} from '../driver.ts'
import { acceptRefused, forceDryRun, isOnPath, onRequestBody, onSuccessOf } from '../sabotage.ts'
import { Refusal, success } from '../shapes.ts'
import { nodesOf } from '../tree.ts'

const NOTE = { selector: 'Edit[name="Note"]' }

/** The responses to a hover over a point and over an element. */
async function hovers(context: TestContext) {
  await showScenario(context)
  const shape = success({ action: z.string() })
  const point = center((await getElementByName(context.http, 'Save')).bounds)
  const over = async (body: object) =>
    parseSuccess(await context.http.post('/api/hover', { ...body, hover_ms: 10 }), shape).action
  return [await over(point), await over({ selector: 'Button[name="Save"]' })]
}

/** Actions on elements. */
export const elementRules = defineRules('element', ['scenario:reset'], {
  click: {
    level: 'MUST',
    text: 'A click makes the scenario react.',
    source: sources.receipts,
    basis: { states: 'Reactions fire after the action would have succeeded, the first that matches.' },
    covers: ['O-E10', 'O-R8'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      await actOnElement(http, 'click', { selector: 'Button[name="Open dialog"]' })
      const titles = (await getWindows(http)).map((window) => window.title)
      assert.ok(titles.includes('Question'), `the click opened no window "Question": ${titles.join(', ')}`)
    },
    sabotage: {
      'acts in no run at all': { alsoBreaks: ['element:focus'], ...forceDryRun('/api/element/click') },
    },
  },

  focus: {
    level: 'SHOULD',
    text: 'focus moves the keyboard focus to the element.',
    source: sources.receipts,
    basis: { because: 'A mock server performs no real action, so an effect without a reaction is not required.' },
    covers: ['O-E11'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      await actOnElement(context.http, 'focus', NOTE)
      const focused = nodesOf((await getTree(context.http)).tree).filter((node) => node.focused)
      assert.deepEqual(
        focused.map((node) => node.name),
        ['Note'],
        'the focused elements',
      )
    },
  },

  invoke: {
    level: 'SHOULD',
    text: 'invoke has the effect of a click on the element.',
    source: sources.receipts,
    basis: { because: 'A mock server performs no real action, and the document names no reaction to invoke.' },
    covers: ['O-E12'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const before = (await getWindows(context.http)).length
      await actOnElement(context.http, 'invoke', { selector: 'Button[name="Open dialog"]' })
      assert.equal((await getWindows(context.http)).length, before + 1, 'the number of windows')
    },
    sabotage: {
      'invokes nothing': forceDryRun('/api/element/invoke'),
    },
  },

  'set-value': {
    level: 'SHOULD',
    text: 'set_value replaces the value; without clear_first it adds to it.',
    source: sources.receipts,
    basis: { because: 'A mock server performs no real action, so an effect without a reaction is not required.' },
    covers: ['O-E13'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const [one, other] = [`first ${context.random.word()}`, `second ${context.random.word()}`]
      await actOnElement(context.http, 'set_value', { ...NOTE, value: one })
      assert.equal(await getValue(context.http, 'Note'), one, 'the value of Note')
      await actOnElement(context.http, 'set_value', { ...NOTE, value: other, clear_first: false })
      const value = await getValue(context.http, 'Note')
      if (value === other + one) return
      assert.equal(value, one + other, `the value of Note after "${one}", then "${other}" with clear_first false`)
    },
    sabotage: {
      'clears text that is to stay': onRequestBody((body) => {
        if (body.clear_first === false) delete body.clear_first
      }),
    },
  },

  select: {
    level: 'SHOULD',
    text: 'select chooses an option by name and by index.',
    source: sources.receipts,
    basis: { because: 'A mock server performs no real action, so an effect without a reaction is not required.' },
    covers: ['O-E14'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const colour = { selector: 'ComboBox[name="Colour"]' }
      await actOnElement(context.http, 'select', { ...colour, option_name: 'Blue' })
      assert.equal(await getValue(context.http, 'Colour'), 'Blue', 'the value of Colour')
      await actOnElement(context.http, 'select', { ...colour, option_index: 1 })
      assert.equal(await getValue(context.http, 'Colour'), 'Green', 'the value of Colour')
    },
    sabotage: {
      'counts options from 1': onRequestBody((body) => {
        if (body.option_index > 0) body.option_index--
      }),
    },
  },

  'select-missing': {
    level: 'SHOULD',
    text: 'An option that does not exist fails with a caller’s error, not with Internal.',
    source: sources.receipts,
    basis: {
      because: 'The document names no code for an option that does not exist; Internal would blame the server.',
    },
    covers: ['O-E14'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const body = { selector: 'ComboBox[name="Colour"]', option_name: context.random.word() }
      const answer = await context.http.post('/api/element/select', body)
      assert.ok(answer.status >= 400 && answer.status !== 500, `it answers ${answer.status}`)
      assert.notEqual(answer.json(Refusal).error.code, 'Internal')
    },
    sabotage: {
      'calls an option that does not exist its own fault': {
        changeResponse: (response, { path }) => {
          if (path !== '/api/element/select' || response.status < 400) return
          response.status = 500
          forEachWithKey(response.json, 'code', (holder) => {
            holder.code = 'Internal'
          })
        },
      },
    },
  },

  hover: {
    level: 'MUST',
    text: 'hover takes a point or an element.',
    source: sources.receipts,
    basis: { states: 'hover takes x and y, or an element.' },
    covers: ['O-E15'],
    check: async (context) => {
      await hovers(context)
    },
    sabotage: {
      'hovers over points only': {
        changeResponse: (response, request) => {
          if (request.path === '/api/hover' && request.body.includes('selector')) response.status = 400
        },
      },
    },
  },

  'right-click': {
    level: 'MUST',
    text: 'right_click answers with a receipt for its element.',
    source: sources.receipts,
    basis: { states: 'right_click takes an element and answers with a receipt.' },
    covers: ['O-E16'],
    check: async (context) => {
      await showScenario(context)
      const receipt = await actOnElement(context.http, 'right_click', NOTE)
      assert.equal(
        receipt.target.element_id,
        (await getElementByName(context.http, 'Note')).id,
        'the element that was hit',
      )
    },
    sabotage: {
      'right-clicks another element': onSuccessOf('POST /api/element/right_click', (json) => {
        json.target.element_id = 'other'
      }),
    },
  },

  'double-click': {
    level: 'MUST',
    text: 'double_click answers with a receipt for its element.',
    source: sources.receipts,
    basis: { states: 'double_click takes an element and answers with a receipt.' },
    covers: ['O-E17'],
    check: async (context) => {
      await showScenario(context)
      const receipt = await actOnElement(context.http, 'double_click', NOTE)
      assert.equal(
        receipt.target.element_id,
        (await getElementByName(context.http, 'Note')).id,
        'the element that was hit',
      )
    },
    sabotage: {
      'double-clicks another element': onSuccessOf('POST /api/element/double_click', (json) => {
        json.target.element_id = 'other'
      }),
    },
  },

  key: {
    level: 'SHOULD',
    text: 'key sends its keys to the element.',
    source: sources.receipts,
    basis: { because: 'A mock server performs no real action, so an effect without a reaction is not required.' },
    covers: ['O-E18'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      await actOnElement(context.http, 'clear_text', NOTE)
      await actOnElement(context.http, 'key', { ...NOTE, keys: 'a' })
      assert.equal(await getValue(context.http, 'Note'), 'a', 'the value of Note')
    },
    sabotage: {
      'sends keys to nobody': forceDryRun('/api/element/key'),
    },
  },

  'clear-text': {
    level: 'SHOULD',
    text: 'clear_text empties the element.',
    source: sources.receipts,
    basis: { because: 'A mock server performs no real action, so an effect without a reaction is not required.' },
    covers: ['O-E19'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      await actOnElement(context.http, 'clear_text', NOTE)
      assert.equal((await getValue(context.http, 'Note')) ?? '', '', 'the value of Note')
    },
    sabotage: {
      'clears nothing': forceDryRun('/api/element/clear_text'),
    },
  },

  drag: {
    level: 'MUST',
    text: 'drag takes points, selectors and ids at either end.',
    source: sources.receipts,
    basis: { states: 'drag takes a point, a selector or an element_id at both ends.' },
    covers: ['O-E20'],
    check: async (context) => {
      await requireCapability(context.http, 'drag')
      await showScenario(context)
      const { http } = context
      const [save, items] = [await getElementByName(http, 'Save'), await getElementByName(http, 'Items')]
      const ends = [center(save.bounds), { selector: 'Button[name="Save"]' }, { element_id: items.id }]
      const shape = success({ action: z.literal('drag') })
      for (const from of ends)
        parseSuccess(
          await http.post('/api/drag', { from, to: context.random.pick(ends), modifiers: [], duration_s: 0.05 }),
          shape,
        )
    },
    sabotage: {
      'drags by points only': {
        changeResponse: (response, request) => {
          if (request.path === '/api/drag' && request.body.includes('selector')) response.status = 400
        },
      },
    },
  },

  foreground: {
    level: 'SHOULD',
    text: 'bring_to_foreground makes a window the focused one.',
    source: sources.reference,
    basis: { because: 'The reference server has the route; the document does not list it.' },
    covers: ['O-E52'],
    tier: 'sdk',
    check: async (context) => {
      await showScenario(context)
      const behind =
        (await getWindows(context.http)).find((window) => !window.focused) ?? fail('prerequisite: one window only')
      const answer = await context.http.get(`/api/bring_to_foreground${toQuery({ window_uid: behind.window_uid })}`)
      assertStatus(answer, 200)
      assert.equal((await getFrontWindow(context.http)).window_uid, behind.window_uid, 'the front window')
    },
    sabotage: {
      'leaves windows where they are': {
        changeRequest: (request) => {
          if (request.path.startsWith('/api/bring_to_foreground')) request.path = '/api/windows'
        },
      },
    },
  },

  'click-count': {
    level: 'MUST',
    text: 'click takes a button and a count.',
    source: sources.receipts,
    basis: { states: 'click takes button and count, both optional.' },
    covers: ['O-E10'],
    check: async (context) => {
      await showScenario(context)
      const { id } = await getElementByName(context.http, 'Note')
      for (const more of [{ count: 2 }, { button: 'left', count: 1 }, { button: 'right' }])
        assert.equal(
          (await actOnElement(context.http, 'click', { ...NOTE, ...more })).target.element_id,
          id,
          'the element that was hit',
        )
    },
    sabotage: {
      'knows one click only': {
        changeResponse: (response, request) => {
          if (request.path !== '/api/element/click' || !request.body.includes('"count":2')) return
          response.status = 400
        },
      },
    },
  },

  'hover-name': {
    level: 'SHOULD',
    text: 'A hover over a point is called hover_at, over an element hover_element.',
    source: sources.reference,
    basis: { because: 'The document leaves open how the action is spelt.' },
    covers: ['O-E15'],
    tier: 'full',
    check: async (context) => {
      assert.deepEqual(await hovers(context), ['hover_at', 'hover_element'], 'what hovering did')
    },
    sabotage: {
      'calls every hover hover': onSuccessOf('POST /api/hover', (json) => {
        json.action = 'hover'
      }),
    },
  },

  'drag-nowhere': {
    level: 'SHOULD',
    text: 'A drag with an invalid end is BadRequest.',
    source: sources.receipts,
    basis: { because: 'The document lists what an end may be, and does not specify the response to anything else.' },
    covers: ['O-E20', 'O-X17'],
    tier: 'full',
    check: async (context) => {
      await requireCapability(context.http, 'drag')
      await showScenario(context)
      const to = center((await getElementByName(context.http, 'Save')).bounds)
      assertRefusal(await context.http.post('/api/drag', { from: {}, to }), 'BadRequest')
    },
    sabotage: {
      'drags from anywhere': acceptRefused('BadRequest', isOnPath('/api/drag')),
    },
  },
})
