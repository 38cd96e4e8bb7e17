import { expect, it } from 'vitest'
import type { SwayNode } from './sway-ipc.ts'
import { swayMonitors, swayWindows } from './sway-windows.ts'

const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const node = (part: Partial<SwayNode>): SwayNode => ({
  id: 1,
  type: 'con',
  name: null,
  focused: false,
  rect: rect(0, 0, 100, 80),
  window_rect: rect(2, 0, 96, 78),
  deco_rect: rect(0, 0, 0, 0),
  focus: [],
  nodes: [],
  floating_nodes: [],
  ...part,
})

it('[LX48] [LX49] lists fullscreen, floating and tiled windows front to back, and those that are away', () => {
  const window = (id: number, part: Partial<SwayNode> = {}) =>
    node({ id, name: `w${id}`, pid: 999_999_999, visible: true, shell: 'xdg_shell', ...part })
  const shown = node({
    type: 'workspace',
    name: '1',
    focus: [12, 11],
    nodes: [window(11), window(12, { shell: 'xwayland', fullscreen_mode: 0 })],
    floating_nodes: [
      window(13),
      window(14, { focused: true, rect: rect(10, 40, 200, 90), deco_rect: rect(0, 0, 200, 24) }),
    ],
  })
  const root = node({
    type: 'root',
    nodes: [
      node({
        type: 'output',
        nodes: [node({ type: 'workspace', name: '__i3_scratch', floating_nodes: [window(15, { visible: false })] })],
      }),
      node({
        type: 'output',
        nodes: [shown, node({ type: 'workspace', name: '2: mail', nodes: [window(16, { visible: false })] })],
      }),
    ],
  })
  const windows = swayWindows(root)
  expect(windows.map(({ id, away }) => [id, away])).toEqual([
    [15, { isMinimized: true, workspace: undefined }],
    [14, undefined],
    [13, undefined],
    [12, undefined],
    [11, undefined],
    [16, { isMinimized: false, workspace: '2: mail' }],
  ])
  expect(windows[1]).toMatchObject({
    focused: true,
    isWayland: true,
    bounds: rect(10, 16, 200, 114),
    inner: rect(12, 40, 96, 78),
  })
  expect(windows[3]!.isWayland).toBeUndefined()
})

it('[LX50] has the monitors of sway in logical pixels, the one at the origin first', () => {
  const output = (name: string, active: boolean, x: number) => ({
    name,
    active,
    focused: false,
    scale: 2,
    rect: rect(x, 0, 640, 400),
  })
  expect(swayMonitors([output('B', true, 640), output('off', false, 0), output('A', true, 0)])).toEqual([
    { index: 0, primary: true, bounds: rect(0, 0, 640, 400), scaleFactor: 1 },
    { index: 1, primary: false, bounds: rect(640, 0, 640, 400), scaleFactor: 1 },
  ])
})
