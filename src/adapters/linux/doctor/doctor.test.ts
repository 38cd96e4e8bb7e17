import { describe, expect, it } from 'vitest'
import { openRealComputer } from '../../open.ts'
import { checkLinux } from './doctor.ts'

const badOnes = async (env: Record<string, string>) =>
  (await checkLinux(env)).filter(({ verdict }) => verdict === 'bad').map(({ subject }) => subject)

describe('the doctor', () => {
  it('reports a missing display and a missing bus, each with its fix', async () => {
    const findings = await checkLinux({})
    expect(findings.map(({ subject }) => subject)).toEqual(['session', 'packages', 'session bus'])
    const bad = findings.filter(({ subject }) => subject !== 'packages')
    for (const { verdict, fix } of bad) expect([verdict, typeof fix]).toEqual(['bad', 'string'])
    expect(findings[0]!.fix).toContain('package xvfb')
  })

  it('distinguishes a display and a bus that do not answer from unset ones', async () => {
    const env = { DISPLAY: ':64999', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/at/all' }
    expect(await badOnes(env)).toEqual(['X server', 'session bus', 'accessibility bus'])
  })

  it('[B10] does not recommend installing the accessibility bus where the session bus is unavailable', async () => {
    const findings = await checkLinux({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/at/all' })
    const { fix } = findings.find(({ subject }) => subject === 'accessibility bus')!
    expect(fix).toContain('session bus')
    expect(fix).not.toContain('install')
  })

  it('recognises Wayland', async () => {
    expect(await badOnes({ XDG_SESSION_TYPE: 'wayland' })).toEqual(['session', 'session bus'])
  })
})

describe('a real desktop', () => {
  it('[L12] is refused when there is none, with the missing parts', async () => {
    await expect(openRealComputer('linux', { platform: 'linux', env: {} })).rejects.toMatchObject({
      code: 'PlatformUnsupported',
      message: expect.stringContaining('DISPLAY'),
    })
    await expect(openRealComputer('auto', { platform: 'aix', env: {} })).rejects.toMatchObject({
      code: 'PlatformUnsupported',
    })
  })
})
