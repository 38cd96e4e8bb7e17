import type { Action } from '../../../desktop/input/action.ts'
import { parseChord } from '../../../desktop/input/keys.ts'
import { type FoundOption, findOptionIn, isOptionSelected } from '../../find-option.ts'
import type { FoundElement } from '../accessibility/element-lookup.ts'
import { ROLE } from '../accessibility/roles.ts'
import type { WindowTree } from '../accessibility/window-trees.ts'
import { xWindowUid } from '../x11/windows.ts'
import {
  type ActionContext,
  busOf,
  ensureActive,
  findElement,
  findRecentElement,
  MAX_OPEN_MS,
  QUIET_MS,
  type Via,
} from './action-context.ts'
import * as patterns from './patterns.ts'
import { clickTarget } from './pointer.ts'
import { findRow, selectRow } from './table-rows.ts'

const HOME = parseChord('home')

const DOWN = parseChord('down')

/** Selects an option of a list, a table or a combo box. */
export async function selectOption(
  context: ActionContext,
  { target, option: wanted }: Extract<Action, { type: 'select' }>,
): Promise<Via> {
  const found = await findRecentElement(context, target)
  const bus = busOf(context)
  // The tree contains only the visible part of a long list.
  if (found.element.traits?.childCount !== undefined) {
    const row = await findRow(bus, found.source, wanted)
    if (row !== undefined && (await selectRow(bus, found.source, row))) return 'accessibility'
  }
  const option = findOptionIn(found.element, wanted)
  const isSelected = async () => {
    await context.input.pause(QUIET_MS)
    return isOptionSelected((await context.windowTree(target.window)).tree, target.element, option.element)
  }
  if (found.source.role === ROLE.comboBox) return selectInCombo(context, found, option, isSelected)
  const owner = found.windowTree.sources.get(option.parent.id)!
  const item = found.windowTree.sources.get(option.element.id)!
  if (option.element.role === 'DataItem' && owner.patterns.has('Table')) {
    if (item.index !== undefined && (await selectRow(bus, owner, item.index))) return 'accessibility'
    await clickTarget(context, { window: target.window, element: option.element.id })
    return 'pointer'
  }
  if ((await patterns.selectChild(bus, owner, option.at)) && (await isSelected())) return 'accessibility'
  if ((await patterns.doDefaultAction(bus, item)) && (await isSelected())) return 'accessibility'
  await clickTarget(context, { window: target.window, element: option.element.id })
  return 'pointer'
}

/** Selects an option by the combo box itself, else with arrow keys, else by opening it and clicking the option. */
async function selectInCombo(
  context: ActionContext,
  { windowTree, element, source }: FoundElement<WindowTree>,
  option: FoundOption,
  isSelected: () => Promise<boolean>,
): Promise<Via> {
  const bus = busOf(context)
  if ((await patterns.selectChild(bus, source, option.index)) && (await isSelected())) return 'accessibility'
  if (await patterns.grabFocus(bus, source)) {
    await ensureActive(context, windowTree.window)
    await context.input.press(HOME, windowTree.window.id)
    for (let step = 0; step < option.index; step++) await context.input.press(DOWN, windowTree.window.id)
    if (await isSelected()) return 'keyboard'
  }
  const window = xWindowUid(windowTree.window.id)
  await clickTarget(context, { window, element: element.id })
  const deadline = Date.now() + MAX_OPEN_MS
  const target = { window, element: option.element.id }
  while ((await findElement(context, target)).element.traits?.hidden && Date.now() < deadline)
    await context.input.pause(QUIET_MS)
  await clickTarget(context, target)
  return 'pointer'
}
