import { Fault } from '../../base/fault.ts'
import { parseChord } from '../../desktop/input/keys.ts'
import type { KeyPath } from '../load/source.ts'
import type { Trigger } from '../schema/trigger.ts'
import type { CheckContext } from './context.ts'
import { checkElement, checkPattern, checkSelector } from './names.ts'

type TriggerTool = NonNullable<Trigger['tool']>

/** The tools for which each condition can hold. `any` includes all of them. */
const TOOLS_OF = {
  text_regex: ['type_text', 'press_key', 'set_value', 'select_option'],
  keys: ['press_key'],
  region: ['click_element', 'double_click_element', 'right_click_element', 'hover_element', 'drag', 'drop', 'scroll'],
  from_id: ['drop'],
  from_selector: ['drop'],
} as const satisfies Partial<Record<keyof Trigger, readonly TriggerTool[]>>

const MISSING: Readonly<Record<keyof typeof TOOLS_OF, string>> = {
  text_regex: 'text',
  keys: 'keys',
  region: 'position',
  from_id: 'dragged element',
  from_selector: 'dragged element',
}

/** Checks the names and patterns of a trigger, and that its conditions fit its tool. */
export function checkTrigger(known: CheckContext, path: KeyPath, trigger: Trigger): void {
  const { report } = known
  const { tool, changed, changed_var, keys, selector, from_selector } = trigger
  checkElement(known, path, {
    window: trigger.window,
    target_id: trigger.target_id,
    changed,
  })
  if (trigger.from_id !== undefined) checkElement(known, path, { window: undefined, from_id: trigger.from_id })
  checkPattern(known, [...path, 'text_regex'], trigger.text_regex)
  if (selector !== undefined) checkSelector(known, [...path, 'selector'], selector)
  if (from_selector !== undefined) checkSelector(known, [...path, 'from_selector'], from_selector)
  if (keys !== undefined) checkKeys(known, [...path, 'keys'], keys)
  if (changed !== undefined || changed_var !== undefined) {
    for (const key of ['tool', 'keys', 'region', 'from_id', 'from_selector'] as const)
      if (trigger[key] !== undefined) report([...path, key], 'a trigger on a change has none; leave it out', true)
    if (changed !== undefined && changed_var !== undefined)
      report([...path, 'changed_var'], 'expected either changed or changed_var', true)
    return
  }
  if (tool === undefined && keys === undefined)
    report(path, 'the tool is missing; expected one of tool, keys, changed and changed_var')
  for (const key of Object.keys(TOOLS_OF) as (keyof typeof TOOLS_OF)[]) {
    const tools: readonly TriggerTool[] = TOOLS_OF[key]
    if (trigger[key] === undefined || tool === undefined || tool === 'any' || tools.includes(tool)) continue
    const others = tools.length === 1 ? `${tools[0]} does` : `${tools.join(', ')} do`
    report([...path, key], `${tool} has no ${MISSING[key]}; ${others}`, true)
  }
}

function checkKeys({ report }: CheckContext, path: KeyPath, keys: string): void {
  try {
    parseChord(keys)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    report(path, error.message)
  }
}
