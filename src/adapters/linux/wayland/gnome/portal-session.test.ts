import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Bus, BusMethod, BusSignal, ObjectRef } from '../../dbus.ts'
import { type ConsentFile, consentFile, openPortalSession, placeOnStream } from './portal-session.ts'

// Rules such as [GN7] are stated in README.md.

const home = mkdtempSync(join(tmpdir(), 'backlot-consent-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const MONITORS = [{ x: 0, y: 0, width: 1024, height: 640, scale: 1.25, isPrimary: true }]

interface Call {
  readonly member: string
  readonly body: readonly unknown[]
}

/** A portal that answers each request at once. `answers` has what differs from consent without a token. */
function portalWith(
  calls: Call[],
  answers: Readonly<Record<string, readonly [number, Readonly<Record<string, unknown>>]>>,
) {
  const listeners: ((signal: BusSignal) => void)[] = []
  const bus = {
    ended: false,
    name: ':1.5',
    onSignal: (listener: (signal: BusSignal) => void) => void listeners.push(listener),
    async call(_: ObjectRef, { interface: name, member }: BusMethod, ...body: readonly unknown[]) {
      calls.push({ member, body })
      const options = body.at(-1)
      const token = Array.isArray(options) && options.find((option) => option[0] === 'handle_token')?.[1][1]
      if (!token) return undefined
      const path = `/org/freedesktop/portal/desktop/request/1_5/${token}`
      const [code, answer] = answers[member] ?? [0, { session_handle: '/session' }]
      const signal = { sender: '', path, interface: 'org.freedesktop.portal.Request', member: 'Response' }
      queueMicrotask(() => {
        for (const listen of listeners) listen({ ...signal, body: [code, answer] })
      })
      return `${name} ${path}`
    },
  }
  return bus as unknown as Bus
}
const STARTED = [0, { streams: [[42, { position: [0, 0] }]], restore_token: 'next' }] as const

function memory(token?: string): ConsentFile & { token: string | undefined } {
  return {
    token,
    read() {
      return this.token
    },
    write(fresh) {
      this.token = fresh
    },
  }
}
const monitors = async () => MONITORS

describe('consent', () => {
  it('[GN7] logs a line before the dialog, and stores the token for the next start', async () => {
    const [calls, lines] = [[] as Call[], [] as string[]]
    const consent = memory()
    const parts = { consent, monitors, warn: (line: string) => void lines.push(line) }
    const session = await openPortalSession(portalWith(calls, { Start: STARTED }), parts)
    expect([lines.length, consent.token]).toEqual([1, 'next'])
    expect(lines[0]).toContain('GNOME asks on its screen')
    expect(JSON.stringify(calls)).not.toContain('restore_token')
    await session.move({ x: 512, y: 320 }, MONITORS[0]!)
    await session.keysym(97, true)
    expect(calls.slice(-2)).toEqual([
      { member: 'NotifyPointerMotionAbsolute', body: ['/session', [], 42, 640, 400] },
      { member: 'NotifyKeyboardKeysym', body: ['/session', [], 97, 1] },
    ])
    await expect(session.move({ x: 2000, y: 0 }, MONITORS[0]!)).rejects.toMatchObject({ code: 'PlatformUnsupported' })
  })

  it('[GN7] is used again without a word', async () => {
    const [calls, lines] = [[] as Call[], [] as string[]]
    const parts = { consent: memory('kept'), monitors, warn: (line: string) => void lines.push(line) }
    await openPortalSession(portalWith(calls, { Start: STARTED }), parts)
    expect(lines).toEqual([])
    expect(calls.find(({ member }) => member === 'SelectDevices')!.body[1]).toContainEqual([
      'restore_token',
      ['s', 'kept'],
    ])
  })

  it.each([
    [[1, {}], 'PermissionDenied', 'refused'],
    [[2, {}], 'PlatformUnsupported', 'has ended Start'],
    [[0, { streams: [] }], 'PlatformUnsupported', 'no monitor is shared'],
  ] as const)('[GN7] that is not given is a fault: %j', async (answer, code, message) => {
    const parts = { consent: memory(), monitors }
    await expect(openPortalSession(portalWith([], { Start: answer }), parts)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  })

  it('[GN7] is in a file that only the user can read', () => {
    const file = consentFile({ HOME: home })
    expect(file.read()).toBeUndefined()
    file.write('token')
    expect(file.read()).toBe('token')
    expect(statSync(join(home, '.local/state/backlot/gnome-consent')).mode & 0o777).toBe(0o600)
  })
})

it('[GN10] sends each event once the one before is answered', async () => {
  const calls: Call[] = []
  const bus = portalWith(calls, { Start: STARTED })
  const session = await openPortalSession(bus, { consent: memory('kept'), monitors })
  calls.length = 0
  const answers: (() => void)[] = []
  bus.call = (_: ObjectRef, { member }: BusMethod, ...body: readonly unknown[]) => {
    calls.push({ member, body })
    return new Promise<never>((resolve) => answers.push(resolve as () => void))
  }
  const keysyms = () => calls.map(({ body }) => body[2])
  const events = [session.keysym(97, true), session.keysym(97, false), session.keysym(98, true)]
  for (const sent of [1, 2, 3]) {
    expect(keysyms()).toHaveLength(sent)
    answers.shift()!()
    await events[sent - 1]
    await Promise.resolve()
  }
  expect(keysyms()).toEqual([97, 97, 98])
})

it('[GN9] places a point on the stream of its monitor', () => {
  const two = [...MONITORS, { x: 1024, y: 0, width: 800, height: 600, scale: 1 }]
  const streams = [
    [1, { position: [0, 0] }],
    [2, { position: [1024, 0] }],
  ] as const
  expect(placeOnStream({ x: 1100, y: 10 }, streams, two)).toEqual([2, 76, 10])
  expect(placeOnStream({ x: 1100, y: 10 }, streams.slice(0, 1), two)).toBeUndefined()
})
