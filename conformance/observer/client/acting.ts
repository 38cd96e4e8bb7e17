import type { Requirement } from '../../requirement.ts'

const FLOW = 'API for LLM tool use, the mandatory sequence'
const COORDINATES = 'API for LLM tool use, coordinates'
const ERRORS = 'API for LLM tool use, version 2, errors'
const BUDGETS = 'API for LLM tool use, version 2, budgets'
const CONFIRMATION = 'API for LLM tool use, version 2, confirmation tokens'
const JUDGEMENT = 'good sense; the document leaves it open'

/** The requirements for agents over REST and MCP, by the rest of their id. */
export const ACTING = {
  'goal:reached': {
    level: 'SHOULD',
    text: 'An agent performs the requested action once and exits with success.',
    source: JUDGEMENT,
    basis: { because: 'Everything else is judged by an agent that can press a button.' },
    covers: ['O-E1'],
  },
  'observe:first': {
    level: 'MUST',
    text: 'An agent looks at the screen before its first action.',
    source: FLOW,
    basis: { states: 'For any task it is mandatory to list the windows, observe one, and act only then.' },
    covers: ['O-E2'],
  },
  'observe:after': {
    level: 'MUST',
    text: 'An agent looks at the screen after every performed action.',
    source: FLOW,
    basis: { states: 'Observing is mandatory after every action; no action is assumed to have succeeded.' },
    covers: ['O-E21'],
  },
  'observe:repeats': {
    level: 'MUST',
    text: 'An action that failed is not repeated before the screen was looked at again.',
    source: FLOW,
    basis: { states: 'If the state is not as expected, re-observe before the same action is repeated.' },
    covers: ['O-X1', 'O-X2', 'O-X3'],
  },
  'coordinates:bounds': {
    level: 'MUST',
    text: 'Coordinates of a click are taken from the bounds of an element.',
    source: COORDINATES,
    basis: { states: 'Coordinates are the centre of bounds in absolute pixels, neither estimated nor remembered.' },
    covers: ['O-R1'],
  },
  'error:recovers': {
    level: 'SHOULD',
    text: 'After a recoverable error, an agent continues and reaches its goal.',
    source: ERRORS,
    basis: { because: 'recoverable and suggested_next_tool are there for that.' },
    covers: ['O-R4', 'O-X1', 'O-X2', 'O-X3'],
  },
  'error:done': {
    level: 'SHOULD',
    text: 'An action that timed out is not repeated when the screen shows that it happened.',
    source: FLOW,
    basis: { because: 'A second click may undo or repeat the effect of the first one.' },
    covers: ['O-X6'],
  },
  'error:reported': {
    level: 'SHOULD',
    text: 'An agent that cannot reach its goal ends with an error.',
    source: JUDGEMENT,
    basis: { because: 'Otherwise the user mistakes a failure for a success.' },
    covers: ['O-X10', 'O-X18'],
  },
  'error:resent': {
    level: 'SHOULD',
    text: 'An action that was refused as not recoverable is not sent again.',
    source: ERRORS,
    basis: { because: 'recoverable is false: the same action is refused again.' },
    covers: ['O-X10', 'O-R4'],
  },
  'budget:stops': {
    level: 'SHOULD',
    text: 'After BudgetExceeded an agent does not act any more.',
    source: BUDGETS,
    basis: { because: 'A budget that is used up does not come back in the session.' },
    covers: ['O-X9', 'O-G1'],
  },
  'rate:waits': {
    level: 'SHOULD',
    text: 'After RateLimited an agent waits for the stated time before it acts again.',
    source: BUDGETS,
    basis: { because: 'The limit is per minute; acting immediately only exhausts it.' },
    covers: ['O-X8', 'O-G1'],
  },
  'confirm:token': {
    level: 'MUST',
    text: 'An action that needs confirmation is sent again only with the confirm_token of its proposal.',
    source: CONFIRMATION,
    basis: { states: 'propose_action answers the confirm_token that the action then carries.' },
    covers: ['O-X11', 'O-E42', 'O-G5'],
  },
  'confirm:reused': {
    level: 'SHOULD',
    text: 'A confirm_token that was refused is not sent again.',
    source: CONFIRMATION,
    basis: { because: 'ConfirmationInvalid reports that the token has expired or belongs to another action.' },
    covers: ['O-X12', 'O-G5'],
  },
  'late:patient': {
    level: 'SHOULD',
    text: 'An action is not sent again while its answer is still to come.',
    source: JUDGEMENT,
    basis: { because: 'Both would be performed.' },
    covers: ['O-R2'],
  },
  'unknown:fields': {
    level: 'SHOULD',
    text: 'Unknown fields, roles and windows are passed over.',
    source: JUDGEMENT,
    basis: { because: 'Version 2 adds fields to version 1 in this way, and later ones will.' },
    covers: ['O-E1', 'O-E2'],
  },
} as const satisfies Readonly<Record<string, Requirement>>

export type ActingRule = keyof typeof ACTING

/** The rows about acting, for the clients of one wire. */
export const actingClientRequirements = (prefix: string): Readonly<Record<string, Requirement>> =>
  Object.fromEntries(Object.entries(ACTING).map(([rule, row]) => [`${prefix}:${rule}`, row]))

/** The rules that each rule relies on, for `dependencies` of a suite. */
export function actingDependencies(prefix: string): Readonly<Record<string, readonly string[]>> {
  const on = (...rules: readonly ActingRule[]) => rules.map((rule) => `${prefix}:${rule}`)
  const goal: readonly ActingRule[] = ['error:recovers', 'unknown:fields', 'late:patient', 'rate:waits']
  return {
    ...Object.fromEntries(goal.map((rule) => [`${prefix}:${rule}`, on('goal:reached')])),
    [`${prefix}:error:done`]: on('error:recovers'),
  }
}

/** The items of the observer's document that they cover. */
export const ACTING_ITEMS =
  'O-E1 O-E2 O-E21 O-E42 O-X1 O-X2 O-X3 O-X6 O-X8 O-X9 O-X10 O-X11 O-X12 O-X18 O-G1 O-G5 O-R1 O-R2 O-R4'
