import { Fault } from '../../base/fault.ts'
import type { ActionExplanation } from '../../scenario/explain-action.ts'
import type { LiveActionExplanation, LiveExplanation } from '../../viewer/model/live.ts'
import { assertToolAllowed } from '../gates/allowlist.ts'
import type { RunJournal } from '../gates/run-journal.ts'
import { findTool } from '../registry.ts'
import type { Session } from '../session/session.ts'
import { requireSimulation } from '../tools/simulation.ts'
import { sanitize } from '../wire/sanitize.ts'
import { explainableCalls } from './live-calls.ts'
import { previewActions } from './preview-actions.ts'

/** A call of the log, or one that is not made. */
export type ExplanationRequest =
  | { readonly call: number }
  | { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }

/**
 * Explains why reactions and timers match the actions of a call or not. It is not a call, and a call that is not made stays so.
 * @throws `BadRequest` for a call that is not kept or a tool that does not act, `PlatformUnsupported` on a real desktop,
 *   `PermissionDenied` while the operator hides elements or denies `session_info`.
 */
export async function liveExplanation(session: Session, request: ExplanationRequest): Promise<LiveExplanation> {
  const { context } = session
  requireSimulation(context, 'an explanation')
  assertToolAllowed(findTool('session_info')!, context.settings)
  const journal = context.redaction.journal!
  if ('call' in request) return explainLogged(session, journal, request.call)
  const { tool, args } = request
  const { actions, fault } = await previewActions(session, tool, args)
  return toExplanation(journal, { tool, args }, fault, journal.explainNow(actions))
}

function explainLogged(session: Session, journal: RunJournal, sequence: number): LiveExplanation {
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
