import * as z from 'zod'
import { isAway, type WindowInfo } from '../../adapters/computer.ts'
import { andThen } from '../../base/async.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { performActions } from '../actions/perform.ts'
import { ActionFields } from '../actions/receipt.ts'
import type { ActingContext, DesktopContext } from '../desktop-context.ts'
import { CachedResult, type ToolResult } from '../result.ts'
import {
  chooseWindow,
  hiddenWindows,
  issueTreeToken,
  sortedWindows,
  visibleRegionsOf,
  WindowChoice,
} from '../targets/window-lookup.ts'
import { defineTool } from '../tool.ts'
import { Bounds, scaleBounds } from '../wire.ts'

const WireWindow = z
  .object({
    index: z.int(),
    handle: z.string(),
    title: z.string(),
    process: z.string(),
    pid: z.int(),
    bounds: Bounds,
    focused: z.boolean(),
    window_uid: z.string(),
    hidden: z.literal(true).optional().describe('It is not on the screen until the scenario shows it'),
    state: z.literal('minimized').optional().describe('It is not on the screen; bring_to_foreground restores it'),
    workspace: z.string().optional().describe('The other workspace that it is on; bring_to_foreground switches there'),
    popup_of: z.string().optional().describe('The owner window of this menu, list or tooltip'),
    monitor_index: z.int().optional(),
    scale_factor: z.number().optional(),
    logical_bounds: Bounds.optional(),
    physical_bounds: Bounds.optional(),
  })
  .meta({ id: 'Window' })

export function wireWindow(window: WindowInfo): Omit<z.infer<typeof WireWindow>, 'index'> {
  const { uid, handle, title, process, pid, bounds, focused, monitorIndex, scaleFactor, popupOf, state, workspace } =
    window
  return {
    handle,
    title,
    process,
    pid,
    bounds,
    focused,
    window_uid: uid,
    ...(state !== undefined && { state }),
    ...(workspace !== undefined && { workspace }),
    ...(popupOf !== undefined && { popup_of: popupOf }),
    ...(monitorIndex !== undefined && { monitor_index: monitorIndex }),
    ...(scaleFactor !== undefined && {
      scale_factor: scaleFactor,
      logical_bounds: scaleBounds(bounds, 1 / scaleFactor),
      physical_bounds: bounds,
    }),
  }
}

const listWindowsTool = defineTool({
  name: 'list_windows',
  kind: 'look',
  summary:
    'List the visible top-level windows: index, uid, title, process, bounds and which one is focused, then those that are minimised or on another workspace. Call it first; indexes shift when windows open or close, uids do not.',
  input: z.object({
    visible_only: z
      .boolean()
      .default(true)
      .describe('false: also list windows that are hidden, which have hidden: true'),
  }),
  output: z.object({ count: z.int(), is_mock: z.boolean(), windows: z.array(WireWindow) }),
  faults: [],
  traits: { untrusted: true, alwaysAllowed: true, idempotent: true },
  run: ({ input }, context: DesktopContext) =>
    andThen(sortedWindows(context), (windows) =>
      andThen(hiddenWindows(context), (hidden) => {
        // A person sees in a list of tasks which windows are minimised, but not which ones the author hides.
        const listed = input.visible_only ? hidden.filter(isAway) : hidden
        const list = listed.length > 0 ? toWindowList(windows, listed) : windowList(windows)
        return new CachedResult(list, { is_mock: context.computer.info.synthetic })
      }),
    ),
})

/** Results by list of windows: an unchanged list is the same object. */
const lists = new WeakMap<readonly WindowInfo[], ToolResult>()

/** The windows as `list_windows` returns them. */
function windowList(windows: readonly WindowInfo[]): ToolResult {
  const known = lists.get(windows)
  if (known) return known
  const list = toWindowList(windows, [])
  lists.set(windows, list)
  return list
}

const toWindowList = (windows: readonly WindowInfo[], hidden: readonly WindowInfo[]): ToolResult => ({
  count: windows.length + hidden.length,
  windows: [...windows, ...hidden].map((window, index) => ({
    index,
    ...wireWindow(window),
    ...(index >= windows.length && !isAway(window) && { hidden: true }),
  })),
})

const getVisibleAreas = defineTool({
  name: 'get_visible_areas',
  kind: 'look',
  summary: 'Get the rectangles of a window that no other window covers.',
  input: WindowChoice,
  output: z.object({
    window: z.string(),
    window_uid: z.string(),
    visible_regions: z.array(Bounds),
    tree_token: z.string().nullable(),
    warning: z.string().optional(),
  }),
  faults: ['WindowGone'],
  traits: { idempotent: true },
  run: async ({ input }, context: DesktopContext) => {
    const { window, warning } = await chooseWindow(context, input)
    return {
      window: window.title,
      window_uid: window.uid,
      visible_regions: await visibleRegionsOf(context, window),
      tree_token: await issueTreeToken(context, window),
      ...(warning !== undefined && { warning }),
    }
  },
})

const bringToForeground = defineTool({
  name: 'bring_to_foreground',
  kind: 'act',
  summary: 'Raise a window above the others and give it the keyboard focus.',
  input: WindowChoice.extend({ dry_run: z.boolean().default(false).describe('Check only, perform nothing') }),
  output: ActionFields.extend({
    window: z.string(),
    window_uid: z.string(),
    clicked_x: z.int().describe('A point on its title bar'),
    clicked_y: z.int().describe('A point on its title bar'),
    api_note: z.string(),
    note: z.string(),
  }),
  faults: ['WindowGone', 'PlatformUnsupported'],
  traits: { idempotent: true },
  run: async (call, context: ActingContext) => {
    const { input } = call
    const { window, warning } = await chooseWindow(context, input, { withHidden: !context.computer.info.synthetic })
    const { fields } = await performActions(call, context, {
      name: 'bring_to_foreground',
      actions: [{ type: 'activate', window: window.uid }],
      dryRun: input.dry_run,
      confirmToken: undefined,
    })
    return {
      action: 'bring_to_foreground',
      window: window.title,
      window_uid: window.uid,
      ...fields,
      ...titlePoint((await visibleRegionsOf(context, window))[0] ?? window.bounds, window.bounds),
      api_note:
        'the desktop activated the window; clicked_x and clicked_y are on its title bar, and nothing was clicked',
      note: input.dry_run ? 'dry run: nothing was done' : 'the window was activated',
      ...(warning !== undefined && { warning }),
    }
  },
})

const TITLE_MARGIN = { left: 90, right: 160, top: 12 }

/** A point on the title bar of a window, between its icon and its buttons. */
function titlePoint(top: Rect, { x, width }: Rect): { readonly clicked_x: number; readonly clicked_y: number } {
  const { left, right } = TITLE_MARGIN
  const across = width < left + right + 10 ? Math.floor(width / 2) : Math.floor(width / 4)
  const most = width < left + right + 10 ? across : Math.min(Math.max(across, left), width - right)
  return { clicked_x: x + most, clicked_y: top.y + TITLE_MARGIN.top }
}

export const windowTools = [listWindowsTool, getVisibleAreas, bringToForeground]
