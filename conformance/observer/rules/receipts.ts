import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { assertAgree } from '../../compare/differences.ts'
import { fail } from '../../probe/failure.ts'
import type { AnyJson } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import { forEachWithKey } from '../../suite/sabotage.ts'
import { sources } from '../document.ts'
import {
  actOnElement,
  assertRefusal,
  fillNameField,
  findElement,
  getElementByName,
  getFrontWindow,
  getTree,
  getWindows,
  observeFull,
  parseSuccess,
  showScenario,
} from '../driver.ts'
import { onRequestBody, onSuccessOf, swapCode } from '../sabotage.ts'
import { Health, type Node } from '../shapes.ts'
import { nodesOf } from '../tree.ts'

const CLICK = 'POST /api/element/click'

/** What everybody sees of a tree. */
const named = (tree: Node) => nodesOf(tree).map(({ role, name, value }) => ({ role, name, value }))

/** Receipts of actions. */
export const receiptRules = defineRules('receipt', ['element:click'], {
  hashes: {
    level: 'MUST',
    text: 'before and after hold the hashes of the tree around the action, which differ if the trees do; changed is true then.',
    source: sources.receipts,
    basis: {
      states: 'A receipt has before and after, each with a tree_hash, and changed; tree_hash_equals compares trees.',
    },
    covers: ['O-E10'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      await fillNameField(http, context.random.word())
      // The first click leaves the tree as it is, the second makes the scenario show another one.
      for (const selector of ['Text', 'Button[name="Save"]']) {
        const before = await getTree(http)
        const receipt = await actOnElement(http, 'click', { selector })
        const after = await getTree(http)
        assertAgree(
          { 'the receipt': receipt.before.tree_hash, 'GET /api/structure': before.tree_hash },
          `tree_hash before a click on ${selector}`,
        )
        assertAgree(
          { 'the receipt': receipt.after.tree_hash, 'GET /api/structure': after.tree_hash },
          `tree_hash after a click on ${selector}`,
        )
        if (!isDeepStrictEqual(named(before.tree), named(after.tree)))
          assert.notEqual(after.tree_hash, before.tree_hash, `the tree after a click on ${selector} is another one`)
        if (before.tree_hash !== after.tree_hash)
          assert.equal(receipt.changed, true, `a click on ${selector} changed the hash, yet changed is not true`)
      }
    },
    sabotage: {
      'says nothing changed': onSuccessOf(CLICK, (json) => {
        json.changed = false
      }),
      'has one hash for all trees': {
        changeResponse: (response) =>
          forEachWithKey(response.json, 'tree_hash', (holder) => {
            holder.tree_hash = 'sha1:0'
          }),
      },
      'hashes before as after': onSuccessOf(CLICK, (json) => {
        json.after.tree_hash = json.before.tree_hash
      }),
    },
  },

  target: {
    level: 'MUST',
    text: 'The target is the element that find_element finds, whether a selector or an id names it.',
    source: sources.receipts,
    basis: { states: 'A receipt names its target by window_uid, element_id, selector and bounds.' },
    covers: ['O-E10'],
    check: async (context) => {
      await showScenario(context)
      const selector = 'Button[name="Save"]'
      const found = await findElement(context.http, selector)
      const { element_id, window_uid, bounds } = found
      for (const by of [{ selector }, { element_id }, { window_uid, element_id }]) {
        const { target } = await actOnElement(context.http, 'click', { ...by, dry_run: true })
        assertAgree(
          {
            'the receipt': { window_uid: target.window_uid, element_id: target.element_id, bounds: target.bounds },
            find_element: { window_uid, element_id, bounds },
          },
          'the target',
        )
      }
    },
    sabotage: {
      'targets another element': onSuccessOf(CLICK, (json) => {
        json.target.element_id = 'other'
      }),
      'targets shifted bounds': onSuccessOf(CLICK, (json) => {
        json.target.bounds.x++
      }),
    },
  },

  steps: {
    level: 'SHOULD',
    text: 'Step ids increase, and an observation after an action names the action as its cause.',
    source: sources.receipts,
    basis: {
      because:
        'The document defines for receipts step_id and caused_by_step_id, and leaves their order and meaning open.',
    },
    covers: ['O-R2'],
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const click = () => actOnElement(http, 'click', { selector: 'Text' })
      const [first, second] = [await click(), await click()]
      assert.ok(first.step_id < second.step_id, 'step ids do not grow')
      assert.equal(second.caused_by_step_id, second.step_id, 'an action is its own cause')
      const seen = await observeFull(http)
      assertAgree(
        {
          'the observation': (seen as { caused_by_step_id?: unknown }).caused_by_step_id,
          'the receipt': second.step_id,
        },
        'the causing step',
      )
      const { step_count } = parseSuccess(await http.get('/api/healthz'), Health)
      assert.ok(step_count >= second.step_id, `step_count is ${step_count} after step ${second.step_id}`)
    },
    sabotage: {
      'numbers every step 1': {
        changeResponse: (response) =>
          forEachWithKey(response.json, 'step_id', (holder) => {
            holder.step_id = 1
          }),
      },
      'forgets what caused a step': {
        changeResponse: (response) =>
          forEachWithKey(response.json, 'caused_by_step_id', (holder) => {
            holder.caused_by_step_id = null
          }),
      },
    },
  },

  dialogs: {
    level: 'MUST',
    text: 'new_dialogs lists the windows that the action opened.',
    source: sources.receipts,
    basis: { states: 'A receipt has new_dialogs.' },
    covers: ['O-E10'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const before = new Set((await getWindows(http)).map((window) => window.window_uid))
      const { new_dialogs } = await actOnElement(http, 'click', { selector: 'Button[name="Open dialog"]' })
      const opened = (await getWindows(http)).filter((window) => !before.has(window.window_uid))
      assert.ok(opened.length > 0, 'prerequisite: the click opened no window')
      assertAgree({
        new_dialogs: new_dialogs.map(({ window_uid, title }) => ({ window_uid, title })),
        'GET /api/windows': opened.map(({ window_uid, title }) => ({ window_uid, title })),
      })
    },
    sabotage: {
      'hides new dialogs': onSuccessOf(CLICK, (json) => {
        json.new_dialogs = []
      }),
    },
  },

  'dry-run': {
    level: 'MUST',
    text: 'A dry run reports its target and changes nothing.',
    source: sources.receipts,
    basis: { states: 'click, focus, invoke, set_value and select take dry_run, which the receipt repeats.' },
    covers: ['O-R3'],
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const before = await getTree(http)
      const documented = [
        ['click', {}],
        ['focus', {}],
        ['invoke', {}],
        ['set_value', { value: 'x' }],
      ] as const
      for (const [action, more] of documented) {
        const receipt = await actOnElement(http, action, { selector: 'Edit[name="Note"]', ...more, dry_run: true })
        assert.deepEqual(
          { dry_run: receipt.dry_run, changed: receipt.changed },
          { dry_run: true, changed: false },
          `the receipt of ${action} with dry_run`,
        )
      }
      const after = await getTree(http)
      assert.deepEqual(after.tree, before.tree, 'the tree after the dry runs')
    },
    sabotage: {
      'says everything changed': onSuccessOf(CLICK, (json) => {
        json.changed = true
      }),
      'acts in dry runs': {
        ...onRequestBody((body) => delete body.dry_run),
        changeResponse: (response, request) => {
          if (request.path.startsWith('/api/element/') && response.json) (response.json as AnyJson).dry_run = true
        },
      },
    },
  },

  missing: {
    level: 'MUST',
    text: 'An element action without an element is BadRequest.',
    source: sources.receipts,
    basis: {
      states: 'An element action names its element by element_id or selector, and BadRequest is a code of the table.',
    },
    covers: ['O-X17', 'O-E10'],
    check: async (context) => {
      await showScenario(context)
      for (const action of [
        'click',
        'focus',
        'invoke',
        'set_value',
        'select',
        'right_click',
        'double_click',
        'key',
        'clear_text',
      ]) {
        const answer = await context.http.send({
          method: 'POST',
          path: `/api/element/${action}`,
          raw: '{}',
          deliberate: true,
        })
        assertRefusal(answer, 'BadRequest')
      }
    },
    sabotage: {
      'does not find what it was not given': swapCode('BadRequest', 'ElementNotFound', '/api/element'),
    },
  },

  'both-windows': {
    level: 'SHOULD',
    text: 'When window_uid and window_index disagree, the uid wins, and a warning reports this.',
    source: sources.reference,
    basis: { because: 'The reference server warns; the document offers window_uid or window_index, not both.' },
    covers: ['O-R6'],
    tier: 'sdk',
    check: async (context) => {
      await showScenario(context)
      const windows = await getWindows(context.http)
      const other = windows.find((window) => !window.focused) ?? fail('prerequisite: there is only one window')
      const front = await getFrontWindow(context.http)
      const body = {
        window_uid: front.window_uid,
        window_index: other.index,
        selector: 'Button[name="Save"]',
        dry_run: true,
      }
      const receipt = await actOnElement(context.http, 'click', body)
      assertAgree(
        { 'the receipt': receipt.target.window_uid, 'GET /api/windows': front.window_uid },
        'the front window',
      )
      assert.match(String(receipt.warning), /window_uid/)
    },
    sabotage: {
      'does not say which window it took': onSuccessOf('POST /api/element/click', (json, request) => {
        if (request.body.includes('window_index')) delete json.warning
      }),
    },
  },

  ambiguous: {
    level: 'SHOULD',
    text: 'An action on a selector that matches several elements uses the first one and warns.',
    source: 'common practice; the reference server does not report it',
    basis: { because: 'A client that meant another element would not notice otherwise.' },
    covers: ['O-E10'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const receipt = await actOnElement(context.http, 'click', { selector: '//Button[name="Twin"]', dry_run: true })
      assertAgree(
        { 'the receipt': receipt.target.element_id, 'the tree': (await getElementByName(context.http, 'Twin')).id },
        'the element',
      )
      assert.equal(typeof receipt.warning, 'string', 'no warning reports that several elements match')
    },
    sabotage: {
      'does not say that several match': onSuccessOf('POST /api/element/click', (json, request) => {
        if (request.body.includes('Twin')) delete json.warning
      }),
    },
  },

  action: {
    level: 'SHOULD',
    text: 'The action of a receipt is the name of the tool.',
    source: sources.reference,
    basis: { because: 'The document defines for receipts an action, and does not specify its spelling.' },
    covers: ['O-E10'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const names = { click: 'click_element', focus: 'focus_element', invoke: 'invoke_element' }
      for (const [action, name] of Object.entries(names))
        assert.equal(
          (await actOnElement(context.http, action, { selector: 'Button[name="Save"]', dry_run: true })).action,
          name,
          'action',
        )
    },
    sabotage: {
      'calls a click by its route': onSuccessOf('POST /api/element/click', (json) => {
        json.action = 'click'
      }),
    },
  },

  selector: {
    level: 'SHOULD',
    text: 'The selector of a target finds the target again.',
    source: sources.receipts,
    basis: {
      because: 'The document gives targets a selector, and does not specify whether it finds the element again.',
    },
    covers: ['O-E10'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const selector = 'Button[name="Save"]'
      const { element_id } = await findElement(context.http, selector)
      for (const by of [{ selector }, { element_id }]) {
        const { target } = await actOnElement(context.http, 'click', { ...by, dry_run: true })
        const found = await findElement(context.http, target.selector)
        assertAgree({ find_element: found.element_id, 'the receipt': element_id }, `the element of ${target.selector}`)
      }
    },
    sabotage: {
      'names targets by selectors that find nothing': onSuccessOf('POST /api/element/click', (json) => {
        json.target.selector = 'Window/Nothing'
      }),
    },
  },
})
