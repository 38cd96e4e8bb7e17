import { type Element, valueText } from '../../../desktop/model/element.ts'
import { fillMarkup } from '../../../desktop/model/rich-text.ts'
import type { EventValues } from '../../data/scope.ts'
import { textOfValue } from '../../expression/data-type.ts'
import { evaluateTemplate } from '../../live/live-template.ts'
import { elementWithId, liveContext, selectedItemName } from '../../live-context.ts'
import type { CapturedGroups } from '../../scenario-run.ts'
import { appendToLog, runWith, type ScenarioRun } from '../../scenario-run.ts'
import type { AuthoredElement } from '../../schema/element.ts'
import { fillTemplate, type TemplateField } from '../placeholders.ts'

/** The event that caused an effect, as far as effects use it. */
export interface EffectContext {
  /** The groups that the trigger captured. */
  readonly captured?: CapturedGroups
  /** The window in which ids are searched first. */
  readonly near?: string | undefined
  /** The event as expressions see it. Only for scenarios with live expressions. */
  readonly event?: EventValues | undefined
}

/** Applies one kind of effect. */
export type ApplyEffect<Effect> = (run: ScenarioRun, effect: Effect, context: EffectContext) => ScenarioRun

/** Records that an effect could not be applied, and why. */
export const skipEffect = (run: ScenarioRun, kind: string, reason: string): ScenarioRun =>
  runWith(run, {
    log: appendToLog(run.log, { atMs: run.nowMs, kind: 'effect-skipped', name: kind, fields: { reason } }),
  })

/** Fills the placeholders of a text. */
export type FillText = (template: string) => string

/** Returns the function that fills placeholders. Ids are searched in the window `uid` first, by default in that of the event. */
export function textFiller(run: ScenarioRun, context: EffectContext, uid = context.near): FillText {
  const lookUp = (id: string, field: TemplateField) => {
    const element = elementWithId(run.desktop, id, undefined, uid, context.event?.within)?.element
    return element && textOfField(element, field)
  }
  const fillText = (text: string) => fillTemplate(text, { captured: context.captured, lookUp })
  const { program } = run.scenario
  if (!program) return fillText
  const live = liveContext(run, context.event, uid)
  const { formatText } = program
  return (template) => {
    const text = textOfValue(evaluateTemplate(program, template, live, { fillText }).value)
    return formatText ? formatText(text, template) : text
  }
}

/** A field of an element as text; `selected` is the name of its selected item. */
export function textOfField(element: Element, field: TemplateField): string {
  if (field === 'name') return element.name
  if (field === 'value') return valueText(element) ?? ''
  return selectedItemName(element)
}

/** A written element with its placeholders filled. */
export function fillElement(authored: AuthoredElement, fill: FillText): AuthoredElement {
  const { name, rich, value, avatar, badge, subtitle, children } = authored
  return {
    ...authored,
    ...(avatar === undefined ? {} : { avatar: fill(avatar) }),
    ...(badge === undefined ? {} : { badge: fill(badge) }),
    ...(subtitle === undefined ? {} : { subtitle: fill(subtitle) }),
    ...(name === undefined ? {} : { name: fill(name) }),
    ...(rich === undefined ? {} : { rich: fillMarkup(rich, fill) }),
    ...(typeof value === 'string' ? { value: fill(value) } : {}),
    ...(children && { children: children.map((child) => fillElement(child, fill)) }),
  }
}
