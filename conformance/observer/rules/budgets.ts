import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { fail } from '../../probe/failure.ts'
import type { HttpProbe, HttpResponse } from '../../probe/http.ts'
import { AUXILIARY_CHECK, defineRules } from '../../suite/rules.ts'
import type { ProxiedRequest, SabotageBehavior } from '../../suite/sabotage.ts'
import { assertForbidden, limitOf, openLimitedServer, openUnusedServer } from '../auxiliary.ts'
import { sources } from '../document.ts'
import { assertRefusal, parseSuccess } from '../driver.ts'
import { acceptRefused, isOnPath, onSuccessOf, swapCode } from '../sabotage.ts'
import { BudgetStatus } from '../shapes.ts'

const statusOf = async (http: HttpProbe) => parseSuccess(await http.get('/api/budget_status'), BudgetStatus)

/** A harmless click that costs one action. */
const click = (http: HttpProbe) => http.post('/api/element/click', { selector: 'Text' })

/** Acts until the budget is used up; the refusal, and how many actions came before it. */
async function exhaust(
  http: HttpProbe,
  act = click,
): Promise<{ readonly refusal: HttpResponse; readonly allowed: number }> {
  for (let allowed = 0; allowed < 100; allowed++) {
    const refusal = await act(http)
    if (refusal.status !== 200) return { refusal, allowed }
  }
  fail('a hundred were allowed, and none was refused')
}

const shoot = (http: HttpProbe) => http.get('/api/screenshot')

/** Answers the first request of each server that a budget refuses as if it had been allowed. */
const allowsOneMore = (code: 'BudgetExceeded' | 'RateLimited', fits: (request: ProxiedRequest) => boolean) => {
  const seen = new Set<unknown>()
  return acceptRefused(code, (request) => {
    const isFirst = fits(request) && !seen.has(request.headers.host)
    if (isFirst) seen.add(request.headers.host)
    return isFirst
  })
}

/** The two seconds of that server, and time for it to notice. */
const SESSION_MS = 8000

/** Budgets. */
export const budgetRules = defineRules('budget', {
  unset: {
    level: 'MUST',
    text: 'Without budgets, the status reports that none is configured.',
    source: sources.budgets,
    basis: { states: 'The field configured of budget_status reports whether budgets exist; flags switch them on.' },
    covers: ['O-E40', 'O-G1'],
    check: async ({ http }) => {
      assert.equal((await statusOf(http)).configured, false, 'configured')
    },
    sabotage: {
      'always has budgets': onSuccessOf('GET /api/budget_status', (json) => {
        const none = { used: 0, limit: null, remaining: null }
        Object.assign(json, {
          configured: true,
          actions: none,
          screenshots: none,
          vlm_tokens: none,
          session_seconds: none,
          actions_per_minute: none,
        })
      }),
    },
  },

  counts: {
    level: 'SHOULD',
    text: 'With budgets, the status counts used and remaining units.',
    source: sources.budgets,
    basis: { because: 'The document names the budgets, and leaves open the fields of each.' },
    covers: ['O-E40', 'O-G1'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await openLimitedServer(context, 'budget')
      const before = await statusOf(http)
      const first = await click(http)
      const after = await statusOf(http)
      if (!before.configured || !after.configured) fail('the budgets of the server are not configured')
      const { used, limit, remaining } = after.actions
      if (typeof limit !== 'number' || used === undefined) fail('the limit of actions is not reported')
      assert.equal(remaining, limit - used, 'remaining')
      assert.equal(used, (before.actions.used ?? 0) + (first.status === 200 ? 1 : 0), 'used')
    },
    sabotage: {
      'has one action more than it says': onSuccessOf('GET /api/budget_status', (json) => {
        if (json.actions) json.actions.remaining++
      }),
    },
  },

  actions: {
    level: 'MUST',
    text: 'The action after the last one allowed is BudgetExceeded, 429.',
    source: sources.budgets,
    basis: { states: '--max-actions enables a budget, and BudgetExceeded is a code of the table.' },
    covers: ['O-X9', 'O-G1'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const limit = limitOf(context, 'budget', '--max-actions')
      const { refusal, allowed } = await exhaust(await openUnusedServer(context, 'budget'))
      assertRefusal(refusal, 'BudgetExceeded')
      assert.equal(allowed, limit, `--max-actions ${limit} allows ${allowed} actions`)
    },
    sabotage: {
      'allows one action too many': allowsOneMore('BudgetExceeded', isOnPath('/api/element/click')),
      'calls a used budget haste': swapCode('BudgetExceeded', 'RateLimited'),
    },
  },

  'every-action': {
    level: 'SHOULD',
    text: 'Actions by coordinates and keys are refused as well.',
    source: sources.budgets,
    basis: {
      because: 'The document does not specify which actions count; otherwise an agent could continue by coordinates.',
    },
    covers: ['O-G1'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await openLimitedServer(context, 'budget')
      await exhaust(http)
      const others = [
        http.post('/api/action', { action: 'click_at', x: 100, y: 100 }),
        http.post('/api/action', { action: 'type', value: 'x' }),
        http.post('/api/action', { action: 'key', value: 'a' }),
        http.post('/api/hover', { x: 100, y: 100, hover_ms: 1 }),
        http.post('/api/drag', { from: { x: 100, y: 100 }, to: { x: 110, y: 110 }, duration_s: 0.01 }),
        http.post('/api/action', { action: 'scroll', x: 100, y: 100, clicks: 1 }),
        http.post('/api/type_and_observe', { text: 'x' }),
      ]
      for (const answer of await Promise.all(others)) assertForbidden(answer, 'BudgetExceeded')
    },
    sabotage: {
      'hovers for nothing': acceptRefused('BudgetExceeded', isOnPath('/api/hover')),
    },
  },

  screenshots: {
    level: 'SHOULD',
    text: 'The screenshot after the last one allowed is BudgetExceeded, 429.',
    source: sources.budgets,
    basis: { because: 'The document names --max-screenshots, and does not specify which requests are refused.' },
    covers: ['O-G1', 'O-X9'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const limit = limitOf(context, 'budget', '--max-screenshots')
      const { refusal, allowed } = await exhaust(await openUnusedServer(context, 'budget'), shoot)
      assertForbidden(refusal, 'BudgetExceeded')
      assert.equal(allowed, limit, `--max-screenshots ${limit} allows ${allowed} screenshots`)
    },
    sabotage: {
      'allows one screenshot too many': allowsOneMore('BudgetExceeded', isOnPath('/api/screenshot')),
      'takes pictures for nothing': takesPictures(),
    },
  },

  rate: {
    level: 'MUST',
    text: 'More actions in a minute than allowed are RateLimited, 429.',
    source: sources.budgets,
    basis: { states: '--actions-per-minute enables a budget, and RateLimited is a code of the table.' },
    covers: ['O-X8', 'O-G1'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const limit = limitOf(context, 'rate', '--actions-per-minute')
      const http = await openUnusedServer(context, 'rate')
      const startedAt = performance.now()
      const { refusal, allowed } = await exhaust(http)
      assert.equal(typeof assertRefusal(refusal, 'RateLimited').context, 'object', 'the type of the context')
      const isOneMinute = performance.now() - startedAt < 60_000 / limit
      assert.ok(!isOneMinute || allowed === limit, `--actions-per-minute ${limit} allows ${allowed} actions at once`)
    },
    sabotage: {
      'allows one action too many in a minute': allowsOneMore('RateLimited', isOnPath('/api/element/click')),
      'calls haste a used budget': swapCode('RateLimited', 'BudgetExceeded'),
    },
  },

  'dry-run': {
    level: 'SHOULD',
    text: 'A dry run costs no action.',
    source: sources.budgets,
    basis: { because: 'The document does not specify what counts; a dry run has no effect.' },
    covers: ['O-G1', 'O-R3'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await openLimitedServer(context, 'budget')
      const used = async () => {
        const status = await statusOf(http)
        return status.configured ? status.actions.used : fail('the budgets of the server are not configured')
      }
      const before = await used()
      await http.post('/api/element/click', { selector: 'Text', dry_run: true })
      assert.equal(await used(), before, 'the actions used after the call')
    },
    sabotage: {
      'counts dry runs': countsUp(),
    },
  },

  pictures: {
    level: 'SHOULD',
    text: 'Cropped and full screenshots count against the budget too.',
    source: sources.budgets,
    basis: { because: 'The document does not specify what counts; another route could bypass the budget.' },
    covers: ['O-G1', 'O-E48', 'O-E50'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      for (const path of ['/api/screenshot/cropped', '/api/full_screenshot']) {
        const http = await openLimitedServer(context, 'budget')
        let answer = await http.get(path)
        for (let count = 0; count < 100 && answer.status === 200; count++) answer = await http.get(path)
        assert.notEqual(answer.status, 200, `a hundred pictures of ${path} were taken, and none was refused`)
        assertForbidden(answer, 'BudgetExceeded')
      }
    },
    sabotage: {
      'takes cropped pictures for nothing': acceptRefused('BudgetExceeded', isOnPath('/api/screenshot/cropped')),
    },
  },

  session: {
    level: 'SHOULD',
    text: 'After the seconds of the session actions are BudgetExceeded, 429.',
    source: sources.budgets,
    basis: { states: '--max-session-seconds enables a budget, and BudgetExceeded is a code of the table.' },
    covers: ['O-G1', 'O-X9'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await openLimitedServer(context, 'short')
      // The remaining time cannot exceed the configured time.
      const giveUpAt = performance.now() + SESSION_MS
      let answer = await click(http)
      while (answer.status === 200 && performance.now() < giveUpAt) {
        await pause(200)
        answer = await click(http)
      }
      assertRefusal(answer, 'BudgetExceeded')
    },
    sabotage: {
      'goes on after its session': swapCode('BudgetExceeded', 'RateLimited'),
    },
  },

  vlm: {
    level: 'MUST',
    text: 'More tokens of a vision model than allowed are BudgetExceeded, 429.',
    source: sources.budgets,
    basis: { states: '--max-vlm-tokens enables a budget, and BudgetExceeded is a code of the table.' },
    covers: ['O-G1', 'O-X9'],
    tier: 'full',
    unchecked: 'it needs a vision model, which the suite does not have',
  },
})

/** Increments the number of used actions on each response. */
function countsUp(): SabotageBehavior {
  let more = 0
  return onSuccessOf('GET /api/budget_status', (json) => {
    if (json.actions) json.actions.used += more++
  })
}

/** Answers a refused picture as if it had been taken. */
function takesPictures(): SabotageBehavior {
  return {
    changeResponse: (response, request) => {
      if (request.path.startsWith('/api/screenshot') && response.status >= 400) response.status = 200
    },
  }
}
