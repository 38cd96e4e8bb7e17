import { expect, it } from 'vitest'
import { realDesktop, windowAt } from '../../../test/support/observer/real-desktop.ts'
import type { WindowInfo } from '../../adapters/computer.ts'
import type { Action } from '../../desktop/input/action.ts'

// Rules such as [OB14] are stated in src/observer/SPEC.md.

const away: readonly WindowInfo[] = [
  { ...windowAt('mail', 0, false), state: 'minimized' },
  { ...windowAt('music', 0, false), workspace: 'two' },
]

function desktopWithAway(settings: unknown = {}) {
  const done: Action[] = []
  const perform = (action: Action) => {
    done.push(action)
    return { via: 'behaviour' } as const
  }
  return { ...realDesktop({ hiddenWindows: async () => away, perform }, settings), done }
}

it('[OB14] lists minimised windows and those of other workspaces after all others', async () => {
  const { body } = await desktopWithAway().ask('list_windows', {})
  const windows = body.windows as readonly Record<string, unknown>[]
  expect(windows.map(({ index, title, state, workspace }) => [index, title, state, workspace])).toEqual([
    [0, 'front', undefined, undefined],
    [1, 'form', undefined, undefined],
    [2, 'mail', 'minimized', undefined],
    [3, 'music', undefined, 'two'],
  ])
  expect(body.count).toBe(4)
})

it('[OB14] brings them back by uid, index or title', async () => {
  const { ask, done } = desktopWithAway()
  for (const choice of [{ window_uid: 'mail' }, { window_index: 3 }, { window_title: 'MAIL' }])
    expect((await ask('bring_to_foreground', choice)).fault).toBeUndefined()
  expect(done).toEqual(['mail', 'music', 'mail'].map((window) => ({ type: 'activate', window })))
})

it('[OB14] names what brings them back where they cannot be used', async () => {
  const { ask } = desktopWithAway()
  const messageOf = async (choice: object) => (await ask('get_window_structure', choice)).fault
  expect(await messageOf({ window_uid: 'mail' })).toMatchObject({
    code: 'WindowGone',
    message: 'the window "mail" is minimised; bring_to_foreground shows it',
  })
  expect(await messageOf({ window_title: 'music' })).toMatchObject({
    message: 'the window "music" is on the workspace "two"; bring_to_foreground shows it',
  })
  expect(await messageOf({ window_uid: 'none' })).toMatchObject({ message: 'no window has the uid "none"' })
})

it('[OB14] [OB221] admits bringing them back only where the allow setting does', async () => {
  const { ask } = desktopWithAway({ allow: { title: ['^mail$'] } })
  expect((await ask('bring_to_foreground', { window_uid: 'mail' })).fault).toBeUndefined()
  expect((await ask('bring_to_foreground', { window_uid: 'music' })).fault?.code).toBe('PermissionDenied')
})

it('[OB23] names what a program without a tree needs to offer one', async () => {
  const { ask } = realDesktop({
    tree: () => undefined,
    treeRemedy: async () => 'start it with GTK_MODULES=gail:atk-bridge',
  })
  expect((await ask('get_window_structure', { window_uid: 'form' })).fault?.message).toBe(
    'the window "form" has no element tree; start it with GTK_MODULES=gail:atk-bridge; meanwhile use get_ocr or get_screenshot',
  )
})
