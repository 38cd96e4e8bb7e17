import { NotReached } from '../conversation.ts'
import type { Ending, Flow, ScriptedServer } from '../flow.ts'
import type { ActingRule } from './acting.ts'
import { GOAL, type Problem, problem } from './screen.ts'
import { type Desk, notFound, RATE_MS } from './scripted-desktop.ts'

/** A scripted server that shows a desktop. */
export interface DeskServer extends ScriptedServer {
  readonly desk: Desk
  /** Waits until the client has begun. */
  started(): Promise<void>
}

/** Waits until the agent has ended, or done nothing for a while, and judges its last action. */
export async function settled({ desk }: DeskServer, { isVerified = true } = {}): Promise<void> {
  const { judge } = desk.scene
  desk.lastCallAt = performance.now()
  while (!judge.isOver && (desk.isBusy || performance.now() - desk.lastCallAt < 2 * judge.patienceMs))
    await judge.pause(POLL_MS)
  if (isVerified) desk.ended()
}

const POLL_MS = 100

interface FlowOptions {
  readonly judges?: readonly ActingRule[]
  readonly ending: readonly [rule: ActingRule, how: Ending]
  readonly prepare: (desk: Desk) => void
  /** Judges what the flow is about once the agent has settled. */
  readonly conclude?: (desk: Desk) => void
}

/** The flows about acting, for the clients of one wire. */
export function actingFlows<Server extends DeskServer>(prefix: string): readonly Flow<Server>[] {
  const flow = (name: string, about: string, options: FlowOptions): Flow<Server> => {
    const [rule, how] = options.ending
    return {
      name,
      about,
      text: GOAL,
      judges: (options.judges ?? []).map((one) => `${prefix}:${one}`),
      ending: { id: `${prefix}:${rule}`, how },
      async play(server) {
        options.prepare(server.desk)
        await server.started()
        await settled(server)
        options.conclude?.(server.desk)
      },
    }
  }
  const reaches = (rule: ActingRule) => (desk: Desk) =>
    void desk.rule(rule, desk.presses > 0 ? undefined : 'the button was not pressed')
  /** A flow in which the button is refused at first, in a way that the agent can get over. */
  const recovering = (name: string, about: string, error: Problem, more?: (desk: Desk) => void) =>
    flow(name, about, {
      judges: ['error:recovers', 'observe:repeats'],
      ending: ['error:recovers', 'well'],
      prepare: (desk) => {
        desk.plan = (attempt) => {
          if (attempt > 1) return undefined
          more?.(desk)
          return error
        }
      },
      conclude: reaches('error:recovers'),
    })
  /** A flow in which the goal cannot be reached. */
  const hopeless = (name: string, about: string, error: Problem, judges: readonly ActingRule[]) =>
    flow(name, about, {
      judges: ['error:reported', ...judges],
      ending: ['error:reported', 'badly'],
      prepare: (desk) => {
        desk.plan = () => error
      },
      conclude: (desk) => {
        if (desk.attempts === 0) throw new NotReached('the client did not try to press the button')
        for (const rule of judges) desk.rule(rule, undefined)
      },
    })

  return [
    flow('press', 'The agent presses a button.', {
      judges: ['goal:reached', 'observe:first', 'observe:after', 'coordinates:bounds'],
      ending: ['goal:reached', 'well'],
      prepare: () => {},
      conclude: (desk) =>
        desk.rule('goal:reached', desk.presses === 1 ? undefined : `the button was pressed ${desk.presses} times`),
    }),
    flow('unknown-fields', 'Every answer has fields that no document knows.', {
      judges: ['unknown:fields'],
      ending: ['unknown:fields', 'well'],
      prepare: (desk) => {
        desk.more = { vendor: { shard: 7 }, layers: [1, 2], hologram: null }
      },
      conclude: reaches('unknown:fields'),
    }),
    recovering(
      'stale-element',
      'The element has been replaced when the agent presses it: ElementNotFound.',
      notFound('Save'),
      (desk) => desk.renew(),
    ),
    recovering(
      'disabled',
      'The button is disabled for a moment: ElementDisabled.',
      problem('ElementDisabled', 'the element is disabled', { recoverable: true, suggested_next_tool: 'wait_for' }),
    ),
    recovering(
      'occluded',
      'The button is covered for a moment: ElementOccluded.',
      problem('ElementOccluded', 'another window covers it', {
        recoverable: true,
        suggested_next_tool: 'observe_window',
      }),
    ),
    flow('timeout', 'Pressing times out, and the screen shows that it happened.', {
      judges: ['error:done'],
      ending: ['error:done', 'well'],
      prepare: (desk) => {
        desk.pressesAnyway = true
        desk.plan = (attempt) =>
          attempt > 1
            ? undefined
            : problem('Timeout', 'timed out', { recoverable: true, suggested_next_tool: 'observe_window' })
      },
      conclude: (desk) => {
        if (desk.attempts === 0) throw new NotReached('the client did not try to press the button')
        desk.rule('error:done', desk.presses === 1 ? undefined : `the button was pressed ${desk.presses} times`)
      },
    }),
    hopeless('denied', 'Pressing is forbidden: PermissionDenied.', problem('PermissionDenied', 'not allowed'), [
      'error:resent',
    ]),
    hopeless('internal', 'Pressing fails within the server: Internal.', problem('Internal', 'internal error'), [
      'error:resent',
    ]),
    hopeless(
      'budget',
      'The budget of actions is used up: BudgetExceeded.',
      problem('BudgetExceeded', 'no actions left'),
      ['budget:stops'],
    ),
    flow('rate-limit', 'The first press is refused by a limit of actions a minute: RateLimited.', {
      judges: ['rate:waits'],
      ending: ['rate:waits', 'either'],
      prepare: (desk) => {
        const context = { retry_after_s: RATE_MS / 1000 }
        const message = `too many actions; try again in ${RATE_MS / 1000} s`
        desk.plan = (attempt) =>
          attempt > 1 ? undefined : problem('RateLimited', message, { recoverable: true, context })
      },
      conclude: (desk) => {
        if (desk.attempts < 2) throw new NotReached('the client did not act again after RateLimited')
      },
    }),
    flow('confirmation', 'Pressing needs a confirmation: ConfirmationRequired.', {
      judges: ['confirm:token'],
      ending: ['confirm:token', 'either'],
      prepare: (desk) => {
        desk.plan = (_, token) => (token !== undefined && token === desk.knownToken ? undefined : unconfirmed)
      },
      conclude: (desk) => {
        if (desk.attempts < 2) throw new NotReached('the client did not act again after ConfirmationRequired')
      },
    }),
    flow('stale-token', 'The confirmation has expired when it is used: ConfirmationInvalid.', {
      judges: ['confirm:reused'],
      ending: ['confirm:reused', 'either'],
      prepare: (desk) => {
        const seen = new Set<string>()
        desk.plan = (_, token) => {
          if (token === undefined) return unconfirmed
          if (seen.size > 0 && !seen.has(token)) return undefined
          seen.add(token)
          return problem('ConfirmationInvalid', 'the token has expired', {
            recoverable: true,
            suggested_next_tool: 'propose_action',
          })
        }
      },
      conclude: (desk) => {
        if (desk.attempts < 3) throw new NotReached('the client did not act again after ConfirmationInvalid')
      },
    }),
    flow('late-answer', 'Every action is answered after three seconds.', {
      judges: ['late:patient'],
      ending: ['late:patient', 'well'],
      prepare: (desk) => {
        desk.delayMs = LATE_MS
      },
      conclude: reaches('late:patient'),
    }),
  ]
}

const LATE_MS = 3000

const unconfirmed = problem('ConfirmationRequired', 'this action needs a confirmation', {
  recoverable: true,
  suggested_next_tool: 'propose_action',
})
