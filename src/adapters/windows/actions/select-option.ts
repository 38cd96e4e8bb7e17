import { parseChord } from '../../../desktop/input/keys.ts'
import { findOptionIn, isOptionSelected } from '../../find-option.ts'
import { type ActionOf, existingWindow, findInWindow, type WindowsContext, type WindowsVia } from './action-context.ts'
import { clickInWindow } from './pointer.ts'

const QUIET_MS = 50
const HOME = parseChord('home')
const DOWN = parseChord('down')

/** Selects an option of a list, a tree, a tab control or a combo box. */
export async function selectWindowsOption(
  context: WindowsContext,
  { target, option: wanted }: ActionOf<'select'>,
): Promise<WindowsVia> {
  const { accessibility, input, manage } = context
  const found = await findInWindow(context, target)
  // The tree contains only a part of a long list.
  if (found.element.traits?.childCount !== undefined && 'index' in wanted)
    if (await accessibility.selectIndex(found.ref, wanted.index)) return 'accessibility'
  const option = findOptionIn(found.element, wanted)
  const isSelected = async () => {
    await input.pause(QUIET_MS)
    const tree = await accessibility.tree(target.window)
    return tree !== undefined && isOptionSelected(tree, target.element, option.element)
  }
  if ((await accessibility.selectIndex(found.ref, option.index)) && (await isSelected())) return 'accessibility'
  const item = { window: target.window, element: option.element.id }
  if (await accessibility.select((await findInWindow(context, item)).ref))
    if (await isSelected()) return 'accessibility'
  if (found.element.role === 'ComboBox') {
    await manage.activate(await existingWindow(context, target.window))
    if (await accessibility.focus(found.ref)) {
      const keyboard = context.keyboard(target.window, false)
      await input.press(HOME, keyboard)
      for (let step = 0; step < option.index; step++) await input.press(DOWN, keyboard)
      if (await isSelected()) return 'keyboard'
    }
    await clickInWindow(context, await findInWindow(context, target))
    await input.pause(QUIET_MS)
  }
  await clickInWindow(context, await findInWindow(context, item, 0))
  return 'pointer'
}
