import * as z from 'zod'
import type { WindowInfo } from '../../adapters/computer.ts'
import { andThen } from '../../base/async.ts'
import type { Element } from '../../desktop/model/element.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { withoutClosed } from '../../desktop/tree/modal.ts'
import { outlineOf, refOutlineOf } from '../../paint/outline.ts'
import { pageIn } from '../browser-tabs.ts'
import type { DesktopContext } from '../desktop-context.ts'
import { captureTree, chooseWindow, requireTree, sortedWindows, WindowChoice } from '../targets/window-lookup.ts'
import { defineTool } from '../tool.ts'

const getScreenOutline = defineTool({
  name: 'get_screen_outline',
  kind: 'look',
  summary:
    'Read a window as an indented list: - button "Save" [ref=e5]. Pass element_id "@e5" to act on an element. Far shorter than a tree.',
  input: WindowChoice.extend({
    format: z
      .enum(['refs', 'ids'])
      .default('refs')
      .describe(
        'refs: what is shown, and a short ref for each element that can be acted on; ids: every element with its id',
      ),
  }),
  output: z.object({
    window: z.string(),
    window_uid: z.string(),
    format: z.enum(['refs', 'ids']),
    tree_hash: z.string(),
    tree_token: z.string(),
    outline: z.string(),
    warning: z.string().optional(),
  }),
  faults: ['WindowGone'],
  traits: { untrusted: true, idempotent: true },
  run: async ({ input }, context: DesktopContext) => {
    const { window, warning } = await chooseWindow(context, input)
    const tree = await requireTree(context, window)
    const { trees, operatorClock } = context
    const outlines = [outlineAs(input.format, context, window, tree)]
    for (const popup of await popupsOf(context, window)) {
      const shown = await captureTree(context, popup)
      if (shown) outlines.push(outlineAs(input.format, context, popup, shown))
    }
    return {
      window: window.title,
      window_uid: window.uid,
      format: input.format,
      tree_hash: treeHash(tree),
      tree_token: trees.remember(window.uid, tree, operatorClock.now()),
      outline: outlines.join('\n'),
      ...(warning !== undefined && { warning }),
    }
  },
})

function outlineAs(format: 'refs' | 'ids', { trees }: DesktopContext, { uid }: WindowInfo, tree: Element): string {
  const open = withoutClosed(tree)
  if (format === 'ids') return outlineOf(open)
  const page = pageIn(tree)
  return refOutlineOf(open, ({ id }) =>
    trees.refs.refOf({ window: uid, element: id, ...(page?.has(id) && { page: page.key }) }),
  )
}

/** The menus, lists and tooltips of a window that are windows of their own. */
const popupsOf = (context: DesktopContext, { uid }: WindowInfo) =>
  andThen(sortedWindows(context), (windows) => windows.filter(({ popupOf }) => popupOf === uid))

export const outlineTools = [getScreenOutline]
