import { NotReached } from '../../client/conversation.ts'
import type { Ending, Flow, ScriptedServer } from '../../client/flow.ts'
import type { ActingRule } from './acting.ts'
import { GOAL, type ToolError, toolError } from './screen.ts'
import { notFound, RATE_MS, type ScriptedDesktop } from './scripted-desktop.ts'

/** A scripted server that shows a desktop. */
export interface DesktopServer extends ScriptedServer {
  readonly desk: ScriptedDesktop
  /** Waits until the client has begun. */
  started(): Promise<void>
}

/** Waits until the agent has exited or is idle, and judges its last action. */
export async function settled({ desk: desktop }: DesktopServer, { isVerified = true } = {}): Promise<void> {
  const { flowContext } = desktop.context
  desktop.lastCallAt = performance.now()
  while (
    !flowContext.isOver &&
    (desktop.isBusy || performance.now() - desktop.lastCallAt < 2 * flowContext.responseTimeoutMs)
  )
    await flowContext.pause(POLL_MS)
  if (isVerified) desktop.ended()
}

const POLL_MS = 100

interface FlowOptions {
  readonly judges?: readonly ActingRule[]
  readonly ending: readonly [rule: ActingRule, how: Ending]
  readonly prepare: (desktop: ScriptedDesktop) => void
  /** Judges the subject of the flow once the agent is idle. */
  readonly conclude?: (desktop: ScriptedDesktop) => void
}

/** The flows about acting, for the clients of one wire. */
export function actingFlows<Server extends DesktopServer>(prefix: string): readonly Flow<Server>[] {
  const flow = (name: string, about: string, options: FlowOptions): Flow<Server> => {
    const [rule, how] = options.ending
    return {
      name,
      description: about,
      text: GOAL,
      requirements: (options.judges ?? []).map((one) => `${prefix}:${one}`),
      ending: { id: `${prefix}:${rule}`, how },
      async play(server) {
        options.prepare(server.desk)
        await server.started()
        await settled(server)
        options.conclude?.(server.desk)
      },
    }
  }
  const reaches = (rule: ActingRule) => (desktop: ScriptedDesktop) =>
    void desktop.assess(rule, desktop.presses > 0 ? undefined : 'the button was not pressed')
  /** A flow in which the button is refused at first, in a way that the agent can get over. */
  const recovering = (name: string, about: string, error: ToolError, more?: (desktop: ScriptedDesktop) => void) =>
    flow(name, about, {
      judges: ['error:recovers', 'observe:repeats'],
      ending: ['error:recovers', 'well'],
      prepare: (desktop) => {
        desktop.plan = (attempt) => {
          if (attempt > 1) return undefined
          more?.(desktop)
          return error
        }
      },
      conclude: reaches('error:recovers'),
    })
  /** A flow in which the goal cannot be reached. */
  const hopeless = (name: string, about: string, error: ToolError, judges: readonly ActingRule[]) =>
    flow(name, about, {
      judges: ['error:reported', ...judges],
      ending: ['error:reported', 'badly'],
      prepare: (desktop) => {
        desktop.plan = () => error
      },
      conclude: (desktop) => {
        if (desktop.attempts === 0) throw new NotReached('the client did not try to press the button')
        for (const rule of judges) desktop.assess(rule, undefined)
      },
    })

  return [
    flow('press', 'The agent presses a button.', {
      judges: ['goal:reached', 'observe:first', 'observe:after', 'coordinates:bounds'],
      ending: ['goal:reached', 'well'],
      prepare: () => {},
      conclude: (desktop) =>
        desktop.assess(
          'goal:reached',
          desktop.presses === 1 ? undefined : `the button was pressed ${desktop.presses} times`,
        ),
    }),
    flow('unknown-fields', 'Every answer has fields that no document knows.', {
      judges: ['unknown:fields'],
      ending: ['unknown:fields', 'well'],
      prepare: (desktop) => {
        desktop.more = { vendor: { shard: 7 }, layers: [1, 2], hologram: null }
      },
      conclude: reaches('unknown:fields'),
    }),
    recovering(
      'stale-element',
      'The element has been replaced when the agent presses it: ElementNotFound.',
      notFound('Save'),
      (desktop) => desktop.renew(),
    ),
    recovering(
      'disabled',
      'The button is disabled for a moment: ElementDisabled.',
      toolError('ElementDisabled', 'the element is disabled', { recoverable: true, suggested_next_tool: 'wait_for' }),
    ),
    recovering(
      'occluded',
      'The button is covered for a moment: ElementOccluded.',
      toolError('ElementOccluded', 'another window covers it', {
        recoverable: true,
        suggested_next_tool: 'observe_window',
      }),
    ),
    flow('timeout', 'Pressing times out, and the screen shows that it happened.', {
      judges: ['error:done'],
      ending: ['error:done', 'well'],
      prepare: (desktop) => {
        desktop.pressesAnyway = true
        desktop.plan = (attempt) =>
          attempt > 1
            ? undefined
            : toolError('Timeout', 'timed out', { recoverable: true, suggested_next_tool: 'observe_window' })
      },
      conclude: (desktop) => {
        if (desktop.attempts === 0) throw new NotReached('the client did not try to press the button')
        desktop.assess(
          'error:done',
          desktop.presses === 1 ? undefined : `the button was pressed ${desktop.presses} times`,
        )
      },
    }),
    hopeless('denied', 'Pressing is forbidden: PermissionDenied.', toolError('PermissionDenied', 'not allowed'), [
      'error:resent',
    ]),
    hopeless('internal', 'Pressing fails within the server: Internal.', toolError('Internal', 'internal error'), [
      'error:resent',
    ]),
    hopeless(
      'budget',
      'The budget of actions is used up: BudgetExceeded.',
      toolError('BudgetExceeded', 'no actions left'),
      ['budget:stops'],
    ),
    flow('rate-limit', 'The first press is refused by a limit of actions a minute: RateLimited.', {
      judges: ['rate:waits'],
      ending: ['rate:waits', 'either'],
      prepare: (desktop) => {
        const context = { retry_after_s: RATE_MS / 1000 }
        const message = `too many actions; try again in ${RATE_MS / 1000} s`
        desktop.plan = (attempt) =>
          attempt > 1 ? undefined : toolError('RateLimited', message, { recoverable: true, context })
      },
      conclude: (desktop) => {
        if (desktop.attempts < 2) throw new NotReached('the client did not act again after RateLimited')
      },
    }),
    flow('confirmation', 'Pressing needs a confirmation: ConfirmationRequired.', {
      judges: ['confirm:token'],
      ending: ['confirm:token', 'either'],
      prepare: (desktop) => {
        desktop.plan = (_, token) => (token !== undefined && token === desktop.knownToken ? undefined : unconfirmed)
      },
      conclude: (desktop) => {
        if (desktop.attempts < 2) throw new NotReached('the client did not act again after ConfirmationRequired')
      },
    }),
    flow('stale-token', 'The confirmation has expired when it is used: ConfirmationInvalid.', {
      judges: ['confirm:reused'],
      ending: ['confirm:reused', 'either'],
      prepare: (desktop) => {
        const seen = new Set<string>()
        desktop.plan = (_, token) => {
          if (token === undefined) return unconfirmed
          if (seen.size > 0 && !seen.has(token)) return undefined
          seen.add(token)
          return toolError('ConfirmationInvalid', 'the token has expired', {
            recoverable: true,
            suggested_next_tool: 'propose_action',
          })
        }
      },
      conclude: (desktop) => {
        if (desktop.attempts < 3) throw new NotReached('the client did not act again after ConfirmationInvalid')
      },
    }),
    flow('late-answer', 'Every action is answered after three seconds.', {
      judges: ['late:patient'],
      ending: ['late:patient', 'well'],
      prepare: (desktop) => {
        desktop.delayMs = LATE_MS
      },
      conclude: reaches('late:patient'),
    }),
  ]
}

const LATE_MS = 3000

const unconfirmed = toolError('ConfirmationRequired', 'this action needs a confirmation', {
  recoverable: true,
  suggested_next_tool: 'propose_action',
})
