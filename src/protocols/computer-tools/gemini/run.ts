import { createHash } from 'node:crypto'
import { Fault } from '../../../base/fault.ts'
import type { ComputerCallOptions, ComputerCallResult } from '../dialect.ts'
import { readPart, unknownName, withoutNullFields } from '../input.ts'
import { type ModelScreen, modelScreen } from '../screen.ts'
import {
  type Acknowledgement,
  faultOf,
  hasDone,
  type ModelPicture,
  runActions,
  type StepCaller,
  type StepsOutcome,
  takeScreenshot,
} from '../steps.ts'
import { GEMINI_BUDGET } from './definition.ts'
import { GEMINI_FUNCTIONS } from './functions.ts'
import { type GeminiAnswer, type GeminiCall, readGeminiCalls } from './request.ts'
import type { GeminiOutput } from './wire.ts'

/** Executes function calls in order. After the first failure the others are answered as not executed. */
export async function runGemini(
  caller: StepCaller,
  body: unknown,
  { display, pointer, acknowledged }: ComputerCallOptions,
): Promise<ComputerCallResult<GeminiOutput>> {
  const { calls, toOutput } = readGeminiCalls(body)
  const screen = { ...(await modelScreen(caller.session, GEMINI_BUDGET, display)), pointer }
  const answers: GeminiAnswer[] = []
  let failed: StepsOutcome | undefined
  for (const functionCall of calls) {
    if (failed) {
      answers.push({ call: functionCall, response: { error: NOT_EXECUTED }, picture: undefined, isError: true })
      continue
    }
    const isAcknowledged = acknowledgementOf(functionCall, acknowledged)
    const outcome = await runFunction(caller, functionCall, screen, isAcknowledged)
    const { id, name, raw } = functionCall
    const picture = await takeScreenshot(caller, screen, hasDone(outcome) ? { id, name } : raw)
    answers.push(answerOf(functionCall, outcome, picture, isAcknowledged))
    if (outcome.fault) failed = outcome
  }
  return {
    output: toOutput(answers),
    ...(failed?.fault && { fault: failed.fault }),
    ...(failed?.confirmation && { confirmation: failed.confirmation }),
  }
}

const NOT_EXECUTED = 'Not executed: an earlier function call failed.'

/** The id of the confirmation that the model's own safety system requires for a call. */
const decisionId = ({ key }: GeminiCall): string =>
  `safety:${createHash('sha256').update(key).digest('hex').slice(0, 16)}`

/** What the sender of a call acknowledges: `true`, or ids of confirmations. */
function acknowledgementOf({ acknowledgement }: GeminiCall, acknowledged: Acknowledgement = false): Acknowledgement {
  if (acknowledged === true || acknowledgement === true || acknowledgement === 'true') return true
  const ids = Array.isArray(acknowledged) ? acknowledged : []
  return typeof acknowledgement === 'string' ? [...ids, acknowledgement] : ids
}

async function runFunction(
  caller: StepCaller,
  functionCall: GeminiCall,
  screen: ModelScreen,
  acknowledged: Acknowledgement,
): Promise<StepsOutcome> {
  const { name, args, decision } = functionCall
  const id = decisionId(functionCall)
  const isConfirmed = acknowledged === true || (acknowledged !== false && acknowledged.includes(id))
  if (decision && !isConfirmed)
    return {
      results: [],
      fault: new Fault('ConfirmationRequired', `acknowledge the safety decision: ${decision}`),
      confirmation: { id, message: decision },
    }
  const translated = await faultOf(() => {
    const definition = GEMINI_FUNCTIONS.get(name)
    if (!definition) throw unknownName('function', name, [...GEMINI_FUNCTIONS.keys()])
    return definition.steps(readPart(definition.input, withoutNullFields(args), name) as never, screen)
  })
  if ('fault' in translated) return { results: [], fault: translated.fault }
  return runActions(caller, [{ raw: functionCall.raw, steps: translated.value }], functionCall.key, acknowledged)
}

/** The answer of a call. The response of the first generation contains a URL, which a desktop does not have. */
function answerOf(
  functionCall: GeminiCall,
  { fault, confirmation }: StepsOutcome,
  picture: ModelPicture | undefined,
  acknowledged: Acknowledgement,
): GeminiAnswer {
  const isAcknowledged = functionCall.decision !== undefined && acknowledged !== false && !confirmation
  const response = {
    ...(fault ? { error: fault.message } : { output: 'Done.' }),
    ...(GEMINI_FUNCTIONS.get(functionCall.name)?.inFirst && { url: 'about:blank' }),
    ...(confirmation && {
      safety_decision: { decision: 'require_confirmation', explanation: confirmation.message },
    }),
    ...(isAcknowledged && { safety_acknowledgement: 'true' }),
  }
  return { call: functionCall, response, picture, isError: fault !== undefined }
}
