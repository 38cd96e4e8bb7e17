import assert from 'node:assert/strict'
import { assertAgree } from '../../compare/differences.ts'
import { inside, isEmpty, overlap } from '../../compare/rectangle.ts'
import { assertStatus } from '../../probe/failure.ts'
import { changeStatus } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import { forEachWithKey } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import { fillNameField, getFrontWindow, getTree, getWindows, parseSuccess, showScenario, toQuery } from '../driver.ts'
import { acceptRefused, changePath, changeQuery, isOnPath, onSuccessOf, shiftBounds } from '../sabotage.ts'
import { LegacyRefusal, Monitors, type Node, Structure } from '../shapes.ts'
import { hashTree, nodesOf, withoutHashes } from '../tree.ts'

/** A window with its whole tree and the same tree through filters. */
async function filtered({ http }: TestContext, filters: Readonly<Record<string, string | number | boolean>>) {
  const { window_uid } = await getFrontWindow(http)
  const whole = await getTree(http, { window_uid })
  const answer = await http.get(`/api/structure${toQuery({ window_uid, depth: 64, prune_empty: true, ...filters })}`)
  const { tree, node_count } = parseSuccess(answer, Structure)
  const left = tree ? nodesOf(tree) : []
  assertAgree({ node_count: node_count, 'the tree': left.length }, 'the number of nodes')
  return { whole: nodesOf(whole.tree), left, leaves: left.filter((node) => node.children.length === 0) }
}

const idsOf = (nodes: readonly Node[]) => nodes.map((node) => node.id).sort()

/** The tree of a window, its filters and pages. */
export const structureRules = defineRules('structure', {
  count: {
    level: 'MUST',
    text: 'element_count is the number of nodes of the tree, and node_count of those in the answer.',
    source: `${sources.endpoints}, GET /api/structure`,
    basis: { states: 'The answer has element_count, and in version 2 node_count and tree.' },
    covers: ['O-E2'],
    check: async ({ http }) => {
      for (const { window_uid } of await getWindows(http)) {
        const { tree, element_count, node_count } = await getTree(http, { window_uid })
        const nodes = nodesOf(tree).length
        assertAgree({ node_count: node_count, 'the tree': nodes }, 'the number of nodes')
        assertAgree({ element_count: element_count, 'the tree': nodes }, 'the number of nodes')
      }
    },
    sabotage: {
      'counts one element too few': onSuccessOf('GET /api/structure', (json) => {
        json.element_count--
      }),
      'counts one node too many': onSuccessOf('GET /api/structure', (json) => {
        json.node_count++
      }),
      'loses the last child': {
        alsoBreaks: ['find:element'],
        ...onSuccessOf('GET /api/structure', (json) => {
          json.tree?.children.pop()
        }),
      },
    },
  },

  window: {
    level: 'MUST',
    text: 'window_index and window_uid choose the same window.',
    source: `${sources.version2}, GET /api/structure`,
    basis: { states: 'window_uid or window_index selects the window.' },
    covers: ['O-E2', 'O-R6'],
    check: async (context) => {
      if (context.profile.has('scenarios')) await showScenario(context)
      const { http } = context
      for (const { index, window_uid, title } of await getWindows(http)) {
        const byIndex = await getTree(http, { window_index: index })
        const byUid = await getTree(http, { window_uid })
        for (const found of [byIndex, byUid]) {
          assertAgree({ 'GET /api/structure': found.window_uid, 'GET /api/windows': window_uid }, 'window_uid')
          assertAgree({ 'GET /api/structure': found.window, 'GET /api/windows': title }, 'the title')
          assertAgree({ 'by window_uid': found.tree_hash, 'by window_index': byIndex.tree_hash }, 'tree_hash')
        }
      }
    },
    sabotage: {
      'ignores window_uid': changeQuery('window_uid', undefined),
      'ignores window_index': changeQuery('window_index', undefined),
    },
  },

  default: {
    level: 'MUST',
    text: 'Without a window the focused one is meant.',
    source: `${sources.endpoints}, window_index`,
    basis: { states: 'window_index is optional everywhere; without it the focused window is used.' },
    covers: ['O-E2', 'O-R6'],
    check: async ({ http }) => {
      const front = await getFrontWindow(http)
      assertAgree(
        { 'GET /api/structure': (await getTree(http)).window_uid, 'GET /api/windows': front.window_uid },
        'the front window',
      )
    },
    sabotage: {
      'looks at the second window': {
        changeRequest: (request) => {
          if (/^\/api\/structure(?!.*window_)/.test(request.path))
            request.path += `${request.path.includes('?') ? '&' : '?'}window_index=1`
        },
      },
    },
  },

  ids: {
    level: 'MUST',
    text: 'Ids are unique within a window.',
    source: `${sources.endpoints}, GET /api/structure`,
    basis: { states: 'Each element has an id, by which actions name it.' },
    covers: ['O-E2'],
    check: async ({ http }) => {
      for (const { window_uid } of await getWindows(http)) {
        const ids = nodesOf((await getTree(http, { window_uid })).tree).map((node) => node.id)
        assert.deepEqual(
          ids.filter((id, place) => ids.indexOf(id) !== place),
          [],
          'an id repeats',
        )
      }
    },
    sabotage: {
      'gives two elements one id': onSuccessOf('GET /api/structure', (json) => {
        for (const one of json.tree?.children ?? []) one.id = 'same'
      }),
    },
  },

  bounds: {
    level: 'SHOULD',
    text: 'The root of a tree lies within the bounds of its window.',
    source: `${sources.endpoints}, coordinates`,
    basis: { because: 'The document gives both in screen pixels; a window that shades may have a larger tree.' },
    covers: ['O-E2', 'O-R1'],
    check: async ({ http }) => {
      for (const window of await getWindows(http)) {
        const { tree } = await getTree(http, { window_uid: window.window_uid })
        assert.ok(inside(window.bounds, tree.bounds), `the root of "${window.title}" sticks out of its window`)
      }
    },
    sabotage: {
      'shifts bounds in trees': { alsoBreaks: ['find:element'], ...onSuccessOf('GET /api/structure', shiftBounds) },
    },
  },

  focus: {
    level: 'MUST',
    text: 'At most one element of a window is focused.',
    source: `${sources.endpoints}, GET /api/structure`,
    basis: { states: 'focused marks the element with the keyboard focus.' },
    covers: ['O-E2'],
    check: async ({ http }) => {
      for (const { window_uid } of await getWindows(http)) {
        const focused = nodesOf((await getTree(http, { window_uid })).tree).filter((node) => node.focused)
        assert.ok(focused.length <= 1, `${focused.length} elements are focused`)
      }
    },
    sabotage: {
      'focuses every element': onSuccessOf('GET /api/structure', (json) =>
        forEachWithKey(json.tree, 'focused', (node) => {
          node.focused = true
        }),
      ),
    },
  },

  'bad-index': {
    level: 'MUST',
    text: 'A window_index that is not an integer answers 400.',
    source: `${sources.endpoints}, errors`,
    basis: { states: 'window_index is an integer, and a bad request is 400.' },
    covers: ['O-E2', 'O-R5', 'O-X17'],
    check: async ({ http }) => {
      for (const window_index of ['abc', '1.5', '1e']) {
        const answer = await http.get(`/api/structure${toQuery({ window_index })}`)
        assertStatus(answer, 400, `window_index=${window_index}`)
        answer.json(LegacyRefusal)
      }
    },
    sabotage: {
      'accepts any index': changeQuery('window_index', '0'),
    },
  },

  'large-index': {
    level: 'SHOULD',
    text: 'A window_index beyond the list is answered with 200 on GET /api/structure, as existing clients expect.',
    source: sources.reference,
    basis: { because: 'The reference server falls back to the focused window, and existing clients rely on it.' },
    covers: ['O-E2', 'O-R6'],
    tier: 'sdk',
    check: async ({ http }) => {
      const front = await getFrontWindow(http)
      assertAgree(
        {
          'GET /api/structure': (await getTree(http, { window_index: 999 })).window_uid,
          'GET /api/windows': front.window_uid,
        },
        'the front window',
      )
    },
    sabotage: {
      'refuses windows beyond the last': changeStatus(200, 404, ({ path }) => path.includes('window_index=999')),
    },
  },

  hash: {
    level: 'SHOULD',
    text: 'tree_hash is the SHA-1 over role, name, value, bounds, enabled and number of children of every node.',
    source: sources.reference,
    basis: { because: 'The document names tree_hash only; the way to compute it is that of the reference server.' },
    covers: ['O-E2'],
    tier: 'sdk',
    check: async ({ http }) => {
      for (const { window_uid } of await getWindows(http)) {
        const { tree, tree_hash } = await getTree(http, { window_uid })
        assertAgree({ tree_hash: tree_hash, 'the hash of the tree that was sent': hashTree(tree) })
      }
    },
    sabotage: {
      'hashes something else': {
        changeResponse: (response) =>
          forEachWithKey(response.json, 'tree_hash', (holder) => {
            if (holder.tree_hash) holder.tree_hash = `sha1:${'0'.repeat(40)}`
          }),
      },
    },
  },

  roles: {
    level: 'MUST',
    text: 'With roles and prune_empty only nodes of these roles and their ancestors are left.',
    source: `${sources.version2}, GET /api/structure`,
    basis: { states: 'structure takes roles, exclude_roles and prune_empty.' },
    covers: ['O-F1', 'O-F6'],
    tier: 'sdk',
    check: async (context) => {
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
      assert.deepEqual(idsOf(left), idsOf(expected), 'the ids of the elements that are left')
    },
    sabotage: {
      'ignores roles': changeQuery('roles', undefined),
    },
  },

  'exclude-roles': {
    level: 'MUST',
    text: 'With exclude_roles and prune_empty no leaf has one of these roles.',
    source: `${sources.version2}, GET /api/structure`,
    basis: { states: 'structure takes exclude_roles and prune_empty.' },
    covers: ['O-F2', 'O-F6'],
    tier: 'sdk',
    check: async (context) => {
      const { tree } = await getTree(context.http)
      const leaves = nodesOf(tree).filter((node) => node.children.length === 0)
      const { role } = context.random.pick(leaves)
      const { whole, left } = await filtered(context, { exclude_roles: role })
      const expected = whole.filter((node) => nodesOf(node).some((below) => below.role !== role))
      assert.deepEqual(idsOf(left), idsOf(expected), 'the ids of the elements that are left')
    },
    sabotage: {
      'ignores exclude_roles': changeQuery('exclude_roles', undefined),
    },
  },

  'name-regex': {
    level: 'MUST',
    text: 'With name_regex and prune_empty every leaf has a name it finds.',
    source: `${sources.version2}, GET /api/structure`,
    basis: { states: 'structure takes name_regex and prune_empty.' },
    covers: ['O-F3', 'O-F6'],
    tier: 'sdk',
    check: async (context) => {
      const { tree } = await getTree(context.http)
      const named = nodesOf(tree).filter((node) => /^\w{3,}/.test(node.name))
      const start = context.random.pick(named).name.slice(0, 3)
      const { whole, left } = await filtered(context, { name_regex: `^${start}` })
      const expected = whole.filter((node) => nodesOf(node).some((below) => below.name.startsWith(start)))
      assert.deepEqual(idsOf(left), idsOf(expected), 'the ids of the elements that are left')
    },
    sabotage: {
      'ignores name_regex': changeQuery('name_regex', undefined),
    },
  },

  'visible-only': {
    level: 'MUST',
    text: 'With visible_only and prune_empty, no element remains that is off-screen or empty.',
    source: `${sources.version2}, GET /api/structure`,
    basis: { states: 'structure takes visible_only.' },
    covers: ['O-F4'],
    tier: 'sdk',
    check: async (context) => {
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
    },
    sabotage: {
      'ignores visible_only': changeQuery('visible_only', undefined),
    },
  },

  'max-text': {
    level: 'MUST',
    text: 'max_text_len cuts names and values, and only those that are longer.',
    source: `${sources.version2}, GET /api/structure`,
    basis: { states: 'structure takes max_text_len.' },
    covers: ['O-F5'],
    tier: 'sdk',
    check: async ({ http }) => {
      const { window_uid } = await getFrontWindow(http)
      const { tree } = await getTree(http, { window_uid })
      const cut = nodesOf((await getTree(http, { window_uid, max_text_len: 5 })).tree)
      nodesOf(tree).forEach((node, place) => {
        for (const field of ['name', 'value'] as const) {
          const whole = node[field]
          const short = cut[place]![field]
          if (whole === null || [...whole].length <= 5)
            assertAgree({ 'the short tree': short, 'the whole tree': whole })
          else assert.ok(short?.startsWith(whole.slice(0, 5)) && [...short].length <= 6, `${field} is ${short}`)
        }
      })
    },
    sabotage: {
      'ignores max_text_len': changeQuery('max_text_len', undefined),
    },
  },

  pages: {
    level: 'MUST',
    text: 'Pages of max_nodes hold every node once, and the last one has no next_cursor.',
    source: `${sources.version2}, GET /api/structure`,
    basis: { states: 'structure takes max_nodes and page_cursor, and answers with truncated and next_cursor.' },
    covers: ['O-F7'],
    tier: 'sdk',
    check: async ({ http, random }) => {
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
        assertAgree({ truncated: truncated, next_cursor: next_cursor !== null }, 'truncated and next_cursor disagree')
        seen.push(...page)
        assert.ok(seen.length <= whole.length, 'the pages repeat nodes')
        page_cursor = next_cursor ?? undefined
      } while (page_cursor !== undefined)
      const flat = (nodes: readonly Node[]) => nodes.map((node) => ({ ...withoutHashes(node), children: [] }))
      assertAgree({ 'the pages': flat(seen), 'the whole tree': flat(whole) })
    },
    sabotage: {
      'ignores max_nodes': changeQuery('max_nodes', undefined),
      'repeats the first page': changeQuery('page_cursor', undefined),
    },
  },

  nonsense: {
    level: 'SHOULD',
    text: 'max_nodes below 1 and a negative max_text_len answer 400.',
    source: `${sources.version2}, GET /api/structure`,
    basis: { because: 'The document names the parameters and no range; no tree fits such a limit.' },
    covers: ['O-F5', 'O-F7', 'O-X17'],
    tier: 'full',
    check: async ({ http }) => {
      for (const parameters of [{ max_nodes: 0 }, { max_nodes: -1 }, { max_text_len: -1 }]) {
        const { status } = await http.get(`/api/structure${toQuery(parameters)}`)
        assert.equal(status, 400, `${JSON.stringify(parameters)} answers ${status}`)
      }
    },
    sabotage: {
      'takes limits that make no sense': {
        changeRequest: (request) => {
          request.path = request.path.replace(/max_(nodes|text_len)=(0|-1)$/, '')
        },
      },
    },
  },

  'filters-alone': {
    level: 'SHOULD',
    text: 'roles and exclude_roles leave elements out also without prune_empty.',
    source: `${sources.version2}, GET /api/structure`,
    basis: {
      because: 'The document lists the filters apart; the reference server passes them over without prune_empty.',
    },
    covers: ['O-F1', 'O-F2'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const leavesOf = async (parameters: Parameters<typeof toQuery>[0]) =>
        nodesOf((await getTree(http, parameters)).tree).filter(({ children }) => children.length === 0)
      const without = await leavesOf({ exclude_roles: 'Button' })
      assert.ok(!without.some(({ role }) => role === 'Button'), 'exclude_roles leaves Buttons in the tree')
      const only = await leavesOf({ roles: 'Button' })
      assert.ok(!only.some(({ role }) => role === 'ListItem'), 'roles=Button leaves items of lists in the tree')
    },
    sabotage: {
      'filters only what it prunes': changePath((text) =>
        text.startsWith('/api/structure') && !text.includes('prune_empty')
          ? text.replace(/(exclude_)?roles=[^&]*/, '')
          : text,
      ),
    },
  },

  'stale-cursor': {
    level: 'SHOULD',
    text: 'A page_cursor of a tree that has changed is refused, not followed.',
    source: `${sources.version2}, GET /api/structure`,
    basis: {
      because: 'The document does not cover changes between pages; nodes would be missed or repeated unnoticed.',
    },
    covers: ['O-F7', 'O-X13'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const page = (page_cursor?: string) => http.get(`/api/structure${toQuery({ max_nodes: 5, page_cursor })}`)
      const { next_cursor } = parseSuccess(await page(), Structure)
      assert.ok(next_cursor, 'prerequisite: one page holds the whole tree')
      await fillNameField(http, context.random.word())
      const answer = await page(next_cursor)
      assert.ok(answer.status >= 400, `the cursor of another tree is followed: ${answer.text.slice(0, 200)}`)
    },
    sabotage: {
      'follows cursors of other trees': acceptRefused('SnapshotExpired', isOnPath('/api/structure')),
    },
  },
})
