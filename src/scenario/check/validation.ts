import type { ReportProblem } from '../load/problem.ts'
import type { KeyPath } from '../load/source.ts'
import type { WrittenElement } from '../schema/element.ts'
import type { WrittenScenario } from '../schema/scenario.ts'
import { allWindows, forEachEffect } from '../schema/visit.ts'
import type { CheckContext } from './context.ts'
import { checkPattern } from './names.ts'

type WrittenRules = NonNullable<WrittenElement['validation']>

/** Checks the rules of fields: in windows, in appended elements and in changes. */
export function checkValidation(known: CheckContext, scenario: WrittenScenario): void {
  const below = ({ validation, children }: WrittenElement, path: KeyPath): void => {
    if (validation) checkRules(known, [...path, 'validation'], validation)
    children?.forEach((child, index) => {
      below(child, [...path, 'children', index])
    })
  }
  for (const { window, path } of allWindows(scenario)) if (window.tree) below(window.tree, [...path, 'tree'])
  forEachEffect(scenario, (effect, path) => {
    if ('validation' in effect && effect.validation) checkRules(known, [...path, 'validation'], effect.validation)
    if (!('append' in effect) || 'var' in effect) return
    effect.append?.forEach((element, index) => {
      below(element, [...path, 'append', index])
    })
  })
}

function checkRules(known: CheckContext, path: KeyPath, { pattern, min, max, required }: WrittenRules): void {
  const report: ReportProblem = known.report
  checkPattern(known, [...path, 'pattern'], pattern)
  if (pattern === undefined && min === undefined && max === undefined && required === undefined)
    report(path, 'has no rule; add required, pattern, min or max')
  if (min === undefined || max === undefined) return
  if (typeof min !== typeof max) report([...path, 'max'], 'expected both limits to be numbers, or both to be days')
  else if (min > max) report([...path, 'min'], 'must not be greater than max')
}
