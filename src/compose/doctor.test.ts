import { describe, expect, it } from 'vitest'
import { installCommand } from '../base/optional.ts'
import { examine } from './doctor.ts'

describe.each([
  ['win32', 'windows'],
  ['darwin', 'macos'],
] as const)('the doctor on %s', (platform, feature) => {
  const check = async (missing: readonly string[]) => {
    const checks = await examine({ platform, env: {} }, undefined, (each) => !missing.includes(each))
    return checks.filter(({ verdict }) => verdict === 'bad')
  }

  it('lists each missing package with its remedy', async () => {
    expect(await check([feature, 'screenshots'])).toEqual([
      { subject: 'koffi', verdict: 'bad', found: 'koffi is not installed', fix: installCommand(feature) },
      {
        subject: 'screenshots',
        verdict: 'bad',
        found: 'node-screenshots is not installed',
        fix: installCommand('screenshots'),
      },
    ])
    expect((await check([feature])).map(({ subject }) => subject)).toEqual(['koffi'])
  })
})
