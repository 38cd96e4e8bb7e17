import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { NO_EDGES } from '../../desktop-backend.ts'
import {
  type KWinNode,
  kwinMonitors,
  kwinPointer,
  kwinWindowSystem,
  kwinWindows,
  listKWinScreens,
} from './kwin-windows.ts'

// Rules such as [LX63b] are stated in the README of the adapter.

const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const node = (part: Partial<KWinNode>): KWinNode => ({
  uuid: '{1f440bc0-8e36-4b30-a4ee-1afba04c3a09}',
  pid: 999_999_999,
  title: 'One',
  frame: rect(10, 20, 300, 200),
  client: rect(10, 56, 300, 164),
  buffer: rect(10, 56, 300, 164),
  active: false,
  minimized: false,
  isXwayland: false,
  elsewhere: null,
  ...part,
})

it('[LX63b] lists windows front to back, with decoration and the shadows that programs draw', () => {
  const windows = kwinWindows([
    node({}),
    node({
      uuid: '{67bb799b-aa5f-43bb-8417-12daf6b4782a}',
      title: 'Two',
      active: true,
      frame: rect(460, 92, 360, 616),
      client: rect(460, 92, 360, 616),
      buffer: rect(435, 67, 410, 666),
      isXwayland: true,
    }),
  ])
  expect(windows).toEqual([
    {
      uuid: '{67bb799b-aa5f-43bb-8417-12daf6b4782a}',
      id: 0x67bb799baa5f,
      title: 'Two',
      pid: 999_999_999,
      process: '',
      bounds: rect(460, 92, 360, 616),
      inner: rect(460, 92, 360, 616),
      shadow: { left: 25, top: 25, right: 25, bottom: 25 },
      focused: true,
      popup: false,
      owner: undefined,
      away: undefined,
    },
    expect.objectContaining({
      title: 'One',
      bounds: rect(10, 20, 300, 200),
      inner: rect(10, 56, 300, 164),
      shadow: NO_EDGES,
      isWayland: true,
    }),
  ])
})

it('[LX63b] rounds fractions so that neighbours still touch', () => {
  const [window] = kwinWindows([node({ frame: rect(0.4, 0.6, 366.67, 100.5) })])
  expect(window!.bounds).toEqual(rect(0, 1, 367, 100))
})

it('[LX63c] tells why a window is not on the screen', () => {
  const away = (part: Partial<KWinNode>) => kwinWindows([node(part)])[0]!.away
  expect([away({}), away({ minimized: true }), away({ elsewhere: 'Desktop 2' })]).toEqual([
    undefined,
    { isMinimized: true, workspace: undefined },
    { isMinimized: false, workspace: 'Desktop 2' },
  ])
})

/** A KWin with two desktops, of which the first is shown. */
function fakeWorkspace() {
  const desktops = [{ name: 'Desktop 1' }, { name: 'Desktop 2' }]
  const actions: string[] = []
  const window = (uuid: string, part: object) => ({
    internalId: uuid,
    pid: 0,
    caption: uuid,
    managed: true,
    desktops: [desktops[0]],
    frameGeometry: rect(0, 0, 10, 10),
    clientGeometry: rect(0, 0, 10, 10),
    bufferGeometry: rect(0, 0, 10, 10),
    minimized: false,
    toString: () => 'KWin::XdgToplevelWindow(0x1)',
    closeWindow: () => actions.push(`close ${uuid}`),
    setMaximize: (down: boolean, across: boolean) => actions.push(`maximize ${uuid} ${down} ${across}`),
    ...part,
  })
  const windows = [
    window('{00000000-0001-4000-8000-000000000000}', { desktopWindow: true }),
    window('{00000000-0002-4000-8000-000000000000}', { toString: () => 'KWin::X11Window(0x2)' }),
    window('{00000000-0003-4000-8000-000000000000}', { desktops: [desktops[1]], minimized: true }),
    window('{00000000-0004-4000-8000-000000000000}', { popupWindow: true }),
    window('{00000000-0005-4000-8000-000000000000}', { managed: false }),
  ]
  const workspace = {
    desktops,
    currentDesktop: desktops[0],
    stackingOrder: windows,
    activeWindow: windows[1],
    screenOrder: [{ name: 'Virtual-0', geometry: rect(640, 0, 853.33, 533.33) }],
    cursorPos: { x: 12.4, y: 7.6 },
    raiseWindow: (raised: { caption: string }) => actions.push(`raise ${raised.caption}`),
  }
  const scripts = {
    run: async <T>(body: string) =>
      JSON.parse(JSON.stringify(runInNewContext(`(function () { ${body} })()`, { workspace }) ?? null)) as T,
  }
  return { workspace, actions, scripts }
}

it('[LX63b] [LX63c] lists and arranges windows by scripts', async () => {
  const { workspace, actions, scripts } = fakeWorkspace()
  const system = kwinWindowSystem(scripts)
  expect((await system.listAll()).map(({ id, away, isWayland, focused }) => [id, away, isWayland, focused])).toEqual([
    [3, { isMinimized: true, workspace: 'Desktop 2' }, true, false],
    [2, undefined, undefined, true],
  ])
  expect((await system.list()).map(({ id }) => id)).toEqual([2])
  await system.activate(3)
  expect([workspace.currentDesktop?.name, workspace.activeWindow]).toEqual(['Desktop 2', workspace.stackingOrder[2]])
  await system.minimize(2)
  expect(workspace.stackingOrder[1]!.minimized).toBe(true)
  await system.maximize(2, true)
  await system.close(2)
  expect(workspace.stackingOrder[1]!.minimized).toBe(false)
  expect(actions).toEqual([
    'raise {00000000-0003-4000-8000-000000000000}',
    'maximize {00000000-0002-4000-8000-000000000000} true true',
    'close {00000000-0002-4000-8000-000000000000}',
  ])
  await expect(system.close(9)).rejects.toMatchObject({ code: 'WindowGone' })
  await expect(system.minimize(Number.NaN)).rejects.toMatchObject({ code: 'WindowGone' })
})

it('[LX63b] has uids of twelve digits, and none of other sessions', () => {
  const { uidOf, idOf } = kwinWindowSystem(fakeWorkspace().scripts)
  expect([uidOf(0x67bb799baa5f), idOf('kwin:67bb799baa5f'), uidOf(3)]).toEqual([
    'kwin:67bb799baa5f',
    0x67bb799baa5f,
    'kwin:000000000003',
  ])
  for (const uid of ['sway:3', 'kwin:3', 'kwin:67BB799BAA5F', 'kwin:{67bb799baa5f}']) expect(idOf(uid)).toBeUndefined()
})

it('[LX63g] has screens in logical pixels, and the place of the pointer', async () => {
  const { scripts } = fakeWorkspace()
  const screens = await listKWinScreens(scripts)
  expect(screens).toEqual([{ name: 'Virtual-0', bounds: rect(640, 0, 853, 533) }])
  expect(kwinMonitors(screens)).toEqual([{ index: 0, primary: true, bounds: rect(640, 0, 853, 533), scaleFactor: 1 }])
  expect(await kwinPointer(scripts)).toEqual({ x: 12, y: 8 })
})
