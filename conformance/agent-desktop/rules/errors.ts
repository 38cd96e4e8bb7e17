import assert from 'node:assert/strict'
import { parseAs } from '../../probe/failure.ts'
import { defineRules } from '../../suite/rules.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { CODES, Disposition } from '../contract.ts'
import { sources } from '../document.ts'
import {
  changeCode,
  expectCode,
  fact,
  forgive,
  freshRef,
  onError,
  onPrinted,
  refOf,
  refused,
  takeSnapshot,
} from '../driver.ts'

const NEEDS = ['process:failure']
const NOWHERE = 'nothing-of-this-name'
const LOST_REF = '@snothing:e1'

/** Errors that every desktop can give. */
const provoke = async (context: TestContext) => [
  await refused(context, 'click', LOST_REF),
  await refused(context, 'snapshot', '--app', NOWHERE),
  await refused(context, 'wait', '--text', NOWHERE, '--timeout', '200'),
  await refused(context, NOWHERE),
]

/** Codes, dispositions and recovery. */
export const errorRules = defineRules('error', NEEDS, {
  codes: {
    level: 'MUST',
    text: 'The code of an error is one of the sixteen.',
    source: sources.errors,
    basis: { states: 'There are sixteen codes.' },
    covers: ['AD-P3'],
    check: async (context) => {
      const codes: readonly string[] = CODES
      for (const { code } of await provoke(context)) assert.ok(codes.includes(code), `${code} is not a known code`)
    },
    sabotage: {
      'has codes of its own': {
        ...onError('TIMEOUT', (error) => {
          error.code = 'WAIT_EXPIRED'
        }),
        alsoBreaks: ['error:disabled', 'command:expiry'],
      },
    },
  },

  disposition: {
    level: 'MUST',
    text: 'Every error says how far the action came, and whether a retry is safe.',
    source: sources.errors,
    basis: {
      states:
        'An error always has a disposition; retry is safe after not_delivered, unsafe after delivery, else unknown.',
    },
    covers: ['AD-E17'],
    check: async (context) => {
      for (const { code, disposition } of await provoke(context))
        parseAs(Disposition, disposition, `the disposition of ${code}`)
    },
    sabotage: {
      'calls retries unsafe that are safe': onPrinted((value) => {
        if (!value.ok && value.error.disposition.delivery === 'not_delivered') value.error.disposition.retry = 'unsafe'
      }),
    },
  },

  'disposition-arguments': {
    level: 'MUST',
    text: 'The disposition of wrong arguments is unknown.',
    source: sources.errors,
    basis: { states: 'Errors that the adapter does not raise, such as argument checks, have the disposition unknown.' },
    covers: ['AD-E17', 'AD-P5'],
    check: async (context) =>
      assert.deepEqual((await refused(context, NOWHERE)).disposition, { delivery: 'unknown', retry: 'unknown' }),
    sabotage: {
      'calls wrong arguments not delivered': onError('INVALID_ARGS', (error) => {
        error.disposition = { delivery: 'not_delivered', retry: 'safe' }
      }),
    },
  },

  recovery: {
    level: 'MUST',
    text: 'STALE_REF and SNAPSHOT_NOT_FOUND say to take a fresh snapshot and retry.',
    source: sources.errors,
    basis: { states: 'The strategy of both is refresh_snapshot_then_retry_original.' },
    covers: ['AD-E18', 'AD-E13'],
    check: async (context) => {
      const { recovery } = await refused(context, 'click', LOST_REF)
      assert.deepEqual(
        {
          strategy: recovery?.strategy,
          retryable: recovery?.retryable,
          requires_fresh_snapshot: recovery?.requires_fresh_snapshot,
        },
        { strategy: 'refresh_snapshot_then_retry_original', retryable: true, requires_fresh_snapshot: true },
      )
    },
    sabotage: {
      'names no recovery': onError('SNAPSHOT_NOT_FOUND', (error) => {
        delete error.recovery
      }),
    },
  },

  'recovery-policy': {
    level: 'MUST',
    text: 'POLICY_DENIED says to ask for the policy and retry.',
    source: sources.errors,
    basis: { states: 'The strategy of POLICY_DENIED is request_explicit_policy_then_retry_original.' },
    covers: ['AD-E18', 'AD-E14'],
    needs: ['error:policy'],
    check: async (context) => {
      const { recovery } = await refused(context, 'double-click', await freshRef(context, 'button'))
      assert.equal(recovery?.strategy, 'request_explicit_policy_then_retry_original', 'strategy')
    },
    sabotage: {
      'says to look again where a policy is missing': onError('POLICY_DENIED', (error) => {
        error.recovery.strategy = 'refresh_snapshot_then_retry_original'
      }),
    },
  },

  app: {
    level: 'MUST',
    text: 'An app that is not running is APP_NOT_FOUND.',
    source: sources.errors,
    basis: { states: 'APP_NOT_FOUND is the code for an app that is not there.' },
    covers: ['AD-E3'],
    check: (context) => expectCode(context, 'APP_NOT_FOUND', 'snapshot', '--app', NOWHERE),
    sabotage: { 'calls missing apps missing windows': changeCode('APP_NOT_FOUND', 'WINDOW_NOT_FOUND') },
  },

  window: {
    level: 'MUST',
    text: 'A window that is not open is WINDOW_NOT_FOUND.',
    source: sources.errors,
    basis: { states: 'WINDOW_NOT_FOUND is the code for a window that is not there.' },
    covers: ['AD-E8'],
    check: (context) => expectCode(context, 'WINDOW_NOT_FOUND', 'snapshot', '--window-id', `w-${NOWHERE}`),
    sabotage: { 'calls missing windows missing apps': changeCode('WINDOW_NOT_FOUND', 'APP_NOT_FOUND') },
  },

  snapshot: {
    level: 'MUST',
    text: 'A ref of an unknown snapshot is SNAPSHOT_NOT_FOUND.',
    source: sources.refs,
    basis: { states: 'A ref of a snapshot that is not known is SNAPSHOT_NOT_FOUND.' },
    covers: ['AD-E13'],
    check: (context) => expectCode(context, 'SNAPSHOT_NOT_FOUND', 'click', LOST_REF),
    sabotage: {
      'calls lost snapshots stale': changeCode('SNAPSHOT_NOT_FOUND', 'STALE_REF', ({ words }) => words[1] === LOST_REF),
    },
  },

  number: {
    level: 'MUST',
    text: 'A number that its snapshot does not have is STALE_REF.',
    source: sources.refs,
    basis: { states: 'A number that is not in the map of its snapshot is STALE_REF.' },
    covers: ['AD-E6', 'AD-R3'],
    check: async (context) => {
      const { snapshot_id } = await takeSnapshot(context)
      await expectCode(context, 'STALE_REF', 'click', `@${snapshot_id}:e99999`)
    },
    sabotage: {
      'calls unknown numbers lost snapshots': changeCode('STALE_REF', 'SNAPSHOT_NOT_FOUND', ({ words }) =>
        Boolean(words[1]?.endsWith(':e99999')),
      ),
    },
  },

  mismatch: {
    level: 'MUST',
    text: 'A ref with another snapshot than --snapshot is INVALID_ARGS.',
    source: sources.refs,
    basis: { states: 'An embedded snapshot that differs from --snapshot is INVALID_ARGS.' },
    covers: ['AD-E11', 'AD-R1'],
    check: async (context) =>
      expectCode(context, 'INVALID_ARGS', 'click', await freshRef(context, 'button'), '--snapshot', 'sother'),
    sabotage: {
      'ignores another snapshot': changeCode('INVALID_ARGS', 'SNAPSHOT_NOT_FOUND', ({ words }) =>
        words.includes('sother'),
      ),
    },
  },

  policy: {
    level: 'MUST',
    text: 'A double click without --headed is POLICY_DENIED.',
    source: sources.commands,
    basis: { states: 'double-click needs --headed, else POLICY_DENIED.' },
    covers: ['AD-E14', 'AD-A4'],
    check: async (context) => expectCode(context, 'POLICY_DENIED', 'double-click', await freshRef(context, 'button')),
    sabotage: {
      'calls denied clicks unsupported': changeCode('POLICY_DENIED', 'ACTION_NOT_SUPPORTED', ({ words }) =>
        words.includes('double-click'),
      ),
    },
  },

  chord: {
    level: 'MUST',
    text: 'A chord that quits programs needs --force.',
    source: sources.commands,
    basis: { states: 'Dangerous chords such as cmd+q are POLICY_DENIED without --force.' },
    covers: ['AD-E14', 'AD-A4'],
    check: (context) => expectCode(context, 'POLICY_DENIED', 'press', 'cmd+q', '--app', fact(context, 'app')),
    sabotage: {
      'calls dangerous chords failed': changeCode('POLICY_DENIED', 'ACTION_FAILED', ({ words }) =>
        words.includes('press'),
      ),
    },
  },

  reserved: {
    level: 'MUST',
    text: 'Commands that are reserved are ACTION_NOT_SUPPORTED.',
    source: sources.commands,
    basis: { states: 'key-down and the like are reserved and answer ACTION_NOT_SUPPORTED.' },
    covers: ['AD-E5'],
    check: (context) => expectCode(context, 'ACTION_NOT_SUPPORTED', 'key-down', 'a'),
    sabotage: { 'calls reserved commands internal errors': changeCode('ACTION_NOT_SUPPORTED', 'INTERNAL') },
  },

  notification: {
    level: 'MUST',
    text: 'A notification that is not there is NOTIFICATION_NOT_FOUND.',
    source: sources.errors,
    basis: { states: 'NOTIFICATION_NOT_FOUND is the code for a notification that is not there.' },
    covers: ['AD-E12'],
    check: (context) => expectCode(context, 'NOTIFICATION_NOT_FOUND', 'dismiss-notification', '9999'),
    sabotage: {
      'calls missing notifications missing elements': changeCode('NOTIFICATION_NOT_FOUND', 'ELEMENT_NOT_FOUND'),
    },
  },

  stale: {
    level: 'MUST',
    text: 'The ref of an element that has vanished is STALE_REF, and nothing is done.',
    source: sources.table,
    basis: { states: 'A vanished element is stale.' },
    covers: ['AD-E6', 'AD-R3'],
    needs: ['action:click'],
    check: async (context) => {
      await context.run('click', await freshRef(context, 'opener'))
      const closer = refOf(context, await takeSnapshot(context), 'closer')
      await context.run('click', closer)
      const { code, disposition } = await refused(context, 'click', closer)
      assert.deepEqual({ code, delivery: disposition.delivery }, { code: 'STALE_REF', delivery: 'not_delivered' })
    },
    sabotage: {
      'calls vanished elements missing': changeCode(
        'STALE_REF',
        'ELEMENT_NOT_FOUND',
        ({ words }) => words[1] !== undefined && !words[1].endsWith(':e99999'),
      ),
      'clicks what has vanished': { ...forgive('STALE_REF'), alsoBreaks: ['error:number'] },
    },
  },

  twins: {
    level: 'MUST',
    text: 'A ref that fits several elements is AMBIGUOUS_TARGET, and none of them is used.',
    source: sources.table,
    basis: { states: 'Identical buttons are ambiguous; never an arbitrary one is chosen.' },
    covers: ['AD-E7', 'AD-R3'],
    check: async (context) => {
      const { code, disposition } = await refused(context, 'click', await freshRef(context, 'twins'))
      assert.deepEqual(
        { code, delivery: disposition.delivery },
        { code: 'AMBIGUOUS_TARGET', delivery: 'not_delivered' },
      )
    },
    sabotage: {
      'calls twins stale': changeCode('AMBIGUOUS_TARGET', 'STALE_REF'),
      'clicks one of two twins': forgive('AMBIGUOUS_TARGET'),
    },
  },

  disabled: {
    level: 'MUST',
    text: 'A disabled element is not acted on: the call ends after its time, not delivered, and the check enabled fails.',
    source: sources.table,
    basis: { states: 'A disabled element blocks before anything is dispatched; the report names each check.' },
    covers: ['AD-A3', 'AD-E10'],
    check: async (context) => {
      const ref = await freshRef(context, 'disabled')
      const { code, disposition, details } = await refused(context, 'click', ref, '--timeout-ms', '300')
      assert.deepEqual({ code, delivery: disposition.delivery }, { code: 'TIMEOUT', delivery: 'not_delivered' })
      const checks = (details?.checks ?? []) as readonly { readonly check?: string; readonly status?: string }[]
      assert.equal(checks.find(({ check }) => check === 'enabled')?.status, 'fail', 'the check enabled')
    },
    sabotage: {
      'says that disabled elements got the click': onError('TIMEOUT', (error) => {
        if (error.details.kind === 'actionability_timeout')
          error.disposition = { delivery: 'delivered_unverified', retry: 'unsafe' }
      }),
      'reports no checks of elements': onError('TIMEOUT', (error) => {
        delete error.details.checks
      }),
    },
  },

  permission: {
    level: 'MUST',
    text: 'A call without the permission of the system is PERM_DENIED.',
    source: sources.errors,
    basis: { states: 'PERM_DENIED is the code for a missing permission.' },
    covers: ['AD-E1'],
    unchecked: 'nobody outside of a system can take its permission away',
  },

  missing: {
    level: 'MUST',
    text: 'An element that is not there is ELEMENT_NOT_FOUND where no ref names it.',
    source: sources.errors,
    basis: { states: 'ELEMENT_NOT_FOUND is the code for an element that is not there.' },
    covers: ['AD-E2'],
    unchecked: 'the commands that take no ref say so by an empty result',
  },

  failed: {
    level: 'MUST',
    text: 'An action without the result that it should have is ACTION_FAILED.',
    source: sources.errors,
    basis: { states: 'A value that is another after the action is ACTION_FAILED.' },
    covers: ['AD-E4'],
    unchecked: 'no desktop can be made to fail from outside',
  },

  platform: {
    level: 'MUST',
    text: 'What a platform does not have is PLATFORM_NOT_SUPPORTED.',
    source: sources.errors,
    basis: { states: 'PLATFORM_NOT_SUPPORTED is the code for surfaces that the platform lacks.' },
    covers: ['AD-E9'],
    unchecked: 'what is missing differs between platforms',
  },

  unresponsive: {
    level: 'MUST',
    text: 'An app that does not answer is APP_UNRESPONSIVE.',
    source: sources.errors,
    basis: { states: 'APP_UNRESPONSIVE is the code for an app that does not answer.' },
    covers: ['AD-E15'],
    unchecked: 'no app can be made to hang from outside',
  },

  internal: {
    level: 'MUST',
    text: 'An error of the program itself is INTERNAL.',
    source: sources.errors,
    basis: { states: 'INTERNAL is the code for errors of the program.' },
    covers: ['AD-E16'],
    unchecked: 'a correct program has no such error',
  },
})
