import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertSamePixels, crop, decode, encode } from '../../compare/pixels.ts'
import { assertStatus, fail } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { AUXILIARY_CHECK, defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { assertForbidden, openGuardedServer, openPreparedServer } from '../auxiliary.ts'
import { sources } from '../document.ts'
import {
  actOnElement,
  assertRefusal,
  getFrontWindow,
  getTree,
  observe,
  observeFull,
  parseSuccess,
  requireCapability,
  toQuery,
} from '../driver.ts'
import { acceptRefused, isOnPath, onSuccessOf, swapCode } from '../sabotage.ts'
import { type Node, RedactionStatus, Screenshot, Windows } from '../shapes.ts'
import { nodesOf } from '../tree.ts'

/** The value of the field that the guarded server redacts. */
const SECRET = 'hunter22'

/** The first field of the suite's screen, independent of its name. */
async function firstField(http: HttpProbe): Promise<Node> {
  const field = nodesOf((await getTree(http)).tree).find(({ role }) => role === 'Edit')
  return field ?? fail('prerequisite: the screen has no field')
}

/** Redaction. */
export const redactionRules = defineRules('redaction', {
  status: {
    level: 'MUST',
    text: 'The status reports how many patterns are active.',
    source: sources.redaction,
    basis: { states: 'redaction_status has enabled, active, patterns_count, applied_count and blur_screenshots.' },
    covers: ['O-E41', 'O-G2'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      await requireCapability(context.http, 'redaction')
      const shape = RedactionStatus.extend({ patterns_count: z.int().positive(), applied_count: z.int().nonnegative() })
      const { active } = parseSuccess(await (await openGuardedServer(context)).get('/api/redaction_status'), shape)
      assert.equal(active, true, 'active')
    },
    sabotage: {
      'hides that it redacts': onSuccessOf('GET /api/redaction_status', (json) => {
        json.active = false
      }),
    },
  },

  tree: {
    level: 'MUST',
    text: 'Names and values that a pattern hits are replaced in trees.',
    source: sources.redaction,
    basis: { states: 'Names, titles and roles that a pattern hits are replaced by the configured replacement.' },
    covers: ['O-G2'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      await requireCapability(context.http, 'redaction')
      const { tree } = await getTree(await openGuardedServer(context))
      const names = nodesOf(tree).map((node) => node.name)
      assert.ok(!names.includes('Password'), 'the name is still there')
      assert.ok(!JSON.stringify(tree).includes(SECRET), 'the value is still there')
      assert.ok(names.includes('Name'), 'other names are redacted too')
    },
  },

  leaks: {
    level: 'SHOULD',
    text: 'A redacted value leaves by no other way: observe, diff, snapshot, find, description, sketch, receipts, oracles.',
    source: sources.redaction,
    basis: {
      because:
        'The document does not list the answers that are redacted; a secret that leaks through one of them is lost.',
    },
    covers: ['O-G2'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      await requireCapability(context.http, 'redaction')
      const http = await openGuardedServer(context)
      const { tree_token } = await observeFull(http)
      await actOnElement(http, 'set_value', { selector: 'Edit[name="Note"]', value: 'changed' })
      const taken = (await http.post('/api/snapshot', {})).json() as { snapshot_id?: string }
      const answers = [
        await http.get('/api/structure'),
        await http.get('/api/observe'),
        await http.get(`/api/observe${toQuery({ since: tree_token })}`),
        await http.get('/api/description'),
        await http.get(`/api/sketch${toQuery({ grid_width: 160, grid_height: 60 })}`),
        await http.get(`/api/snapshot/${taken.snapshot_id}`),
        await http.get(`/api/find_element${toQuery({ selector: 'Window Edit' })}`),
        await http.post('/api/wait_for', { any_of: [{ type: 'text_visible', regex: SECRET }], timeout_ms: 60 }),
        await http.post('/api/assert_state', {
          predicate: [{ kind: 'value_equals', selector: 'Window Edit[index=2]', expected: 'x' }],
        }),
      ]
      for (const answer of answers) assert.ok(!answer.text.includes(SECRET), `${answer.what} leaks the value`)
      const guess = await http.get(`/api/find_element${toQuery({ selector: `//Edit[value="${SECRET}"]` })}`)
      assert.notEqual(guess.status, 200, 'the value can be guessed with a selector')
      await observe(http)
    },
    sabotage: {
      'leaks what it redacts': {
        alsoBreaks: ['redaction:tree'],
        changeResponse: (response) => {
          if (response.json === undefined) return
          response.json = JSON.parse(JSON.stringify(response.json).replaceAll('[REDACTED]', 'hunter22'))
        },
      },
    },
  },

  composites: {
    level: 'SHOULD',
    text: 'A redacted value leaves neither by the observation of a composite nor by the difference of snapshots.',
    source: sources.redaction,
    basis: {
      because:
        'The document does not list the answers that are redacted; a secret that leaks through one of them is lost.',
    },
    covers: ['O-G2'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      await requireCapability(context.http, 'redaction')
      const http = await openGuardedServer(context)
      const taken = async () => ((await http.post('/api/snapshot', {})).json() as { snapshot_id?: string }).snapshot_id
      const { tree_token } = await observeFull(http)
      const a = await taken()
      const open = { selector: 'Button[name="Open dialog"]', wait_after_ms: 10 }
      const answers = [
        await http.post('/api/element/click_and_observe', open),
        await http.post('/api/snapshot/diff', { a, b: await taken() }),
        await http.post('/api/type_and_observe', { text: 'x', since: tree_token, wait_after_ms: 10 }),
        await http.get('/api/windows'),
      ]
      for (const answer of answers) {
        assertStatus(answer, 200)
        assert.ok(!answer.text.includes(SECRET), `${answer.what} leaks the value`)
      }
    },
    sabotage: {
      'observes what it redacts': onSuccessOf('POST /api/element/click_and_observe', (json) => {
        json.observation.secret = 'hunter22'
      }),
    },
  },

  titles: {
    level: 'SHOULD',
    text: 'Titles that match a pattern are replaced in every list of windows.',
    source: sources.redaction,
    basis: { states: 'config.redaction has window_title_patterns.' },
    covers: ['O-G2', 'O-E1'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      await requireCapability(context.http, 'redaction')
      const http = await openPreparedServer(context, 'veiled')
      const { windows } = parseSuccess(await http.get('/api/windows'), Windows)
      assert.ok(windows.length > 1, 'prerequisite: there is one window only')
      assert.ok(!windows.some(({ title }) => title === 'Notes'), 'the title is still there')
      assert.ok(
        windows.some(({ title }) => title === 'Desk'),
        'other titles are redacted too',
      )
      const taken = (await http.post('/api/snapshot', {})).json() as { snapshot_id?: string }
      const { text } = await http.get(`/api/snapshot/${taken.snapshot_id}`)
      assert.ok(!text.includes('"Notes"'), 'a snapshot has the title')
    },
    sabotage: {
      'lists titles that it redacts': onSuccessOf('GET /api/windows', (json) => {
        for (const one of json.windows) if (one.window_uid === 'mock:notes') one.title = 'Notes'
      }),
    },
  },

  pixels: {
    level: 'SHOULD',
    text: 'With blur_screenshots the pictures of a redacted element do not depend on its value.',
    source: sources.redaction,
    basis: { states: 'config.redaction has blur_screenshots.' },
    covers: ['O-G2', 'O-E5'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      await requireCapability(context.http, 'redaction')
      const http = await openPreparedServer(context, 'veiled')
      const { bounds } = await getFrontWindow(http)
      const field = await firstField(http)
      const shoot = async () =>
        decode(parseSuccess(await http.get('/api/screenshot?window_index=0'), Screenshot).data, 'a picture')
      // The pattern matches the field Name, which shows the typed text.
      const before = await shoot()
      await actOnElement(http, 'click', { element_id: field.id })
      await http.post('/api/action', { action: 'type', value: context.random.word(12) })
      await actOnElement(http, 'click', { selector: 'Edit[name="Note"]' })
      const box = { ...field.bounds, x: field.bounds.x - bounds.x, y: field.bounds.y - bounds.y }
      assertSamePixels(crop(before, box), crop(await shoot(), box), 'the field whose name a pattern hits')
    },
    sabotage: {
      'paints what it redacts': otherPixels(),
    },
  },
})

/** The allow list. */
export const allowlistRules = defineRules('allowlist', {
  denied: {
    level: 'MUST',
    text: 'A denied tool is PermissionDenied, 403, and has no effect.',
    source: sources.allowlist,
    basis: { states: 'config.actions.deny forbids tools, and PermissionDenied is a code of the table.' },
    covers: ['O-X10', 'O-G4'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await openGuardedServer(context)
      const before = await getTree(http)
      assertRefusal(await http.post('/api/tool/press_key', { keys: 'a' }), 'PermissionDenied')
      assert.equal((await getTree(http)).tree_hash, before.tree_hash, 'tree_hash after the call')
    },
    sabotage: {
      'calls denied tools bad requests': swapCode('PermissionDenied', 'BadRequest'),
    },
  },

  allowed: {
    level: 'MUST',
    text: 'Tools that are not denied continue to work.',
    source: sources.allowlist,
    basis: { states: 'config.actions.default is allow for tools that are not denied.' },
    covers: ['O-G4'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await openGuardedServer(context)
      await actOnElement(http, 'click', { selector: 'Edit[name="Note"]' })
    },
    sabotage: {
      'denies what is allowed': deniesClicks(),
    },
  },

  ways: {
    level: 'SHOULD',
    text: 'A denied tool is denied by every way that leads to it.',
    source: sources.allowlist,
    basis: { because: 'The document names tools, not routes; a denied tool that another route runs is not denied.' },
    covers: ['O-G4'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await openGuardedServer(context)
      const ways = [
        await http.post('/api/action', { action: 'key', value: 'a' }),
        await http.get('/api/full_screenshot'),
        await http.post('/api/tool/get_full_screenshot', {}),
      ]
      for (const answer of ways) assertForbidden(answer, 'PermissionDenied')
    },
    sabotage: {
      'forgets what it denies by the other way': acceptRefused(
        'PermissionDenied',
        isOnPath('/api/tool/get_full_screenshot'),
      ),
    },
  },

  looking: {
    level: 'SHOULD',
    text: 'Denied tools that look are denied on their own routes too.',
    source: sources.allowlist,
    basis: { because: 'The document names tools, not routes; a denied tool that another route runs is not denied.' },
    covers: ['O-G4'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await openPreparedServer(context, 'closed')
      const { window_uid } = await getFrontWindow(http)
      for (const path of ['sketch', 'screenshot', 'full_screenshot', 'visible_areas', 'bring_to_foreground']) {
        const answer = await http.get(`/api/${path}${toQuery({ window_uid })}`)
        assert.notEqual(answer.status, 200, `${path} answers although its tool is denied`)
      }
    },
    sabotage: {
      'sketches what it must not look at': neverRefuses('/api/sketch'),
    },
  },
})

/** The audit log. */
export const auditRules = defineRules('audit', {
  log: {
    level: 'MUST',
    text: 'With an audit log every call leaves a line, without the values to be redacted.',
    source: `${sources.version2}, audit log`,
    basis: {
      states: 'config.logging.audit switches a log on, and redact_arg_keys names arguments that it leaves out.',
    },
    covers: ['O-G3'],
    tier: 'full',
    unchecked: 'the log lies on the server’s disk',
  },
})

/** Reports success for refused requests. */
function neverRefuses(path: string): SabotageBehavior {
  return {
    changeResponse: (response, request) => {
      if (!request.path.startsWith(path) || response.status < 400) return
      response.status = 200
      response.json = { ok: true }
    },
  }
}

/** Changes the pixels of the first field from picture to picture. */
function otherPixels(): SabotageBehavior {
  let shade = 0
  return onSuccessOf('GET /api/screenshot', (json) => {
    const { width, height, data } = decode(json.data, 'a picture')
    shade = (shade + 50) % 256
    data.fill(shade, (75 * width + 40) * 4, (75 * width + 60) * 4)
    json.data = encode({ width, height, data })
  })
}

/** Denies an allowed click on the field. */
function deniesClicks(): SabotageBehavior {
  return {
    changeResponse: (response, request) => {
      if (request.path !== '/api/element/click' || !request.body.includes('"Note\\"')) return
      const context = {}
      const error = { code: 'PermissionDenied', message: 'no', recoverable: false, suggested_next_tool: null, context }
      response.status = 403
      response.json = { ok: false, success: false, error }
    },
  }
}
