import { Fault } from '../../base/fault.ts'
import type { IdSource } from '../../base/ids.ts'
import type { Action } from '../../desktop/input/action.ts'
import type { ActionExplanation } from '../../scenario/explain-action.ts'
import type { LiveActionExplanation, LiveExplanation } from '../../viewer/model/live.ts'
import { assertToolAllowed } from '../gates/allowlist.ts'
import type { RunJournal } from '../policies/redaction/run-journal.ts'
import { findTool, inputSchema } from '../registry.ts'
import type { DesktopSession } from '../session/session.ts'
import { readInput } from '../tool.ts'
import { requireSimulation } from '../tools/session-tools.ts'
import { TreeCache } from '../tree-cache.ts'
import { sanitize } from '../wire.ts'
import { explainableCalls } from './live-calls.ts'

/** A call of the log, or one that is not made. */
export type ExplanationRequest =
  | { readonly call: number }
  | { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }

/**
 * Explains why reactions and timers match the actions of a call or not. It is not a call, and a call that is not made stays so.
 * @throws `BadRequest` for a call that is not kept or a tool that does not act, `PlatformUnsupported` on a real desktop,
 *   `PermissionDenied` while the operator hides elements or denies `session_info`.
 */
export async function liveExplanation(session: DesktopSession, request: ExplanationRequest): Promise<LiveExplanation> {
  const { context } = session
  requireSimulation(context, 'an explanation')
  assertToolAllowed(findTool('session_info')!, context.settings)
  const journal = context.redaction.journal!
  if ('call' in request) return explainLogged(session, journal, request.call)
  const { tool, args } = request
  const { actions, fault } = await previewActions(session, tool, args)
  return toExplanation(journal, { tool, args }, fault, journal.explainNow(actions))
}

function explainLogged(session: DesktopSession, journal: RunJournal, sequence: number): LiveExplanation {
  const logged = session.callLog.find(sequence)
  const explainable = explainableCalls(session)
  if (!logged || !explainable.has(sequence)) {
    const known = [...explainable].join(', ')
    throw new Fault(
      'BadRequest',
      `call: ${sequence} is not a call that can be explained; these are: ${known || 'none'}`,
      {
        field: 'call',
      },
    )
  }
  const { actions, error } = logged
  return toExplanation(journal, logged, error, journal.explainCall(actions.from, actions.to))
}

const toExplanation = (
  journal: RunJournal,
  { tool, args }: { readonly tool: string; readonly args: unknown },
  fault: { readonly message: string } | undefined,
  explanations: readonly ActionExplanation[],
): LiveExplanation =>
  sanitize({
    ok: true,
    call: `${tool} ${JSON.stringify(args)}`,
    refused: fault?.message ?? null,
    actions: explanations.map((explanation) => toLive(journal, explanation)),
  })

function toLive(
  journal: RunJournal,
  { state, events, refused, reactions, timers }: ActionExplanation,
): LiveActionExplanation {
  const texts = journal.entries
  return {
    state,
    events,
    refused: refused ?? null,
    reactions: reactions.map(({ index, outcome, reasons }) => ({
      index,
      text: texts.reactions[index] ?? '',
      outcome,
      reasons,
    })),
    timers: timers.map(({ index, outcome, firesInMs, reasons }) => ({
      index,
      text: texts.timers[index] ?? '',
      outcome,
      fires_in_ms: firesInMs ?? null,
      reasons,
    })),
  }
}

/** The actions that a call would perform, or why it would be refused. */
export interface ActionsPreview {
  readonly actions: readonly Action[]
  readonly fault: Fault | undefined
}

/** Tokens of trees that nobody gets. */
const NO_IDS: IdSource = { hex: (length) => '0'.repeat(length), uuid: () => '00000000-0000-0000-0000-000000000000' }

/**
 * The actions that a call would perform on the desktop as it is now. It performs none, uses no budget and remembers nothing.
 * @throws `BadRequest` for a tool that does not act or cannot be checked without acting, or for wrong arguments;
 *   `PermissionDenied` for a tool that the operator denies.
 */
async function previewActions(
  session: DesktopSession,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<ActionsPreview> {
  const tool = findTool(name)
  if (tool?.kind !== 'act' || !Object.hasOwn(inputSchema(tool).properties ?? {}, 'dry_run'))
    throw new Fault('BadRequest', `tool: ${JSON.stringify(name)} is not a tool that acts`, { field: 'tool' })
  assertToolAllowed(tool, session.context.settings)
  const input = readInput(tool, { ...args, dry_run: true })
  let actions: readonly Action[] = []
  const invocation = {
    input,
    watch: {},
    stepId: 0,
    nextStep: () => 0,
    onPreview: (preview: { readonly actions: readonly Action[] }) => {
      actions = preview.actions
    },
    preview: refuse,
    call: refuse,
  }
  try {
    await tool.run(invocation, { ...session.context, trees: new TreeCache(NO_IDS) })
    return { actions, fault: undefined }
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code === 'Internal') throw thrown
    return { actions, fault: thrown }
  }
}

function refuse(): never {
  throw new Fault('BadRequest', 'tool: it makes other calls, which are explained one by one', { field: 'tool' })
}
