import type * as z from 'zod'
import { Fault } from '../../../base/fault.ts'
import type { ComputerCallOptions, ComputerCallResult } from '../dialect.ts'
import { readPart, unknownName, withoutNullFields } from '../input.ts'
import { type ModelScreen, modelScreen } from '../screen.ts'
import {
  faultOf,
  hasDone,
  type NeededConfirmation,
  runActions,
  type StepCaller,
  type StepsOutcome,
  type TranslatedAction,
  takeScreenshot,
} from '../steps.ts'
import { OPENAI_ACTIONS } from './actions.ts'
import { OPENAI_BUDGET } from './definition.ts'
import { type OpenAiCallOutput, OpenAiComputerCall, type OpenAiSafetyCheck } from './wire.ts'

/** A picture of one transparent pixel, for a call whose screenshot is refused. */
export const NO_PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=='

/**
 * Executes a `computer_call`: its actions in order up to the first failure, then a screenshot. The item has no field for an
 * error, so that a failure is in `fault` only.
 */
export async function runOpenAi(
  caller: StepCaller,
  body: unknown,
  { display, pointer, acknowledged }: ComputerCallOptions,
): Promise<ComputerCallResult<OpenAiCallOutput>> {
  const toolCall = readPart(OpenAiComputerCall, body)
  const { acknowledged_safety_checks: checks, ...asSent } = toolCall
  const known = [...(Array.isArray(acknowledged) ? acknowledged : []), ...(checks ?? []).map(({ id }) => id)]
  const actions = readActions(toolCall)
  const screen = { ...(await modelScreen(caller.session, OPENAI_BUDGET, display)), pointer }
  const pending = (toolCall.pending_safety_checks ?? []).map(toCheck)
  const unacknowledged = pending.filter(({ id }) => !known.includes(id))
  const outcome =
    acknowledged !== true && unacknowledged.length > 0
      ? waitingFor(unacknowledged)
      : await runTranslated(caller, actions, screen, JSON.stringify(asSent), acknowledged === true || known)
  const { type, call_id } = toolCall
  const picture = await takeScreenshot(caller, screen, hasDone(outcome) ? { type, call_id } : asSent)
  const passed = pending.filter(({ id }) => acknowledged === true || known.includes(id))
  return {
    output: {
      type: 'computer_call_output',
      call_id,
      output: {
        type: 'computer_screenshot',
        image_url: `data:image/png;base64,${picture?.data ?? NO_PICTURE}`,
        detail: 'original',
      },
      ...(passed.length > 0 && { acknowledged_safety_checks: passed }),
    },
    ...(outcome.fault && { fault: outcome.fault }),
    ...(outcome.confirmation && { confirmation: outcome.confirmation }),
  }
}

const toCheck = (check: z.infer<typeof OpenAiSafetyCheck>): OpenAiSafetyCheck => ({
  id: check.id,
  code: check.code ?? null,
  message: check.message ?? null,
})

/** An action and its parsed input. */
interface ReadAction {
  readonly raw: unknown
  readonly steps: (screen: ModelScreen) => TranslatedAction['steps']
}

/** The actions of a call. Throws `BadRequest` for an unknown type and for fields that do not fit. */
function readActions({ actions, action }: Pick<OpenAiComputerCall, 'action' | 'actions'>): readonly ReadAction[] {
  const all = actions ?? (action ? [action] : undefined)
  if (!all) throw new Fault('BadRequest', 'actions: is missing; a computer_call has actions, or one action')
  return all.map((raw, index) => {
    const definition = OPENAI_ACTIONS.get(raw.type)
    if (!definition) throw unknownName('action', raw.type, [...OPENAI_ACTIONS.keys()])
    const input = readPart(definition.input, withoutNullFields(raw), actions ? `actions.${index}` : 'action') as never
    return { raw, steps: (screen) => definition.steps(input, screen) }
  })
}

/** Executes actions without a call around them. An unknown type and fields that do not fit are the fault of the outcome. */
export async function runOpenAiActions(
  caller: StepCaller,
  given: Pick<OpenAiComputerCall, 'action' | 'actions'>,
  screen: ModelScreen,
  key: string,
): Promise<StepsOutcome> {
  const read = await faultOf(() => readActions(given))
  return 'fault' in read ? { results: [], fault: read.fault } : runTranslated(caller, read.value, screen, key, false)
}

/** Executes the actions that can be translated. The first that cannot, such as a click outside of the screen, fails. */
async function runTranslated(
  caller: StepCaller,
  actions: readonly ReadAction[],
  screen: ModelScreen,
  key: string,
  acknowledged: readonly string[] | boolean,
): Promise<StepsOutcome> {
  const translated: TranslatedAction[] = []
  let failed: Fault | undefined
  for (const { raw, steps } of actions) {
    const found = await faultOf(() => steps(screen))
    if ('fault' in found) {
      failed = found.fault
      break
    }
    translated.push({ raw, steps: found.value })
  }
  const outcome = await runActions(caller, translated, key, acknowledged)
  return outcome.fault || !failed ? outcome : { ...outcome, fault: failed }
}

/** The outcome of a call whose own safety checks nobody has acknowledged. */
function waitingFor(checks: readonly OpenAiSafetyCheck[]): StepsOutcome {
  const message = checks.map(({ code, message }) => message ?? code ?? 'a safety check').join('; ')
  const id = checks.map((check) => check.id).join(',')
  const confirmation: NeededConfirmation = { id, message, checks }
  return {
    results: [],
    fault: new Fault('ConfirmationRequired', `acknowledge the safety checks: ${message}`),
    confirmation,
  }
}
