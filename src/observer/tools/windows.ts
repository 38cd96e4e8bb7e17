import { z } from 'zod'
import type { WindowInfo } from '../../adapters/computer.ts'
import { newWindows, pass } from '../receipt.ts'
import { chooseWindow, listWindows, regionsOf, WindowChoice } from '../target.ts'
import { defineTool } from '../tool.ts'
import { Bounds } from '../wire.ts'

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
    monitor_index: z.int().optional(),
    scale_factor: z.number().optional(),
    logical_bounds: Bounds.optional(),
    physical_bounds: Bounds.optional(),
  })
  .meta({ id: 'Window' })

export function wireWindow(window: WindowInfo): Omit<z.infer<typeof WireWindow>, 'index'> {
  const { uid, handle, title, process, pid, bounds, focused, monitorIndex, scaleFactor } = window
  return {
    handle,
    title,
    process,
    pid,
    bounds,
    focused,
    window_uid: uid,
    ...(monitorIndex !== undefined && { monitor_index: monitorIndex }),
    ...(scaleFactor !== undefined && {
      scale_factor: scaleFactor,
      logical_bounds: scaleBounds(bounds, 1 / scaleFactor),
      physical_bounds: bounds,
    }),
  }
}

export const scaleBounds = (bounds: z.infer<typeof Bounds>, by: number) => ({
  x: Math.round(bounds.x * by),
  y: Math.round(bounds.y * by),
  width: Math.round(bounds.width * by),
  height: Math.round(bounds.height * by),
})

const listWindowsTool = defineTool({
  name: 'list_windows',
  kind: 'look',
  summary:
    'List the visible top-level windows: index, uid, title, process, bounds and which one is focused. Call it first; indexes shift when windows open or close, uids do not.',
  input: z.object({}),
  output: z.object({ count: z.int(), is_mock: z.boolean(), windows: z.array(WireWindow) }),
  faults: [],
  traits: { untrusted: true, alwaysAllowed: true, idempotent: true },
  run: async ({ session }) => {
    const windows = await listWindows(session)
    return {
      count: windows.length,
      is_mock: session.computer.about.synthetic,
      windows: windows.map((window, index) => ({ index, ...wireWindow(window) })),
    }
  },
})

const getVisibleAreas = defineTool({
  name: 'get_visible_areas',
  kind: 'look',
  summary: 'The rectangles of a window that no other window covers.',
  input: WindowChoice,
  output: z.object({ window: z.string(), window_uid: z.string(), visible_regions: z.array(Bounds) }),
  faults: ['WindowGone'],
  traits: { idempotent: true },
  run: async ({ input, session }) => {
    const { window } = await chooseWindow(session, input)
    return { window: window.title, window_uid: window.uid, visible_regions: await regionsOf(session, window) }
  },
})

const bringToForeground = defineTool({
  name: 'bring_to_foreground',
  kind: 'act',
  summary: 'Raise a window above the others and give it the keyboard.',
  input: WindowChoice.extend({ dry_run: z.boolean().default(false).describe('Check only, do nothing') }),
  output: z.object({
    action: z.string(),
    dry_run: z.boolean(),
    window: z.string(),
    window_uid: z.string(),
    changed: z.boolean(),
    new_dialogs: z.array(z.object({ window_uid: z.string(), title: z.string() })),
    note: z.string(),
    warning: z.string().optional(),
  }),
  faults: ['WindowGone', 'PlatformUnsupported'],
  traits: { idempotent: true },
  run: async ({ input, session }) => {
    const { window, warning } = await chooseWindow(session, input)
    const before = await session.computer.windows()
    if (!input.dry_run) {
      await session.computer.perform({ type: 'activate', window: window.uid })
      await pass(session, 0)
    }
    const after = await session.computer.windows()
    return {
      action: 'bring_to_foreground',
      dry_run: input.dry_run,
      window: window.title,
      window_uid: window.uid,
      changed:
        before.map(({ uid, focused }) => `${uid}${focused}`).join() !==
        after.map(({ uid, focused }) => `${uid}${focused}`).join(),
      new_dialogs: newWindows(before, after),
      note: input.dry_run ? 'dry run: nothing was done' : 'the window was activated',
      ...(warning !== undefined && { warning }),
    }
  },
})

export const windowTools = [listWindowsTool, getVisibleAreas, bringToForeground]
