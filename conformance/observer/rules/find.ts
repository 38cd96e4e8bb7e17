import assert from 'node:assert/strict'
import { assertAgree } from '../../compare/differences.ts'
import { fail } from '../../probe/failure.ts'
import { defineRules } from '../../suite/rules.ts'
import { sources } from '../document.ts'
import {
  anyTree,
  assertRefusal,
  chooseNodes,
  findElement,
  getTree,
  getWindows,
  isPlain,
  parseSuccess,
  showScenario,
  toQuery,
} from '../driver.ts'
import { changeFoundSelector, changePath, onSuccessOf, shiftBounds, swapCode, withoutParameter } from '../sabotage.ts'
import { FoundElement } from '../shapes.ts'

/** Finding elements. */
export const findRules = defineRules('find', {
  element: {
    level: 'MUST',
    text: 'What find_element finds is in the tree, with the same bounds.',
    source: sources.find,
    basis: {
      states: 'find_element answers with the element_id, the selector and the bounds of a match in the window.',
    },
    covers: ['O-E9'],
    check: async (context) => {
      const { uid, placed } = await anyTree(context)
      for (const { node } of chooseNodes(
        context,
        placed,
        ({ node, parent }) => parent !== undefined && isPlain(node),
      )) {
        const found = await findElement(context.http, `//${node.role}[name="${node.name}"]`, uid)
        assertAgree({ find_element: found.window_uid, 'the window': uid }, 'window_uid')
        const same = placed.find((one) => one.node.id === found.element_id)
        assertAgree({ find_element: found.bounds, 'the tree': same?.node.bounds }, 'the bounds')
        assertAgree({
          'the tree by the element_id': { role: same?.node.role, name: same?.node.name },
          'the tree by the name': { role: node.role, name: node.name },
        })
      }
    },
    sabotage: {
      'finds shifted bounds': onSuccessOf('GET /api/find_element', shiftBounds),
      'finds another element': {
        alsoBreaks: ['find:matches'],
        ...onSuccessOf('GET /api/find_element', (json) => {
          json.element_id = `${json.element_id}x`
        }),
      },
    },
  },

  matches: {
    level: 'MUST',
    text: 'all_matches starts with the found element, and ambiguous_matches counts every match.',
    source: sources.find,
    basis: {
      states: 'The answer has ambiguous_matches, and all_matches with element_id, bounds, name and role of each.',
    },
    covers: ['O-E9'],
    check: async (context) => {
      const { uid, placed } = await anyTree(context)
      for (const { node } of chooseNodes(
        context,
        placed,
        ({ node, parent }) => parent !== undefined && isPlain(node),
      )) {
        const found = await findElement(context.http, `//${node.role}`, uid)
        const count = placed.filter((one) => one.parent && one.node.role === node.role).length
        assertAgree({ all_matches: found.all_matches[0]!.element_id, element_id: found.element_id }, 'the first match')
        if (count > 10) continue
        assertAgree(
          { ambiguous_matches: found.ambiguous_matches, 'the tree': count },
          `matches of //${node.role}, of which all_matches lists ${found.all_matches.length}`,
        )
      }
    },
    sabotage: {
      'counts one match only': onSuccessOf('GET /api/find_element', (json) => {
        json.ambiguous_matches = 1
        json.all_matches.length = 1
      }),
      'finds the last match first': onSuccessOf('GET /api/find_element', (json) => {
        json.all_matches.reverse()
      }),
    },
  },

  canonical: {
    level: 'SHOULD',
    text: 'The selector of the answer finds the same element again.',
    source: sources.find,
    basis: {
      because: 'The document gives the answer a selector, and does not specify whether it finds the element again.',
    },
    covers: ['O-E9'],
    check: async (context) => {
      const { uid, placed } = await anyTree(context)
      for (const { node } of chooseNodes(
        context,
        placed,
        ({ node, parent }) => parent !== undefined && isPlain(node),
        6,
      )) {
        const found = await findElement(context.http, `${placed[0]!.node.role} ${node.role}[name="${node.name}"]`, uid)
        assertAgree(
          {
            [`find_element of the selector ${found.selector}`]: (await findElement(context.http, found.selector, uid))
              .element_id,
            find_element: found.element_id,
          },
          'the element',
        )
      }
    },
    sabotage: {
      'names selectors that find nothing': onSuccessOf('GET /api/find_element', (json) => {
        json.selector = 'Window/Nothing'
      }),
    },
  },

  missing: {
    level: 'MUST',
    text: 'Without a selector find_element answers BadRequest.',
    source: sources.find,
    basis: { states: 'selector is a required parameter, and BadRequest is a code of the table.' },
    covers: ['O-E9', 'O-X17'],
    check: async ({ http }) => {
      assertRefusal(await http.get('/api/find_element'), 'BadRequest')
    },
    sabotage: {
      'does not look for nothing': swapCode('BadRequest', 'ElementNotFound', '/api/find_element'),
    },
  },

  'counts-all': {
    level: 'SHOULD',
    text: 'ambiguous_matches also counts beyond ten matches.',
    source: sources.find,
    basis: { because: 'The document names the count without a limit; the reference server stops at ten.' },
    covers: ['O-E9'],
    tier: 'full',
    check: async (context) => {
      const { uid, placed } = await anyTree(context)
      const { ambiguous_matches } = await findElement(context.http, '//*', uid)
      assertAgree(
        { ambiguous_matches: ambiguous_matches, 'the tree': placed.length - 1 },
        'elements of the window below its root',
      )
    },
    sabotage: {
      'counts ten matches at most': onSuccessOf('GET /api/find_element', (json) => {
        json.ambiguous_matches = Math.min(json.ambiguous_matches, 10)
      }),
    },
  },

  'unknown-pseudo': {
    level: 'SHOULD',
    text: 'A pseudo-class that the grammar does not define is refused, or matches nothing.',
    source: sources.grammar,
    basis: {
      because:
        'The document lists the pseudo-classes of the grammar; an ignored pseudo-class would match every element.',
    },
    covers: ['O-S2', 'O-E9'],
    tier: 'full',
    check: async (context) => {
      const { uid } = await anyTree(context)
      for (const pseudo of [':not(Button)', ':nth-child(2)', `:${context.random.word()}(1)`]) {
        const answer = await context.http.get(
          `/api/find_element${toQuery({ selector: `Window Edit${pseudo}`, window_uid: uid })}`,
        )
        assert.ok([400, 404].includes(answer.status), `${pseudo} is passed over: ${answer.text.slice(0, 200)}`)
      }
    },
    sabotage: {
      'passes over pseudo-classes': changeFoundSelector((selector) => selector.replace(/:[\w-]+\(.*\)$/, '')),
    },
  },

  quotes: {
    level: 'SHOULD',
    text: 'Quotes and backslashes in a name can be escaped, and the selector of the answer escapes them.',
    source: sources.grammar,
    basis: {
      because: 'The document does not cover escapes; without them an element with such a name could not be found.',
    },
    covers: ['O-S3', 'O-E9'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { tree } = await getTree(context.http)
      const quoted = tree.children.find(({ name }) => name.includes('"') && name.includes('\\'))
      const { id, role, name } = quoted ?? fail('prerequisite: no name has a quote and a backslash')
      const spelt = `//${role}[name="${name.replaceAll(/[\\"]/g, '\\$&')}"]`
      const found = await findElement(context.http, spelt)
      assertAgree({ [`find_element ${spelt}`]: found.element_id, 'the tree': id }, 'the element')
      assertAgree(
        {
          [`find_element ${found.selector}`]: (await findElement(context.http, found.selector)).element_id,
          'the tree': id,
        },
        'the element',
      )
    },
    sabotage: {
      'forgets to escape': onSuccessOf('GET /api/find_element', (json) => {
        json.selector = json.selector.replaceAll('\\', '')
      }),
    },
  },

  invalid: {
    level: 'SHOULD',
    text: 'An invalid selector is BadRequest.',
    source: sources.grammar,
    basis: { because: 'The document gives the grammar, and does not specify the response to other text.' },
    covers: ['O-E9', 'O-X17'],
    tier: 'full',
    check: async ({ http }) => {
      for (const selector of ['Button[', 'Button[name=]', 'Button[name="a"', '[[]]'])
        assertRefusal(await http.get(`/api/find_element${toQuery({ selector })}`), 'BadRequest')
    },
    sabotage: {
      'looks for what is no selector and finds nothing': swapCode(
        'BadRequest',
        'ElementNotFound',
        '/api/find_element?',
      ),
    },
  },

  window: {
    level: 'MUST',
    text: 'find_element looks in the window that window_uid or window_index names.',
    source: sources.find,
    basis: { states: 'find_element takes window_uid or window_index.' },
    covers: ['O-E9', 'O-R6'],
    needs: ['structure:window'],
    check: async ({ http }) => {
      for (const { index, window_uid } of await getWindows(http)) {
        const { tree } = await getTree(http, { window_uid })
        const selector = tree.role
        if (!/^\w+$/.test(selector)) continue
        for (const where of [{ window_uid }, { window_index: index }]) {
          const found = parseSuccess(
            await http.get(`/api/find_element${toQuery({ selector, ...where })}`),
            FoundElement,
          )
          assertAgree({
            find_element: { window_uid: found.window_uid, bounds: found.bounds },
            'the tree': { window_uid, bounds: tree.bounds },
          })
        }
      }
    },
    sabotage: {
      'looks for elements in front only': changePath((text) =>
        withoutParameter(text, '/api/find_element', 'window_index'),
      ),
    },
  },
})
