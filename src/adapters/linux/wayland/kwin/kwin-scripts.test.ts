import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, it } from 'vitest'
import { type Bus, BusError, type BusMethod, type ObjectRef } from '../../dbus.ts'
import { openKWinScripts } from './kwin-scripts.ts'

// Rules such as [LX63b] are stated in the README of the adapter.

const folder = mkdtempSync(join(tmpdir(), 'backlot-kwin-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A KWin that numbers scripts by how many there are. `taken` is how often another program takes the number first. */
function fakeKWin({ taken = 0 } = {}) {
  const calls: string[] = []
  const loaded = new Map<string, string>()
  let left = taken
  let send: (...body: readonly unknown[]) => void = () => {}
  const call = async (to: ObjectRef, { member }: BusMethod, ...body: readonly unknown[]) => {
    calls.push(member)
    if (member === 'loadScript') {
      loaded.set(to.path, String(body[0]))
      return 7
    }
    if (member !== 'run') return true
    expect(to).toEqual({ bus: 'org.kde.KWin', path: '/Scripting/Script7' })
    if (left-- > 0) throw new BusError('org.freedesktop.DBus.Error.UnknownObject', 'No such object path')
    const callDBus = (name: string, path: string, kind: string, method: string, ...values: unknown[]) => {
      expect([name, path, kind, method]).toEqual([':1.9', '/backlot', 'backlot.KWinScript', 'result'])
      send(...values)
    }
    runInNewContext(readFileSync(loaded.get('/Scripting')!, 'utf8'), { callDBus })
    return undefined
  }
  const bus = {
    name: ':1.9',
    call,
    tryCall: call,
    onCall: (_path: string, _method: BusMethod, listener: typeof send) => {
      send = listener
    },
  } as unknown as Bus
  return { calls, scripts: openKWinScripts(bus, folder) }
}

it('[LX63b] runs a script in KWin, receives its result, and leaves nothing there', async () => {
  const { calls, scripts } = fakeKWin()
  expect(await scripts.run('return { words: ["a", "ż"] }')).toEqual({ words: ['a', 'ż'] })
  expect(calls).toEqual(['loadScript', 'run', 'unloadScript'])
  expect(existsSync(folder) && readdirSync(folder)).toEqual([])
})

it('[LX63b] runs one script at a time', async () => {
  const { calls, scripts } = fakeKWin()
  expect(await Promise.all([scripts.run('return 1'), scripts.run('return 2')])).toEqual([1, 2])
  expect(calls).toEqual(['loadScript', 'run', 'unloadScript', 'loadScript', 'run', 'unloadScript'])
})

it('[LX63b] tries again when a script of another program has taken its number', async () => {
  const { scripts } = fakeKWin({ taken: 2 })
  expect(await scripts.run('return 3')).toBe(3)
  await expect(fakeKWin({ taken: 9 }).scripts.run('return 3')).rejects.toMatchObject({
    code: 'PlatformUnsupported',
    message: expect.stringContaining('KWin runs no scripts'),
  })
})

it('[LX63b] reports the error of a script', async () => {
  await expect(fakeKWin().scripts.run('throw new Error("no such thing")')).rejects.toMatchObject({
    code: 'PlatformUnsupported',
    message: 'a script in KWin failed: Error: no such thing',
  })
})
