import { type BrowserQuestion, runWith, type ScenarioRun } from '../../scenario-run.ts'
import type { BrowseEffect, Outcome } from '../../schema/effect.ts'
import { NO_DIALOG, NO_REQUEST, type SitePermission } from '../../sites/browser-window.ts'
import { browserOf, withBrowser } from './browser-state.ts'
import { type EffectContext, skipEffect, textFiller } from './context.ts'

/** What a page has the browser ask the user: dialogs, and permissions, which are remembered for each host. */

type QuestionKind = 'dialog' | 'permission'

/** Opens a dialog of the page. */
export function withDialog(run: ScenarioRun, effect: BrowseEffect, context: EffectContext): ScenarioRun {
  const { site, dialog } = browserOf(run)
  if (site === '') return skipEffect(run, 'browse', `only a page of a site opens a dialog`)
  if (dialog.open) return skipEffect(run, 'browse', 'a dialog of the page is open')
  const fill = textFiller(run, context)
  const { browse: kind, text = '', value = '' } = effect
  const opened = { open: true, kind, site, text: fill(text), value: fill(value), answer: '' }
  return withQuestion(withBrowser(run, { dialog: opened }), 'dialog', effect, context)
}

/** Closes the dialog as its button does. Returns the same run if none is open. */
export function answerDialog(run: ScenarioRun, answer: 'ok' | 'cancel'): ScenarioRun {
  const { dialog } = browserOf(run)
  if (!dialog.open) return run
  const isTaken = answer === 'ok' || dialog.kind === 'alert'
  const closed = withBrowser(run, { dialog: { ...dialog, open: false, answer: isTaken ? 'ok' : 'cancel' } })
  return answered(closed, 'dialog', isTaken ? 'accepted' : 'refused')
}

/** Asks for a permission of the site. One that is known is not asked for again. */
export function withRequest(run: ScenarioRun, effect: BrowseEffect, context: EffectContext): ScenarioRun {
  const { site, request } = browserOf(run)
  const { permission } = effect
  if (site === '' || permission === undefined) return skipEffect(run, 'browse', 'only a page of a site asks')
  const known = permissionOf(run, site, permission)
  if (known) {
    const outcome = known.state === 'allowed' ? effect.accepted : effect.refused
    return outcome ? withAnswer(run, outcome, context) : run
  }
  if (request.open) return skipEffect(run, 'browse', `the site already asks for ${request.permission}`)
  return withQuestion(withBrowser(run, { request: { open: true, site, permission } }), 'permission', effect, context)
}

const permissionOf = (run: ScenarioRun, site: string, permission: string): SitePermission | undefined =>
  browserOf(run).permissions.find((each) => each.site === site && each.permission === permission)

/** Answers the request for a permission, and remembers the answer. Without a state the request is only closed. */
export function answerRequest(run: ScenarioRun, state?: SitePermission['state']): ScenarioRun {
  const { request, permissions } = browserOf(run)
  if (!request.open) return run
  const { site, permission } = request
  const added = state === undefined ? [] : [{ id: `${site} ${permission}`, site, permission, state }]
  const closed = withBrowser(run, { request: NO_REQUEST, permissions: [...permissions, ...added] })
  return answered(closed, 'permission', state === 'allowed' ? 'accepted' : 'refused')
}

/** The run without questions of the page, for when another page is shown. Nothing follows them. */
export function withoutQuestions(run: ScenarioRun): ScenarioRun {
  const { dialog, request } = browserOf(run)
  if (!dialog.open && !request.open) return run
  const closed = withBrowser(run, {
    ...(dialog.open && { dialog: { ...NO_DIALOG, answer: dialog.answer } }),
    request: NO_REQUEST,
  })
  return runWith(closed, { questions: { answered: run.questions.answered } })
}

function withQuestion(run: ScenarioRun, kind: QuestionKind, effect: BrowseEffect, given: EffectContext): ScenarioRun {
  const { captured, near, event } = given
  const { accepted, refused } = effect
  const question: BrowserQuestion = { accepted, refused, context: { captured, near, event } }
  return runWith(run, { questions: { ...run.questions, [kind]: question } })
}

/** The run in which a question is answered: what follows comes after the effects of the reaction. */
function answered(run: ScenarioRun, kind: QuestionKind, branch: 'accepted' | 'refused'): ScenarioRun {
  const { [kind]: question, ...others } = run.questions
  const left = runWith(run, { questions: others })
  const outcome = question?.[branch]
  return outcome ? withAnswer(left, outcome, question.context) : left
}

const withAnswer = (run: ScenarioRun, outcome: Outcome, { captured, near, event }: EffectContext): ScenarioRun =>
  runWith(run, {
    questions: {
      ...run.questions,
      answered: [...run.questions.answered, { outcome, context: { captured, near, event } }],
    },
  })
