import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { defineRules } from '../../suite/rules.ts'
import { BatchData, ListedWindow, Node } from '../contract.ts'
import { sources } from '../document.ts'
import { ask, fact, freshRef, onData, onError, onPrinted, refused } from '../driver.ts'

const NEEDS = ['process:success']
const NOWHERE = 'nothing-of-this-name'
const Matches = z.looseObject({ matches: z.array(Node), total_matches: z.int(), truncated: z.boolean() })
const batch = (...entries: readonly object[]) => ['batch', JSON.stringify(entries)]

/** Commands that look, wait and manage. */
export const commandRules = defineRules('command', NEEDS, {
  find: {
    level: 'MUST',
    text: 'find answers the matches, their number and whether there are more.',
    source: sources.commands,
    basis: { states: 'The data of find are matches, total_matches, truncated and snapshot_id; --limit cuts them.' },
    covers: ['AD-X1'],
    check: async (context) => {
      const app = ['--app', fact(context, 'app')]
      const all = await ask(context, Matches, 'find', '--role', 'button', ...app, '--limit', '0')
      assert.ok(all.matches.length > 1, 'fewer than two buttons are found')
      for (const { role } of all.matches) assert.equal(role, 'button', 'the role of a match')
      const one = await ask(context, Matches, 'find', '--role', 'button', ...app, '--limit', '1')
      assert.deepEqual(
        { length: one.matches.length, total_matches: one.total_matches, truncated: one.truncated },
        { length: 1, total_matches: all.total_matches, truncated: true },
      )
      const { count } = await ask(
        context,
        z.looseObject({ count: z.int() }),
        'find',
        '--role',
        'button',
        ...app,
        '--count',
      )
      assertAgree({ 'the count': count, 'the list of matches': all.matches.length })
    },
    sabotage: {
      'hides that there are more matches': onData('find', (data) => {
        if (data.truncated) data.truncated = false
      }),
      'finds everything': onData('find', (data) => {
        data.matches?.push({ role: 'statictext', name: 'Ready' })
      }),
    },
  },

  first: {
    level: 'MUST',
    text: 'find --first answers one match, or null.',
    source: sources.commands,
    basis: { states: 'With --first the data have match, an object or null.' },
    covers: ['AD-X1'],
    check: async (context) => {
      const First = z.looseObject({ match: Node.nullable() })
      const app = ['--app', fact(context, 'app')]
      const named = (name: string) => ask(context, First, 'find', '--name', name, ...app, '--first')
      assert.equal((await named(fact(context, 'button'))).match?.name, fact(context, 'button'), 'name')
      assert.equal((await named(NOWHERE)).match, null, 'the match of a name that nothing has')
    },
    sabotage: {
      'omits the match of nothing': onData('find', (data) => {
        if (data.match === null) delete data.match
      }),
    },
  },

  time: {
    level: 'MUST',
    text: 'A wait for a time succeeds.',
    source: sources.commands,
    basis: { states: 'wait takes milliseconds.' },
    covers: ['AD-X3'],
    check: async (context) => void (await ask(context, z.looseObject({}), 'wait', '10')),
    sabotage: {
      'lets waits for a time end badly': onPrinted((value, run) => {
        if (value.command !== 'wait' || !run.words.includes('10')) return
        Object.assign(value, { ok: false, data: undefined, error: { code: 'TIMEOUT', message: 'the wait ended' } })
        run.exit = 1
      }),
    },
  },

  expiry: {
    level: 'MUST',
    text: 'A wait for what does not come is TIMEOUT with the kind wait_timeout and its predicate.',
    source: sources.errors,
    basis: {
      states: 'The details of a wait that ends are kind wait_timeout, predicate, timeout_ms and the last observation.',
    },
    covers: ['AD-X3', 'AD-E10'],
    needs: ['process:failure'],
    check: async (context) => {
      const { code, details } = await refused(context, 'wait', '--text', NOWHERE, '--timeout', '200')
      assert.deepEqual(
        { code, kind: details?.kind, timeout_ms: details?.timeout_ms },
        { code: 'TIMEOUT', kind: 'wait_timeout', timeout_ms: 200 },
      )
      assert.equal(typeof details?.predicate, 'string', 'the predicate')
    },
    sabotage: {
      'does not say what a wait was for': onError('TIMEOUT', (error) => {
        delete error.details.predicate
      }),
      'calls the end of waits a failed action': onError('TIMEOUT', (error) => {
        if (error.details?.kind === 'wait_timeout') error.code = 'ACTION_FAILED'
      }),
    },
  },

  element: {
    level: 'MUST',
    text: 'A wait for an element succeeds when its predicate holds.',
    source: sources.commands,
    basis: { states: 'wait --element REF --predicate waits for exists, enabled, visible, actionable or value.' },
    covers: ['AD-X3'],
    check: async (context) => {
      const words = [
        'wait',
        '--element',
        await freshRef(context, 'button'),
        '--predicate',
        'enabled',
        '--timeout',
        '1000',
      ]
      assert.equal((await context.run(...words)).exit, 0, `${words.join(' ')} does not succeed`)
    },
    sabotage: {
      'never sees that an element is enabled': {
        changeRun: (run) => {
          if (run.words.includes('--predicate')) run.exit = 1
        },
      },
    },
  },

  batch: {
    level: 'MUST',
    text: 'A batch answers a result for each entry in order, and counts them.',
    source: sources.commands,
    basis: {
      states: 'The results of a batch have command, index, execution, ok, and data or error; the entries are counted.',
    },
    covers: ['AD-X4'],
    check: async (context) => {
      const words = batch({ command: 'wait', args: { ms: 10 } }, { command: 'status', args: {} })
      const { results, total_entries, completed_entries } = await ask(context, BatchData, ...words)
      assert.deepEqual(
        results.map(({ command, index, ok }) => [command, index, ok]),
        [
          ['wait', 0, true],
          ['status', 1, true],
        ],
        'the results',
      )
      assert.deepEqual({ total_entries, completed_entries }, { total_entries: 2, completed_entries: 2 })
    },
    sabotage: {
      'numbers entries from 1': onData('batch', ({ results }) => {
        for (const result of results) result.index++
      }),
    },
  },

  stop: {
    level: 'MUST',
    text: 'With --stop-on-error the entries after an error are not started.',
    source: sources.commands,
    basis: { states: '--stop-on-error leaves later entries not_started, and they are counted.' },
    covers: ['AD-X4'],
    needs: ['command:batch'],
    check: async (context) => {
      const failing = { command: 'click', args: { ref_id: '@snothing:e1' } }
      const words = [...batch(failing, { command: 'status', args: {} }), '--stop-on-error']
      const { results, not_started_entries: left } = await ask(context, BatchData, ...words)
      assert.deepEqual(
        { ok: results[0]?.ok, execution: results[1]?.execution, left },
        { ok: false, execution: 'not_started', left: 1 },
      )
    },
    sabotage: {
      'goes on after errors': onData('batch', ({ results }) => {
        for (const result of results) result.execution = 'completed'
      }),
    },
  },

  unknown: {
    level: 'MUST',
    text: 'A field that a command does not know is refused in a batch.',
    source: sources.commands,
    basis: { states: 'Unknown fields of batch entries are rejected.' },
    covers: ['AD-X4', 'AD-E11'],
    needs: ['command:batch'],
    check: async (context) => {
      const run = await context.run(...batch({ command: 'wait', args: { ms: 10, no_field_of_this_name: 1 } }))
      const { ok, error, data } = JSON.parse(run.stdout)
      const { code } = ok ? (data.results[0].error ?? {}) : error
      assert.equal(code, 'INVALID_ARGS', 'the code for an unknown field')
    },
    sabotage: {
      'ignores unknown fields': onData('batch', ({ results }) => {
        for (const result of results)
          if (result.error?.code === 'INVALID_ARGS') Object.assign(result, { ok: true, data: {}, error: undefined })
      }),
    },
  },

  session: {
    level: 'MUST',
    text: 'The session of a batch entry wins over that of the call.',
    source: sources.table,
    basis: { states: "A batch item's session wins." },
    covers: ['AD-X4', 'AD-R4'],
    needs: ['command:batch', 'snapshot:sessions'],
    check: async (context) => {
      const Started = z.looseObject({ session_id: z.string() })
      const { session_id: own } = await ask(context, Started, 'session', 'start')
      const { session_id: other } = await ask(context, Started, 'session', 'start')
      const entry = { command: 'status', args: {}, session: own }
      const { results } = await ask(context, BatchData, ...batch(entry), '--session', other)
      const { session_id: used } = (results[0]?.data ?? {}) as { readonly session_id?: string }
      assert.equal(used, own, 'the session of the entry')
    },
    sabotage: {
      'runs entries in the session of the call': onData('batch', ({ results }, { words }) => {
        const at = words.indexOf('--session')
        for (const { data } of results) if (at > 0 && data?.session_id) data.session_id = words[at + 1]
      }),
    },
  },

  windows: {
    level: 'MUST',
    text: 'list-windows answers the windows with id, title, app, process and bounds.',
    source: sources.commands,
    basis: { states: 'list-windows answers an array of windows with id, title, app_name, pid, bounds and is_focused.' },
    covers: ['AD-X5'],
    check: async (context) => {
      const windows = await ask(context, z.array(ListedWindow), 'list-windows')
      assert.ok(
        windows.some(({ title }) => title === fact(context, 'window')),
        `no window is called ${fact(context, 'window')}`,
      )
    },
    sabotage: {
      'gives windows no process': onData('list-windows', (windows) => {
        for (const window of windows) delete window.pid
      }),
      'wraps the list of windows': {
        changeRun: (run) => {
          if (run.words[0] !== 'list-windows') return
          const value = JSON.parse(run.stdout)
          value.data = { windows: value.data }
          run.stdout = `${JSON.stringify(value)}\n`
        },
      },
    },
  },

  apps: {
    level: 'MUST',
    text: 'list-apps answers the apps with name and process.',
    source: sources.commands,
    basis: { states: 'list-apps answers apps with name, pid and bundle_id.' },
    covers: ['AD-X5'],
    check: async (context) => {
      const App = z.looseObject({ name: z.string(), pid: z.int() })
      const { apps } = await ask(context, z.looseObject({ apps: z.array(App) }), 'list-apps')
      assert.ok(
        apps.some(({ name }) => name === fact(context, 'app')),
        `no app is called ${fact(context, 'app')}`,
      )
    },
    sabotage: {
      'answers a bare list of apps': onData('list-apps', (data) => {
        data.applications = data.apps
        delete data.apps
      }),
    },
  },

  clipboard: {
    level: 'MUST',
    text: 'The clipboard has the text that was put into it.',
    source: sources.commands,
    basis: { states: 'clipboard-get answers type text and the text.' },
    covers: ['AD-X6'],
    check: async (context) => {
      const Text = z.looseObject({ type: z.literal('text'), text: z.string() })
      await ask(context, z.unknown(), 'clipboard-set', 'Grüße, "quoted"')
      assert.equal((await ask(context, Text, 'clipboard-get')).text, 'Grüße, "quoted"', 'text')
    },
    sabotage: {
      'loses umlauts of the clipboard': onData('clipboard-get', (data) => {
        data.text = data.text?.replace(/[^ -~]/g, '?')
      }),
    },
  },

  status: {
    level: 'MUST',
    text: 'status names the platform, the version and the permissions.',
    source: sources.commands,
    basis: {
      states: 'status answers platform, version, permissions and supported_surfaces; skills branch on the platform.',
    },
    covers: ['AD-X7'],
    check: async (context) => {
      const Status = z.looseObject({
        platform: z.enum(['macos', 'windows', 'linux']),
        version: z.string(),
        permissions: z.unknown(),
        supported_surfaces: z.array(z.string()),
      })
      await ask(context, Status, 'status')
    },
    sabotage: {
      'names platforms as Node does': onData('status', (data) => {
        data.platform = 'win32'
      }),
    },
  },

  skills: {
    level: 'MUST',
    text: 'skills get desktop answers the text of the skill.',
    source: sources.commands,
    basis: { states: 'skills get NAME answers the text in content; agents ask for desktop first.' },
    covers: ['AD-X8'],
    check: async (context) => {
      const { content } = await ask(context, z.looseObject({ content: z.string() }), 'skills', 'get', 'desktop')
      assert.match(content, /snapshot/, 'the skill says nothing of snapshots')
    },
    sabotage: {
      'has an empty skill': onData('skills', (data) => {
        data.content = ''
      }),
    },
  },
})
