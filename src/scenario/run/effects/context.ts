import type { Desktop } from '../../../desktop/model/desktop.ts'
import { type Element, valueText, walk } from '../../../desktop/model/element.ts'
import type { WrittenElement } from '../../schema/element.ts'
import { elementWithId } from '../guard.ts'
import { appendToLog } from '../log.ts'
import { runWith, type ScenarioRun } from '../scenario-run.ts'
import { type CapturedGroups, fillTemplate, type TemplateField } from '../template.ts'

/** The event that caused an effect, as far as effects use it. */
export interface EffectContext {
  /** The groups that the trigger captured. */
  readonly captured?: CapturedGroups
  /** The window in which ids are searched first. */
  readonly near?: string | undefined
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
export function textFiller(desktop: Desktop, { captured, near }: EffectContext, uid = near): FillText {
  const lookUp = (id: string, field: TemplateField) => {
    const element = elementWithId(desktop, id, undefined, uid)?.element
    return element && textOfField(element, field)
  }
  return (template) => fillTemplate(template, { captured, lookUp })
}

/** A field of an element as text; `selected` is the name of its selected item. */
export function textOfField(element: Element, field: TemplateField): string {
  if (field === 'name') return element.name
  if (field === 'value') return valueText(element) ?? ''
  const { rows } = element.traits ?? {}
  if (rows) return rows.names[rows.selected[0] ?? -1] ?? ''
  return [...walk(element)].find((item) => item !== element && item.selected === true)?.name ?? ''
}

/** A written element with its placeholders filled. */
export function fillElement(written: WrittenElement, fill: FillText): WrittenElement {
  const { name, value, children } = written
  return {
    ...written,
    ...(name === undefined ? {} : { name: fill(name) }),
    ...(typeof value === 'string' ? { value: fill(value) } : {}),
    ...(children && { children: children.map((child) => fillElement(child, fill)) }),
  }
}
